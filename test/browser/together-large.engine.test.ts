import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser, openTab, type Tab } from './browser.ts';
import { createStage } from './stage.ts';
import { waitFor } from './walk.ts';

/** More than the map draws as elements from far away. */
const SIDE = 20;
const APART = 400;
/** In the middle: at the edge of the map what is dragged moves the map. */
const WHICH = 210;
const PLACE = { x: APART * (WHICH % SIDE), y: APART * Math.floor(WHICH / SIDE) };

interface Point {
  x: number;
  y: number;
}

/** Two people at a lab that is one picture for both: what one does is seen there as well. */
describe('together at a large lab', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('together-large');
  const { step } = stage;
  let lab = '';
  let other: Tab | null = null;
  let ids: string[] = [];
  const ada = (): Page => (other ?? assert.fail('ada has not come')).page;
  const enter = async (page: Page): Promise<void> => {
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await page.locator('.map.far canvas.far-layer').waitFor();
  };
  /** Where the middle of that node is on the screen, by what the map is moved and zoomed to. */
  const placeOf = (page: Page): Promise<Point & { zoom: number }> =>
    page.evaluate<Point & { zoom: number }>(`(() => {
      const box = document.querySelector('.react-flow').getBoundingClientRect();
      const { a, e, f } = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform);
      return { x: box.left + e + (${PLACE.x} + 32) * a, y: box.top + f + (${PLACE.y} + 32) * a, zoom: a };
    })()`);
  const middleOf = (box: { x: number; y: number; width: number; height: number }): Point => ({
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
  });
  const near = (a: Point, b: Point, pixels: number): boolean =>
    Math.abs(a.x - b.x) <= pixels && Math.abs(a.y - b.y) <= pixels;
  /** Of the picture around a point: whether something is drawn there. */
  const isDrawnAt = (page: Page, at: Point): Promise<boolean> =>
    page.evaluate<boolean>(`(() => {
      const canvas = document.querySelector('canvas.far-layer');
      const box = canvas.getBoundingClientRect();
      const scale = canvas.width / box.width;
      const side = 5;
      const { data } = canvas.getContext('2d')
        .getImageData((${at.x} - box.left) * scale - side, (${at.y} - box.top) * scale - side, 2 * side, 2 * side);
      return data.some((value, index) => index % 4 === 3 && value > 200);
    })()`);

  step('begin with two people in front of 400 nodes', async (page) => {
    lab = await stage.lab('large');
    for (let n = 0; n < SIDE * SIDE; n++) {
      const [x, y] = [APART * (n % SIDE), APART * Math.floor(n / SIDE)];
      const body = { name: `PC${n}`, node_type: 'vpcs', compute_id: 'local', x, y };
      ids = [...ids, (await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, body)).node_id];
    }
    other = await openTab(stage.browser);
    await ada().addInitScript(`localStorage.setItem('topolog.name', 'ada')`);
    await page.addInitScript(`localStorage.setItem('topolog.name', 'grace')`);
    await enter(page);
    await enter(ada());
    await page.getByRole('button', { name: 'With you: ada' }).waitFor();
  });

  step('see the pointer of the other, in its usual size', async (page) => {
    const hers = await placeOf(ada());
    await ada().mouse.move(hers.x, hers.y);
    const pointer = page.locator('.other-pointer[data-name="ada"]');
    await waitFor(async () => {
      const seen = await pointer.boundingBox();
      return seen !== null && near(seen, await placeOf(page), 4);
    });
    const arrow = (await pointer.locator('svg').boundingBox()) ?? assert.fail('no arrow');
    assert.ok(arrow.width > 10, `${arrow.width}`);
  });

  step('see what the other has selected, however small it is', async (page) => {
    const hers = await placeOf(ada());
    await ada().mouse.click(hers.x, hers.y);
    const mark = page.locator('.other-selected[data-name="ada"]');
    await mark.waitFor({ state: 'attached' });
    const { zoom } = await placeOf(page);
    const width = await page.evaluate<number>(
      `parseFloat(getComputedStyle(document.querySelector('.other-selected')).outlineWidth)`,
    );
    const drawn = zoom * width;
    assert.ok(drawn > 1.5 && drawn < 3, `${drawn} pixels`);
    await page.screenshot({ path: 'test-screenshots/together-large.png' });
    assert.deepEqual(await stage.tab.findings(), []);
  });

  step('see dragging while it is done, before it is an event', async (page) => {
    const [hers, from] = [await placeOf(ada()), await placeOf(page)];
    const aside = (APART / 2) * hers.zoom;
    await waitFor(() => isDrawnAt(page, from));
    await ada().mouse.move(hers.x, hers.y);
    await ada().mouse.down();
    await ada().mouse.move(hers.x - aside, hers.y + aside, { steps: 5 });
    const to = { x: from.x - (APART / 2) * from.zoom, y: from.y + (APART / 2) * from.zoom };
    await waitFor(async () => (await isDrawnAt(page, to)) && !(await isDrawnAt(page, from)));
    const mark = page.locator('.other-selected[data-name="ada"]');
    await waitFor(async () => near(middleOf((await mark.boundingBox()) ?? assert.fail('no mark')), to, 6));
    const record = await stage.read<Point>(`${lab}/nodes/${ids[WHICH] ?? ''}`);
    assert.deepEqual([record.x, record.y], [PLACE.x, PLACE.y]);
    await ada().mouse.up();
    await waitFor(async () => (await stage.read<Point>(`${lab}/nodes/${ids[WHICH] ?? ''}`)).y > PLACE.y);
    await waitFor(() => isDrawnAt(page, to));
  });
});
