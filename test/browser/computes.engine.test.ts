import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { noBrowser } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { focusedName, nodeOf, settles, waitFor } from './walk.ts';

interface Found {
  node_id: string;
  name: string;
  compute_id: string;
  status: string;
}

describe('computes on the page', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('computes');
  const { step, press, at, pick, fill } = stage;
  let dir: Awaited<ReturnType<typeof tempDir>> | null = null;
  let other: ServerProcess | null = null;
  let lab = '';

  before(async () => {
    dir = await tempDir();
    other = await spawnServer(path.join(dir.path, 'other'));
  });
  after(async () => {
    await other?.kill('SIGTERM');
    await dir?.remove();
  });

  const cardOf = (page: Page, name: string): Locator =>
    page.locator('.compute-card').filter({ has: page.getByRole('heading', { name, exact: true }) });
  const nodes = (): Promise<Found[]> => stage.read(`${lab}/nodes`);
  const placeOf = async (name: string): Promise<string | undefined> =>
    (await nodes()).find((node) => node.name === name)?.compute_id;
  const rack = async (): Promise<string> => {
    const computes = await stage.read<{ compute_id: string; name: string }[]>('/v2/computes');
    return computes.find(({ name }) => name === 'rack')?.compute_id ?? assert.fail('there is no rack');
  };
  const closed = (page: Page): Promise<void> => page.getByRole('dialog').waitFor({ state: 'hidden' });

  step('are added from the list of projects, by the keyboard', async (page) => {
    await page.goto(stage.server.url);
    await page.getByText('No project yet').waitFor();
    await at(/^Computes$/, 'Enter');
    await cardOf(page, 'This server').getByText('connected').waitFor();
    assert.equal(await focusedName(page), 'Add a compute');
    await look(stage.tab, 'computes, one');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Add a compute' }).waitFor();
    await look(stage.tab, 'adding a compute');
    const { hostname, port } = new URL(other?.url ?? '');
    await fill(/^Host$/, hostname);
    await fill(/^Port$/, port);
    await fill(/^Name$/, 'rack');
    await press('Enter');
    await cardOf(page, 'rack').getByText('connected').waitFor();
    await cardOf(page, 'rack').getByText('No node of any project is there.').waitFor();
    await cardOf(page, 'rack').locator('summary').click();
    await cardOf(page, 'rack').getByRole('list', { name: 'There' }).waitFor();
    await look(stage.tab, 'computes, two');
    await press('Escape');
    await closed(page);
  });

  step('take new nodes, where the project or the dialog says', async (page) => {
    lab = await stage.lab('spread');
    await page.getByRole('link', { name: 'Show spread' }).click();
    await page.getByText('Nothing is here yet').waitFor();
    await at(/^Project$/, 'Enter');
    await pick('Settings');
    await page.getByLabel('New nodes go to').selectOption({ label: 'rack' });
    await waitFor(async () => (await stage.read<{ default_compute: string }>(lab)).default_compute === (await rack()));
    const where = page.getByLabel('Where');
    await settles(() => where.inputValue(), await rack());
    await look(stage.tab, 'adding a node');
    await page
      .getByRole('button', { name: /^VPCS|Simple PC/i })
      .first()
      .click();
    await nodeOf(page, 'PC1').waitFor();
    await where.selectOption({ label: 'This server' });
    await page
      .getByRole('button', { name: /^VPCS|Simple PC/i })
      .first()
      .click();
    await nodeOf(page, 'PC2').waitFor();
    assert.deepEqual([await placeOf('PC1'), await placeOf('PC2')], [await rack(), 'local']);
  });

  step('are shown on the map as colours with names, when that is asked for', async (page) => {
    await page.locator('[aria-label="PC1, stopped, on rack"]').waitFor();
    await at(/^Show on which compute each node is$/, 'Enter');
    await nodeOf(page, 'PC1').locator('.node-place').getByText('rack').waitFor();
    const frames = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.compute-frame')].map((one) => getComputedStyle(one).borderTopColor)`,
    );
    assert.equal(new Set(frames).size, 2);
    await look(stage.tab, 'map with computes');
    const legend = page.getByRole('region', { name: 'Computes on the map' });
    await legend.getByRole('button', { name: 'This server 1 node' }).click();
    await nodeOf(page, 'PC2').locator('.lab-node.selected').waitFor();
  });

  step('take nodes that are put there, one or many', async (page) => {
    await nodeOf(page, 'PC2').focus();
    await press('Enter');
    await pick('Put on another machine …');
    await page.getByText('Now on: This server.').waitFor();
    await page.getByLabel('Where to').selectOption({ label: 'rack' });
    await look(stage.tab, 'moving');
    await page.getByRole('button', { name: 'Put there' }).click();
    await closed(page);
    assert.equal(await placeOf('PC2'), await rack());
    for (const { node_id } of await nodes()) await stage.send('POST', `${lab}/nodes/${node_id}/start`, {});
    await nodeOf(page, 'PC2').locator('.lab-node.started').waitFor();
    await nodeOf(page, 'PC2').focus();
    await press('Control+a', 'Enter');
    await pick('Put on another machine …');
    await page.getByLabel('Where to').selectOption({ label: 'This server' });
    await page.getByRole('button', { name: 'Put there' }).click();
    await page.getByText('No node was moved, 2 nodes stayed.').waitFor();
    await look(stage.tab, 'not moved');
    await press('Enter');
    await closed(page);
  });

  step('are emptied, with what runs there', async (page) => {
    await at(/^Project$/, 'Enter');
    await pick('Computes');
    await cardOf(page, 'rack').getByText('2 nodes of all projects are there, 2 run.').waitFor();
    await cardOf(page, 'rack')
      .getByRole('button', { name: /^Empty/ })
      .click();
    await page.getByLabel(/^Also the 2 that run/).check();
    await look(stage.tab, 'emptying');
    await page.getByRole('button', { name: 'Empty it' }).click();
    await page.getByText('2 nodes moved.').waitFor();
    await look(stage.tab, 'emptied');
    await press('Enter');
    await cardOf(page, 'rack').getByText('No node of any project is there.').waitFor();
    await press('Escape');
    await closed(page);
    assert.deepEqual(
      (await nodes()).map(({ compute_id, status }) => `${compute_id} ${status}`),
      ['local started', 'local started'],
    );
  });

  step('that are away leave their nodes as they were, and say why nothing can be asked of them', async (page) => {
    const id = (await nodes()).find(({ name }) => name === 'PC1')?.node_id ?? '';
    await stage.send('POST', `${lab}/nodes/move`, { to: await rack(), nodes: [id], restart: true });
    await nodeOf(page, 'PC1').locator('.node-place').getByText('rack').waitFor();
    await nodeOf(page, 'PC1').locator('.lab-node.started').waitFor();
    const ends = (await nodes()).map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await stage.send('POST', `${lab}/links`, { nodes: ends });
    await other?.kill('SIGKILL');
    await nodeOf(page, 'PC1').getByText('unreachable').waitFor();
    await settles(() => nodeOf(page, 'PC1').locator('.lab-node.started.unreachable').count(), 1);
    await page.getByTestId('counts').getByText('unreachable').waitFor({ state: 'attached' });
    await look(stage.tab, 'map with an unreachable node');
    await at(/^Link between/, 'Escape', 'Enter');
    await pick('Filters, traffic and capture');
    await page.getByText(/^PC1 is unreachable: \S.* Until it is back, this link stays as it is\.$/).waitFor();
    for (const name of ['Start capturing', 'Apply', 'Remove all'])
      assert.ok(await page.getByRole('button', { name }).isDisabled(), name);
    assert.ok(await page.getByRole('checkbox', { name: 'Delay' }).isDisabled());
    await look(stage.tab, 'link to an unreachable node');
    await nodeOf(page, 'PC1').focus();
    await press('Escape', 'Enter');
    await page.getByRole('menuitem', { name: /^Why it is unreachable/ }).waitFor();
    assert.ok(await page.getByRole('menuitem', { name: 'Stop' }).isDisabled());
    await look(stage.tab, 'menu of an unreachable node');
    await press('Enter');
    await cardOf(page, 'rack').getByText('away').first().waitFor();
    await look(stage.tab, 'computes, one away');
  });

  step('are removed, after it is said what that stops', async (page) => {
    await cardOf(page, 'rack')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await page.getByText(/it ran 1 node: PC1 \(spread\)/).waitFor();
    await look(stage.tab, 'removing');
    await page.getByRole('button', { name: 'Remove it' }).click();
    await cardOf(page, 'rack').waitFor({ state: 'hidden' });
    await press('Escape');
    await nodeOf(page, 'PC1').locator('.lab-node.stopped').waitFor();
  });
});
