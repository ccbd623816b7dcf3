import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { request } from '../support/server.ts';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { nodeOf, waitFor } from './walk.ts';

interface Placed {
  node_id: string;
  name: string;
  x: number;
  y: number;
}

/** What one has done is taken back and made again without a mouse, also while others work there. */
describe('undo in the page', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('undo');
  const { step, at, press, pick } = stage;
  let lab = '';
  const nodes = (): Promise<Placed[]> => stage.read(`${lab}/nodes`);
  const node = async (name: string): Promise<Placed> =>
    (await nodes()).find((one) => one.name === name) ?? assert.fail(`there is no ${name}`);
  const make = (name: string, x: number): Promise<Placed> =>
    stage.send('POST', `${lab}/nodes`, { name, node_type: 'vpcs', compute_id: 'local', x, y: 0 });
  const button = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, disabled: false }).waitFor();
  const says = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

  step('names what is undone next, also what a script of the same person has made', async (page) => {
    lab = await stage.lab('undo');
    await make('PC1', -100);
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC1').waitFor();
    await button(page, 'Undo: create PC1 (Ctrl+Z)');
    await make('PC2', 100);
    await button(page, 'Undo: create PC2 (Ctrl+Z)');
  });

  step('undoes and redoes a move by keys, and says so', async (page) => {
    const { x } = await node('PC1');
    await at(/^PC1, stopped/, 'Escape', 'Space', 'Shift+ArrowRight');
    await waitFor(async () => (await node('PC1')).x === x + 50);
    await button(page, 'Undo: move PC1 (Ctrl+Z)');
    await press('Control+z');
    await waitFor(async () => (await node('PC1')).x === x);
    await says(page, 'Undone: move PC1');
    await button(page, 'Redo: move PC1 (Ctrl+Y)');
    await press('Control+Shift+z');
    await waitFor(async () => (await node('PC1')).x === x + 50);
    await says(page, 'Redone: move PC1');
    await button(page, 'Undo: move PC1 (Ctrl+Z)');
    await press('Control+z');
    await waitFor(async () => (await node('PC1')).x === x);
    await button(page, 'Redo: move PC1 (Ctrl+Y)');
    await press('Control+y');
    await waitFor(async () => (await node('PC1')).x === x + 50);
  });

  step('leaves what somebody else has changed, says who, and goes on with the edit before', async (page) => {
    const { node_id, x } = await node('PC1');
    const bob = { 'X-Topolog-User': 'bob' };
    const moved = await request(stage.server.url, 'PUT', `${lab}/nodes/${node_id}`, { x: x + 7 }, bob);
    assert.equal(moved.status, 200);
    stage.tab.allow(/409 \(Conflict\)/);
    await button(page, 'Undo: move PC1 (Ctrl+Z)');
    await at(/^PC1, stopped/, 'Control+z');
    await says(page, 'nothing is left to undo: x of PC1 was changed by bob since');
    assert.equal((await node('PC1')).x, x + 7);
    await button(page, 'Undo: create PC2 (Ctrl+Z)');
    await press('Control+z');
    await waitFor(async () => (await nodes()).length === 1);
  });

  step('redoes and undoes one out of the menu of the last edits', async (page) => {
    await button(page, 'Redo: create PC2 (Ctrl+Y)');
    await at(/^Your last edits$/, 'Enter');
    await page.getByRole('menuitem', { name: /^Redo: create PC2/ }).waitFor();
    await press('Enter');
    await waitFor(async () => (await nodes()).length === 2);
    await nodeOf(page, 'PC2').waitFor();
  });

  step('deletes a node with its link, and has both again', async (page) => {
    const ends = (await nodes()).map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await stage.send('POST', `${lab}/links`, { nodes: ends });
    await page.locator('.react-flow__edge').waitFor({ state: 'attached' });
    await at(/^PC2, stopped/, 'Escape', 'Space', 'Delete');
    await at(/^Delete$/, 'Enter');
    await waitFor(async () => (await nodes()).length === 1);
    await button(page, 'Undo: delete PC2 (Ctrl+Z)');
    await at(/^PC1, stopped/, 'Control+z');
    await waitFor(async () => (await stage.read<unknown[]>(`${lab}/links`)).length === 1);
    assert.equal((await nodes()).length, 2);
    await nodeOf(page, 'PC2').waitFor();
  });

  step('restores a node out of its history, after a look at what changes', async (page) => {
    await at(/^PC1, stopped/, 'Escape', 'Enter');
    await pick('History');
    const sheet = page.getByRole('complementary', { name: 'History of PC1' });
    await sheet.getByText('added PC1').waitFor();
    await sheet.getByRole('listitem').last().getByRole('button', { name: 'Restore this …' }).focus();
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Restore PC1 as it was at/ });
    await dialog.getByText('PC1 changes').waitFor();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).focus();
    await press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await waitFor(async () => (await node('PC1')).x === -100);
    await button(page, 'Undo: move PC1 (Ctrl+Z)');
    assert.deepEqual(await stage.tab.findings(), []);
  });
});
