import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser, openTab } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { nodeOf, settles, waitFor } from './walk.ts';

interface Placed {
  node_id: string;
  name: string;
  x: number;
  y: number;
  z: number;
  locked: boolean;
}

const SVG = '<svg width="200" height="120"><rect width="200" height="120" fill="#aabbcc"/></svg>';

describe('layers of the map', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('layers');
  const { step, press, at, pick } = stage;
  let lab = '';
  const nodes = (): Promise<Placed[]> => stage.read(`${lab}/nodes`);
  const node = async (name: string): Promise<Placed> =>
    (await nodes()).find((one) => one.name === name) ?? assert.fail(`there is no ${name}`);
  const layersOf = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await nodes()).map(({ name, z }) => [name, z]));
  const make = (name: string, x: number, z: number): Promise<Placed> =>
    stage.send('POST', `${lab}/nodes`, { name, node_type: 'vpcs', compute_id: 'local', x, y: 0, z });
  const panel = (page: Page): Locator => page.getByRole('region', { name: 'Layers' });
  const selected = (page: Page): Promise<number> => page.locator('.react-flow__node.selected').count();
  const rows = (page: Page): Promise<string[]> => panel(page).locator('.layer-name').allInnerTexts();

  step('are listed by a key, the uppermost first', async (page) => {
    lab = await stage.lab('layered');
    await make('PC1', -200, 1);
    await make('PC2', 0, 1);
    await make('PC3', 200, 4);
    await stage.send('POST', `${lab}/drawings`, { svg: SVG, x: -250, y: -40, z: -1 });
    const ids = new Map((await nodes()).map(({ name, node_id }) => [name, node_id]));
    await stage.send('POST', `${lab}/links`, {
      nodes: ['PC1', 'PC3'].map((name) => ({ node_id: ids.get(name), adapter_number: 0, port_number: 0 })),
    });
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC3').waitFor();
    await press('z');
    await panel(page).waitFor();
    await page.locator('.layer-name:focus').waitFor();
    assert.deepEqual(
      (await rows(page)).map((text) => text.replace(/\s+/g, ' ')),
      ['Layer 4 1 node', 'Layer 1 2 nodes', 'Layer -1 1 drawing'],
    );
    await stage.tab.screenshot('layers');
    await look(stage.tab, 'layers');
  });

  step('are selected as a whole, and walked through by arrows', async (page) => {
    await press('ArrowDown', 'Enter');
    await waitFor(async () => (await selected(page)) === 2);
    await page.getByRole('heading', { name: '2 nodes' }).waitFor();
    await press('k');
    await waitFor(async () => (await node('PC1')).locked && (await node('PC2')).locked);
    assert.equal((await node('PC3')).locked, false);
    await panel(page).getByRole('button', { name: 'Unlock layer 1' }).click();
    await waitFor(async () => !(await node('PC1')).locked && !(await node('PC2')).locked);
  });

  step('are hidden with their links, for oneself only; nothing is done to what is hidden', async (page) => {
    const tab = await openTab(stage.browser);
    await tab.page.goto(page.url());
    await nodeOf(tab.page, 'PC3').waitFor();
    await panel(page).getByRole('button', { name: 'Hide layer 4' }).click();
    await nodeOf(page, 'PC3').waitFor({ state: 'hidden' });
    await waitFor(async () => (await page.locator('.react-flow__edge').count()) === 0);
    assert.ok(await nodeOf(tab.page, 'PC3').isVisible());
    await tab.close();
    await press('Control+a');
    await waitFor(async () => (await selected(page)) === 3);
    await page.evaluate('document.activeElement.blur()');
    await press('ArrowRight');
    await waitFor(async () => (await node('PC1')).x === -190);
    assert.equal((await node('PC3')).x, 200);
    await panel(page).getByRole('button', { name: 'Close' }).click();
    await page.getByText('1 layer is hidden').waitFor();
    await look(stage.tab, 'a hidden layer');
    // Who looks for something of it wants to see it.
    await press('/');
    await page.getByRole('searchbox', { name: 'Name' }).fill('PC3');
    await press('Enter');
    await nodeOf(page, 'PC3').waitFor();
    await settles(() => page.getByText('1 layer is hidden').count(), 0);
  });

  step('are raised and lowered, each as a whole and as one edit', async (page) => {
    await press('Escape', 'z');
    await panel(page).getByRole('button', { name: 'Raise layer 1' }).click();
    await waitFor(async () => (await node('PC1')).z === 4);
    assert.deepEqual(await layersOf(), { PC1: 4, PC2: 4, PC3: 1 });
    await settles(() => panel(page).getByRole('button', { name: 'Raise layer 4' }).isDisabled(), true);
    await press('Control+z');
    await waitFor(async () => (await node('PC3')).z === 4);
    assert.deepEqual(await layersOf(), { PC1: 1, PC2: 1, PC3: 4 });
    await panel(page).getByRole('button', { name: 'Close' }).click();
    await panel(page).waitFor({ state: 'detached' });
    await at(/^PC3, stopped/, 'Space', 'PageUp');
    await waitFor(async () => (await node('PC3')).z === 5);
    await press('PageDown', 'PageDown');
    await waitFor(async () => (await node('PC3')).z === 3);
  });

  step('things are distributed, aligned and locked by keys, and stay where they are locked', async () => {
    await press('Escape', 'Control+a', 'Shift+V');
    await waitFor(async () => new Set((await nodes()).map(({ x }) => x)).size === 1);
    await press('Control+z');
    await waitFor(async () => new Set((await nodes()).map(({ x }) => x)).size === 3);
    const { x } = await node('PC2');
    await press('Escape');
    await at(/^PC2, stopped/, 'Space', 'k');
    await waitFor(async () => (await node('PC2')).locked);
    await press('Escape', 'Control+a', 'h');
    const middle = async (): Promise<void> => {
      const [a, b, c] = await Promise.all(['PC1', 'PC2', 'PC3'].map(node));
      assert.ok(a !== undefined && b !== undefined && c !== undefined);
      assert.equal(b.x, x);
    };
    await press('Shift+V');
    await waitFor(async () => (await node('PC1')).x === (await node('PC3')).x);
    await middle();
  });

  step('the grid is shown and snapped to by keys, for everybody, and by the menu of the map', async (page) => {
    await press('Escape', '#');
    await page.locator('.react-flow__background').waitFor();
    await press('m');
    await waitFor(async () => (await stage.read<{ snap_to_grid: boolean }>(lab)).snap_to_grid);
    await page.locator('.react-flow__pane').click({ button: 'right', position: { x: 30, y: 30 } });
    await pick('Do not snap to the grid');
    await waitFor(async () => !(await stage.read<{ snap_to_grid: boolean }>(lab)).snap_to_grid);
    await press('#');
    await page.locator('.react-flow__background').waitFor({ state: 'detached' });
  });

  step('a large lab seen from far away is drawn without its hidden layers', async (page) => {
    const steps = Array.from({ length: 300 }, (_, index) => ({
      ...{ action: 'create', type: 'node' },
      record: {
        ...{ name: `N${index}`, node_type: 'vpcs', compute_id: 'local', z: index < 150 ? 1 : 7 },
        ...{ x: (index % 30) * 200, y: 600 + Math.floor(index / 30) * 200 },
      },
    }));
    await stage.send('POST', `${lab}/batch`, { steps });
    await waitFor(async () => (await nodes()).length === 303);
    await page.reload();
    await page.locator('.far-layer').waitFor();
    await press('z');
    await panel(page).getByText('150 nodes').waitFor();
    const inked = (): Promise<number> =>
      page.evaluate<number>(`(() => {
        const canvas = document.querySelector('.far-layer');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count += 1;
        return count;
      })()`);
    await waitFor(async () => (await inked()) > 0);
    const before = await inked();
    await panel(page).getByRole('button', { name: 'Hide layer 7' }).click();
    await waitFor(async () => (await inked()) < before * 0.7);
    await panel(page)
      .getByRole('button', { name: /^Layer 1 / })
      .click();
    await page.getByRole('heading', { name: '152 nodes' }).waitFor();
    await look(stage.tab, 'layers of a large lab');
  });
});
