import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { nodeOf, waitFor } from './walk.ts';

interface Placed {
  name?: string;
  status?: string;
  x: number;
  y: number;
  z: number;
  locked: boolean;
  /** Of a drawing. */
  svg: string;
}

/** Every function of the map, its menus and its toolbar; nothing here touches a mouse. */
describe('the map without a mouse', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('keyboard-map');
  const { step, at, press, pick } = stage;
  let lab = '';
  const drawings = (): Promise<Placed[]> => stage.read(`${lab}/drawings`);
  const nodes = (): Promise<Placed[]> => stage.read(`${lab}/nodes`);
  const drawing = async (): Promise<Placed> => (await drawings())[0] ?? assert.fail('there is no drawing');
  const node = async (name: string): Promise<Placed> =>
    (await nodes()).find((one) => one.name === name) ?? assert.fail(`there is no ${name}`);
  const places = async (): Promise<string> => JSON.stringify((await nodes()).map(({ name, x, y }) => [name, x, y]));
  /** What was moved can be undone once the page has the answer. */
  const undo = (page: Page): Promise<void> =>
    page.getByRole('button', { name: /^Undo: move/, disabled: false }).waitFor();
  const undone = (page: Page): Promise<void> =>
    page.getByRole('button', { name: /^Redo: move/, disabled: false }).waitFor();

  step('adds nodes, and a drawing', async (page) => {
    lab = await stage.lab('map');
    for (const [name, x, y] of [
      ['PC1', -250, 170],
      ['PC2', 0, 0],
      ['PC3', 100, 30],
    ] as const)
      await stage.send('POST', `${lab}/nodes`, { name, node_type: 'vpcs', compute_id: 'local', x, y });
    await page.goto(stage.server.url);
    await page.getByRole('link', { name: 'Show map' }).waitFor();
    await at(/^Show map$/, 'Enter');
    await nodeOf(page, 'PC3').waitFor();
    await at(/^Add a drawing/, 'Enter');
    await pick('Ellipse');
    await page.getByRole('application', { name: /^Drag to draw/ }).waitFor();
    await press('Enter');
    await page.locator('.react-flow__node-drawing').waitFor();
    assert.match(JSON.stringify(await drawing()), /ellipse/);
    await page.getByRole('toolbar', { name: 'Drawing' }).waitFor();
    await stage.fill(/^Width$/, '90');
    await waitFor(async () => /width="90"/.test((await drawing()).svg));
    await press('Escape');
  });

  step('moves a drawing, takes it back, locks it, changes its layer, and deletes it', async (page) => {
    const { x, z } = await drawing();
    // What was just drawn is selected.
    await at(/^Drawing$/, 'Shift+ArrowLeft');
    await waitFor(async () => (await drawing()).x < x);
    await undo(page);
    await press('Control+z');
    await waitFor(async () => (await drawing()).x === x);
    await undone(page);
    await press('Enter');
    await pick('Lock');
    await waitFor(async () => (await drawing()).locked);
    await at(/^Drawing, locked$/, 'Enter');
    await pick('Unlock');
    await waitFor(async () => !(await drawing()).locked);
    await at(/^Drawing$/, 'Enter');
    await pick('Raise');
    await waitFor(async () => (await drawing()).z === z + 1);
    await at(/^Drawing$/, 'Enter');
    await pick('Lower');
    await waitFor(async () => (await drawing()).z === z);
    await at(/^Drawing$/, 'Delete');
    await page.getByRole('dialog', { name: 'Delete 1 drawing?' }).waitFor();
    await at(/^Delete$/, 'Enter');
    await waitFor(async () => (await drawings()).length === 0);
  });

  step('arranges the selection in every way, and takes it back', async (page) => {
    const before = await places();
    for (const way of [
      'Align left',
      'Align centers',
      'Align right',
      'Align top',
      'Align middles',
      'Align bottom',
      'Distribute horizontally',
      'Distribute vertically',
      'Arrange in a circle',
    ]) {
      await at(/^PC1, stopped/, 'Control+a');
      await page.locator('.react-flow__node.selected').nth(2).waitFor();
      await at(/^Align the selection$/, 'Enter');
      await pick(way);
      await waitFor(async () => (await places()) !== before);
      await undo(page);
      await at(/^Undo: move/, 'Enter');
      await waitFor(async () => (await places()) === before);
      await undone(page);
    }
  });

  step('locks everything, and lets it go', async () => {
    await at(/^Lock everything/, 'Enter');
    await waitFor(async () => (await nodes()).every(({ locked }) => locked));
    await at(/^Unlock everything/, 'Enter');
    await waitFor(async () => (await nodes()).every(({ locked }) => !locked));
  });

  step('renames and duplicates a node', async (page) => {
    await at(/^PC3, stopped/, 'Escape', 'Enter');
    await pick('Rename');
    await page.getByRole('textbox', { name: 'Name of PC3' }).waitFor();
    await page.keyboard.type('Third');
    await press('Enter');
    await nodeOf(page, 'Third').waitFor();
    await at(/^Third, stopped/, 'Enter');
    await pick('Duplicate');
    await waitFor(async () => (await nodes()).length === 4);
  });

  step('links two nodes that are selected, suspends the link and lets it go on', async (page) => {
    const suspended = async (): Promise<boolean | undefined> =>
      (await stage.read<{ suspend: boolean }[]>(`${lab}/links`))[0]?.suspend;
    await at(/^PC1, stopped/, 'Escape', 'Space');
    await at(/^PC2, stopped/, 'Space', 'Enter');
    await pick('Link them');
    await page.locator('.react-flow__edge').waitFor({ state: 'attached' });
    await at(/^Link between/, 'Escape', 'Enter');
    await pick('Suspend');
    await waitFor(async () => (await suspended()) === true);
    await at(/^Link between .*suspended/, 'Enter');
    await pick('Resume');
    await waitFor(async () => (await suspended()) === false);
  });

  step('starts, suspends, restarts and stops nodes by menu and by key', async (page) => {
    const is = (status: string): Promise<void> => waitFor(async () => (await node('PC1')).status === status);
    await at(/^PC1, stopped/, 'Escape', 'Enter');
    await pick('Start');
    await is('started');
    await at(/^PC1, started/, 'Enter');
    await pick('Restart');
    await page.getByText('Restarting').first().waitFor({ state: 'hidden' });
    await is('started');
    await at(/^PC1, started/, 'Enter');
    await pick('Suspend');
    await is('suspended');
    await at(/^PC1, suspended/, 's');
    await is('started');
    await at(/^PC1, started/, 'x');
    await is('stopped');
    await at(/^Start all nodes$/, 'Enter');
    await waitFor(async () => (await nodes()).every(({ status }) => status === 'started'));
    await at(/^Stop all nodes$/, 'Enter');
    await page.getByRole('dialog', { name: /^Stop 4 nodes/ }).waitFor();
    await at(/^Stop$/, 'Enter');
    await waitFor(async () => (await nodes()).every(({ status }) => status === 'stopped'));
  });

  step('finds a node, looks closer, and says its keys', async (page) => {
    const view = page.locator('.react-flow__viewport');
    const scale = async (): Promise<number> =>
      Number(/scale\(([\d.]+)\)/.exec((await view.getAttribute('style')) ?? '')?.[1]);
    await at(/^Find a node/, 'Enter');
    await page.getByRole('dialog', { name: 'Find a node' }).waitFor();
    await page.keyboard.type('third');
    await press('Enter');
    await page.locator('.react-flow__node.selected').filter({ hasText: 'Third' }).waitFor();
    await at(/^Zoom to fit/, 'Enter');
    const before = await scale();
    await at(/^Zoom out/, 'Enter');
    await waitFor(async () => (await scale()) < before);
    const small = await scale();
    await at(/^Zoom in/, 'Enter');
    await waitFor(async () => (await scale()) > small);
    await at(/^Keys/, 'Enter');
    await page.getByRole('dialog', { name: 'Keys on the map' }).waitFor();
    const licences = await page
      .getByRole('link', { name: 'Licences of what this page is made of' })
      .getAttribute('href');
    const told = await page.request.get(new URL(licences ?? '', page.url()).href);
    assert.match(told.headers()['content-type'] ?? '', /^text\/plain/);
    assert.match(await told.text(), /^@novnc\/novnc \d/m);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  step('shows the history of a node, and goes to a moment of it', async (page) => {
    await at(/^PC1, stopped/, 'Escape', 'Enter');
    await pick('History');
    await page.getByRole('complementary', { name: 'History of PC1' }).waitFor();
    await page.getByRole('button', { name: 'Show this moment' }).first().waitFor();
    await at(/^Show this moment$/, 'Enter');
    await page.getByTestId('past').waitFor();
    await at(/^Back to now$/, 'Enter');
    await page.getByTestId('past').waitFor({ state: 'hidden' });
    await at(/^Close$/, 'Enter');
    await page.getByRole('complementary', { name: 'History of PC1' }).waitFor({ state: 'hidden' });
  });

  step('deletes a node with its link', async (page) => {
    await at(/^PC1, stopped/, 'Escape', 'Enter');
    await pick('Delete');
    await page.getByRole('dialog', { name: 'Delete 1 node, 1 link?' }).waitFor();
    await at(/^Delete$/, 'Enter');
    await waitFor(async () => (await nodes()).length === 3);
    assert.deepEqual(await stage.read(`${lab}/links`), []);
  });
});
