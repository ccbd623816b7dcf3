import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import { noBrowser } from './browser.ts';
import { showLab } from './show-lab.ts';
import { LISTEN, outlineOf, said } from './spoken.ts';
import { createStage } from './stage.ts';
import { choose, nodeOf, openConsole, settles, waitFor } from './walk.ts';

/** What those get who do not see the page: landmarks, headings, names, and what is told by itself. */
describe('the page, read aloud', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('spoken');
  const { step } = stage;
  let again: ServerProcess | null = null;
  after(async () => again?.kill('SIGTERM'));
  let lab: Awaited<ReturnType<typeof showLab>> = { at: '', ids: new Map(), links: [] };
  const act = (name: string, what: string): Promise<unknown> =>
    stage.send('POST', `${lab.at}/nodes/${lab.ids.get(name) ?? ''}/${what}`, {});
  /** Waits until all of these were told, in any order. */
  const hears = async (page: Page, ...wanted: (string | RegExp)[]): Promise<void> => {
    const heard: string[] = [];
    const isHeard = (one: string | RegExp): boolean =>
      heard.some((text) => (typeof one === 'string' ? text === one : one.test(text)));
    await waitFor(async () => {
      heard.push(...(await said(page)));
      return wanted.every(isHeard);
    }).catch(() => assert.deepEqual(heard, wanted));
  };
  /** One h1, first, and none that skips a level. */
  const inOrder = (headings: readonly [number, string][]): void => {
    assert.deepEqual(
      headings.filter(([level]) => level === 1).length,
      1,
      `headings of level 1: ${JSON.stringify(headings)}`,
    );
    assert.equal(headings[0]?.[0], 1);
    for (const [index, [level, name]] of headings.entries())
      assert.ok(level <= (headings[index - 1]?.[0] ?? 0) + 1, `${name}: ${JSON.stringify(headings)}`);
  };

  step('has landmarks and headings in the list of projects', async (page) => {
    await page.goto(stage.server.url);
    await page.getByText('No project yet').waitFor();
    const { landmarks, headings } = await outlineOf(page);
    assert.deepEqual(landmarks, ['banner', 'main', 'region "Begin here"']);
    inOrder(headings);
    await page.getByRole('button', { name: 'Catalogue' }).click();
    await page.getByText('No images yet').waitFor();
    const catalogue = await outlineOf(page);
    assert.deepEqual(catalogue.landmarks, ['banner', 'navigation "Catalogue"', 'main']);
    inOrder(catalogue.headings);
  });

  step('has landmarks and headings in a lab, with names for all of its parts', async (page) => {
    lab = await showLab(stage, 'aloud', 3, false);
    await page.getByRole('complementary', { name: 'Project' }).waitFor();
    await page.getByRole('button', { name: 'Open the time line' }).click();
    const { landmarks, headings } = await outlineOf(page);
    const first = landmarks.filter((one) => !/^region "(Used last|End devices|Switches|Routers|Firewalls)"/.test(one));
    assert.deepEqual(first, [
      'banner',
      'main',
      'region "Map of the lab. Press ? for its keys."',
      'region "Templates"',
      'complementary "Project"',
      'region "Time line"',
    ]);
    inOrder(headings);
    assert.equal(headings[0]?.[1], 'aloud');
    await page.getByRole('button', { name: 'Close the time line' }).click();
  });

  step('tells what becomes of nodes, one by one and together', async (page) => {
    await page.evaluate(LISTEN);
    await act('PC1', 'start');
    await hears(page, 'PC1: started.');
    await act('PC1', 'suspend');
    await hears(page, 'PC1: suspended.');
    await act('PC1', 'stop');
    await hears(page, 'PC1: stopped.');
    await stage.send('POST', `${lab.at}/nodes/start`, {});
    await waitFor(async () => (await page.locator('.lab-node.started').count()) === 4);
    await hears(page, /PC3/);
    await nodeOf(page, 'PC3').locator('.lab-node.started').waitFor();
    await page.getByRole('group', { name: 'PC3, started' }).or(page.locator('[aria-label="PC3, started"]')).waitFor();
  });

  step('tells what failed, and why', async (page) => {
    stage.tab.allow(/status of 409/);
    await stage.send('POST', `${lab.at}/nodes`, {
      ...{ name: 'VM', node_type: 'qemu', compute_id: 'local', x: 300, y: 150 },
      properties: { hda_disk_image: 'lacking.img', ram: 32 },
    });
    await nodeOf(page, 'VM').focus();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: '1 node failed' }).waitFor();
    await hears(page, 'VM: failed.');
    await page.keyboard.press('Escape');
  });

  step('tells notices, and edits that are undone', async (page) => {
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await nodeOf(page, 'PC1').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('button', { name: 'Undo: move PC1 (Ctrl+Z)', disabled: false }).waitFor();
    await page.keyboard.press('Control+z');
    await hears(page, /Undone: move PC1/);
  });

  step('tells work that goes on, a check and its end', async (page) => {
    await page.getByTestId('verify').click();
    await hears(page, /^Checking/, /^Verified/);
    // It is held until it was heard.
    const held: (() => void)[] = [];
    await page.route('**/nodes/stop', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.getByRole('button', { name: 'Stop all nodes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^Stop/ }).click();
    await hears(page, /Stopping/);
    for (const go of held) go();
    await page.unrouteAll({ behavior: 'wait' });
    await hears(page, /stopped\.$/);
  });

  step('tells the moment that is shown by the slider, and that of a field what is wrong', async (page) => {
    const slider = page.getByRole('slider', { name: 'Moment of the session' });
    await slider.press('ArrowLeft');
    await page.getByTestId('past').waitFor();
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /\d/);
    await slider.press('Escape');
    await page.getByTestId('past').waitFor({ state: 'hidden' });
    await nodeOf(page, 'VM').click();
    const ram = page.locator('[data-field="ram"]');
    await ram.getByRole('textbox').waitFor();
    await said(page);
    await ram.getByRole('textbox').fill('much');
    await page.keyboard.press('Enter');
    await hears(page, /whole number/);
    const by = (await ram.getByRole('textbox').getAttribute('aria-describedby')) ?? '';
    assert.match(
      await page
        .locator(
          by
            .split(' ')
            .map((id) => `[id="${id}"]`)
            .join(','),
        )
        .allInnerTexts()
        .then(String),
      /whole number/,
    );
    await settles(() => ram.getByRole('textbox').getAttribute('aria-invalid'), 'true');
    await page.keyboard.press('Escape');
  });

  step('names consoles, and tells when they connect', async (page) => {
    await act('PC1', 'start');
    await hears(page, /PC1: started\.$/);
    await openConsole(page, 'PC1');
    await page
      .getByRole('tabpanel', { name: /^PC1/ })
      .getByRole('textbox', { name: /^Console of PC1/ })
      .waitFor();
    await page.getByRole('tab', { name: /^PC1/, selected: true }).waitFor();
    await page.getByRole('button', { name: 'More for this console' }).click();
    await page.getByRole('menu').waitFor();
    await choose(page, 'Find');
    await page.getByRole('search').waitFor();
    await page.keyboard.press('Escape');
  });

  step('tells that the server is away, and that it is back', async (page) => {
    stage.tab.allow(/ERR_|WebSocket connection to .* failed/);
    await said(page);
    const { port } = new URL(stage.server.url);
    await stage.server.kill('SIGKILL');
    await hears(page, /^Connection lost/);
    again = await spawnServer(path.join(stage.dir, 'data'), ['--port', port]);
    await hears(page, 'Live');
  });
});
