import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { fitMap, nodeOf, waitFor } from './walk.ts';

describe('what is seen of the map', { skip: noBrowser, timeout: 180_000 }, () => {
  const stage = createStage('view');
  const { step, press } = stage;
  let lab = '';
  const add = async (name: string, x: number, y = 0): Promise<void> => {
    await stage.send('POST', `${lab}/nodes`, { name, node_type: 'vpcs', compute_id: 'local', x, y });
  };
  const viewOf = (page: Page): Promise<{ x: number; zoom: number }> =>
    page.evaluate(`(() => {
      const { m41: x, m11: zoom } = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform);
      return { x, zoom };
    })()`);
  const isSeen = async (page: Page, name: string): Promise<boolean> => {
    const [box, map] = [await nodeOf(page, name).boundingBox(), await page.locator('.react-flow').boundingBox()];
    if (box === null || map === null) return false;
    return (
      box.x >= map.x &&
      box.y >= map.y &&
      box.x + box.width <= map.x + map.width &&
      box.y + box.height <= map.y + map.height
    );
  };

  step('is everything, also what somebody else adds far out, until one looks elsewhere', async (page) => {
    lab = await stage.lab('wide');
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await page.getByText('Nothing is here yet').waitFor();
    await add('PC1', 3000, 2000);
    await waitFor(() => isSeen(page, 'PC1'));
    await add('PC2', -3000);
    await waitFor(() => isSeen(page, 'PC2'));
    assert.ok(await isSeen(page, 'PC1'));
    const { zoom } = await viewOf(page);
    await press('+');
    await waitFor(async () => (await viewOf(page)).zoom !== zoom);
    await add('PC3', -9000);
    await nodeOf(page, 'PC3').waitFor({ state: 'attached' });
    // The map is drawn twice before it is looked at.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assert.ok(!(await isSeen(page, 'PC3')));
  });

  step('goes slowly along with what is dragged to its edge from far away', async (page) => {
    await fitMap(page);
    assert.ok(await isSeen(page, 'PC3'));
    const map = await page.locator('.react-flow').boundingBox();
    const box = await nodeOf(page, 'PC1').boundingBox();
    assert.ok(map !== null && box !== null);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(map.x + map.width - 2, map.y + map.height / 2, { steps: 5 });
    const { before, after } = await page.evaluate<{ before: number; after: number }>(`(async () => {
      const x = () => new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).m41;
      const before = x();
      for (let n = 0; n < 20; n++) await new Promise(requestAnimationFrame);
      return { before, after: x() };
    })()`);
    await page.mouse.up();
    assert.ok(before - after > 0, 'the map does not go along');
    assert.ok(before - after < 20 * 4, `${before - after} pixels in 20 turns of the screen`);
  });
});
