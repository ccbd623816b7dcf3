import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe } from 'node:test';
import { tempDir } from '../../support/temp.ts';
import { noBrowser, openTab } from '../browser.ts';
import { handOf } from '../hand.ts';
import { createStage } from '../stage.ts';
import { nodeOf, screenText, settles, waitFor } from '../walk.ts';

interface Listed {
  name: string;
  project_id: string;
}

/** Somebody else's lab: sent, opened, started, used; and what comes of a second copy of it. */
describe('an imported lab', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('hour-imported');
  const { step } = stage;
  const dirs: Awaited<ReturnType<typeof tempDir>>[] = [];
  after(async () => {
    for (const dir of dirs) await dir.remove();
  });
  /** A project file by itself, whose own name says nothing. */
  const campus = async (): Promise<string> => {
    const dir = await tempDir();
    dirs.push(dir);
    const file = path.join(dir.path, 'campus.gns3');
    const text = await readFile('examples/labs/first-lab/first-lab.gns3', 'utf8');
    await writeFile(file, JSON.stringify({ ...(JSON.parse(text) as object), name: 'Topology' }));
    return file;
  };

  step('is sent as a folder and stands on the map in 2 gestures', async (page) => {
    const hand = handOf(page);
    await page.goto(stage.server.url);
    await page.getByText('No project yet').waitFor();
    await hand.give(page.getByRole('button', { name: 'Upload folder' }), path.resolve('examples/labs/first-lab'));
    await hand.click(page.getByRole('button', { name: 'Open first-lab' }));
    await nodeOf(page, 'PC3').waitFor();
    hand.took(2);
  });

  step('has frame and handle of a node at what is seen of its symbol, which does not fill it', async (page) => {
    const node = nodeOf(page, 'Switch1');
    // Until its picture is there, a node is as large as it is.
    await node.locator('.node-symbol img').waitFor();
    const [all, seen] = [await node.boundingBox(), await node.locator('.node-symbol').boundingBox()];
    assert.ok(all !== null && seen !== null && seen.width < all.width - 5, 'the symbol fills its node');
    await node.locator('.node-symbol').click();
    await page.locator('.lab-node.selected').waitFor();
    const outlines = await page.evaluate<string[]>(
      `['.lab-node.selected', '.lab-node.selected .node-symbol'].map((part) => getComputedStyle(document.querySelector(part)).outlineStyle)`,
    );
    assert.deepEqual(outlines, ['none', 'solid']);
    const handle = (await node.locator('.middle-handle').boundingBox()) ?? assert.fail('no handle');
    const zoom = all.width / 72;
    assert.ok(
      Math.abs(handle.x + handle.width / 2 - seen.x - seen.width - 9 * zoom) < 2,
      JSON.stringify([handle, seen]),
    );
    await page.keyboard.press('Escape');
  });

  step('is started and pinged in 3 gestures', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'Start all nodes' }));
    await nodeOf(page, 'PC1').locator('.lab-node.started').waitFor();
    await hand.doubleClick(nodeOf(page, 'PC1').locator('.node-symbol'));
    await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
    await hand.type('ping 10.0.0.3 -c 1\r');
    await waitFor(async () => (await screenText(page)).includes('icmp_seq=1 '));
    hand.took(3);
  });

  step('has the name of its file, and interrupts nobody when its console ports are taken', async (page) => {
    const other = await openTab(stage.browser);
    const hand = handOf(other.page);
    await other.page.goto(stage.server.url);
    await hand.give(other.page.getByRole('button', { name: 'Upload file' }), await campus());
    await hand.click(other.page.getByRole('button', { name: 'Open campus' }));
    await nodeOf(other.page, 'PC1').waitFor();
    await other.page.getByTestId('connection').getByText('Live').waitFor();
    hand.took(2);
    const projects = await stage.read<Listed[]>('/v2/projects');
    assert.deepEqual(projects.map(({ name }) => name).sort(), ['campus', 'first-lab']);
    const id = projects.find(({ name }) => name === 'campus')?.project_id ?? '';
    const { events } = await stage.read<{ events: { type: string }[] }>(`/v2/projects/${id}/events`);
    assert.ok(events.some(({ type }) => type === 'warning.raised'));
    for (const one of [page, other.page])
      assert.deepEqual(await one.locator(':is(.notice.warning, .notice.error)').allInnerTexts(), []);
    await other.page.getByRole('button', { name: 'Open the time line' }).click();
    await other.page.locator('.lane-labels').getByText('Warnings').waitFor();
    await settles(() => other.page.locator('.lane-labels').getByText('Failures').count(), 0);
    await other.close();
  });

  step('is neither copied nor fetched while it runs: the menu of its card says so', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('link', { name: 'All projects' }));
    await hand.click(page.getByRole('button', { name: 'More for first-lab' }));
    for (const name of ['Duplicate', 'Download'])
      await waitFor(() => page.getByRole('menuitem', { name: `${name} Stop its nodes first` }).isDisabled());
    hand.took(2);
    await page.keyboard.press('Escape');
  });
});
