import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser, openTab, type Tab } from './browser.ts';
import { createStage } from './stage.ts';
import { nodeOf, settles, waitFor } from './walk.ts';

interface Placed {
  node_id: string;
  name: string;
  y: number;
}

/** Two people at one lab: each sees what the other does while it is done. */
describe('together at a lab', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('together');
  const { step } = stage;
  let lab = '';
  let other: Tab | null = null;
  const ada = (): Page => (other ?? assert.fail('ada has not come')).page;
  const box = async (page: Page, name: string): Promise<{ x: number; y: number; width: number; height: number }> =>
    (await nodeOf(page, name).boundingBox()) ?? assert.fail(`${name} is not seen`);
  const enter = async (page: Page): Promise<void> => {
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC2').waitFor();
  };
  /** Where its record says. */
  const recordOf = async (name: string): Promise<Placed> =>
    (await stage.read<Placed[]>(`${lab}/nodes`)).find((one) => one.name === name) ?? assert.fail(name);
  const placeOf = async (name: string): Promise<number> => (await recordOf(name)).y;

  step('begin with two people, who see that the other is there', async (page) => {
    lab = await stage.lab('together');
    for (const [name, x] of [
      ['PC1', -150],
      ['PC2', 150],
    ] as const) {
      const body = { name, node_type: 'vpcs', compute_id: 'local', x, y: 0 };
      const { node_id } = await stage.send<Placed>('POST', `${lab}/nodes`, body);
      await stage.send('POST', `${lab}/nodes/${node_id}/start`, {});
    }
    other = await openTab(stage.browser);
    await ada().addInitScript(`localStorage.setItem('topolog.name', 'ada')`);
    await page.addInitScript(`localStorage.setItem('topolog.name', 'grace')`);
    await enter(page);
    await enter(ada());
    await page.getByRole('button', { name: 'With you: ada' }).waitFor();
    await ada().getByRole('button', { name: 'With you: grace' }).waitFor();
  });

  step('see pointers with their names, at the same place of the lab', async (page) => {
    const at = await box(ada(), 'PC1');
    await ada().mouse.move(at.x + 10, at.y + 10);
    const pointer = page.locator('.other-pointer[data-name="ada"]');
    const here = await box(page, 'PC1');
    await waitFor(async () => {
      const seen = await pointer.boundingBox();
      return seen !== null && Math.abs(seen.x - here.x - 10) < 5 && Math.abs(seen.y - here.y - 10) < 5;
    });
  });

  step('see what the other has selected', async (page) => {
    const wide = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><rect width="80" height="20"/></svg>`;
    await fetch(`${stage.server.url}/v2/symbols/wide.svg/raw`, { method: 'POST', body: wide });
    await stage.send('PUT', `${lab}/nodes/${(await recordOf('PC1')).node_id}`, { symbol: 'wide.svg' });
    const symbol = nodeOf(page, 'PC1').locator('.node-symbol');
    await waitFor(async () => ((await symbol.boundingBox())?.height ?? 99) < 30);
    await nodeOf(ada(), 'PC1').click();
    const mark = page.locator('.other-selected[data-name="ada"]');
    await mark.waitFor();
    // As wide as the symbol that is seen, which does not fill its node.
    await waitFor(async () => {
      const [seen, node] = [await mark.boundingBox(), await symbol.boundingBox()];
      return (
        seen !== null &&
        node !== null &&
        (['x', 'y', 'width', 'height'] as const).every((of) => Math.abs(seen[of] - node[of]) < 2)
      );
    });
    await page.screenshot({ path: 'test-screenshots/together.png' });
    assert.deepEqual(await stage.tab.findings(), []);
    await ada().keyboard.press('Escape');
    await mark.waitFor({ state: 'detached' });
  });

  step('see dragging while it is done, before it is an event', async (page) => {
    const before = await placeOf('PC1');
    const from = await box(ada(), 'PC1');
    const was = await box(page, 'PC1');
    await ada().mouse.move(from.x + 20, from.y + 20);
    await ada().mouse.down();
    await ada().mouse.move(from.x + 60, from.y + 90, { steps: 5 });
    await waitFor(async () => {
      const [mine, hers] = [(await box(page, 'PC1')).y, (await box(ada(), 'PC1')).y];
      return mine > was.y + 30 && Math.abs(mine - hers) < 2;
    });
    assert.equal(await placeOf('PC1'), before);
    await ada().mouse.up();
    await waitFor(async () => (await placeOf('PC1')) > before);
    const at = await box(ada(), 'PC1');
    await waitFor(async () => Math.abs((await box(page, 'PC1')).y - at.y) < 2);
  });

  step('follow: what is seen, selected, and open', async (page) => {
    await page.getByRole('button', { name: 'With you: ada' }).click();
    await page.getByRole('menuitemradio', { name: 'Follow ada' }).click();
    await page.getByText('You follow ada').waitFor();
    const zoomOf = (of: Page): Promise<string> =>
      of
        .locator('.react-flow__viewport')
        .evaluate((element) => (element as unknown as { style: { transform: string } }).style.transform);
    const before = await zoomOf(page);
    await ada()
      .getByRole('button', { name: /^Zoom in/ })
      .click();
    await waitFor(async () => (await zoomOf(page)) !== before);
    await nodeOf(ada(), 'PC2').click();
    await page.locator('.react-flow__node.selected').getByText('PC2', { exact: true }).waitFor();
    await ada().keyboard.press('c');
    await page.getByRole('tab', { name: /^PC2/, selected: true }).waitFor();
    await page.getByRole('button', { name: 'Stop following' }).click();
    await page.getByText('You follow ada').waitFor({ state: 'detached' });
  });

  step('ask all to follow', async (page) => {
    await ada().getByRole('button', { name: 'With you: grace' }).click();
    await ada().getByRole('menuitemradio', { name: 'Ask all to follow you' }).click();
    // She has just stopped.
    await page.reload();
    await page.getByText('ada asks you to follow').waitFor();
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByText('You follow ada').waitFor();
    await page.screenshot({ path: 'test-screenshots/together-follow.png' });
    assert.deepEqual(await stage.tab.findings(), []);
  });

  step('leave no ghost', async (page) => {
    await ada().context().close();
    await page.getByRole('button', { name: 'With you: ada' }).waitFor({ state: 'detached' });
    await page.getByText('You follow ada').waitFor({ state: 'detached' });
    await settles(() => page.locator('.other').count(), 0);
  });
});
