import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser, openTab } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { fitMap, nodeOf, settles, waitFor } from './walk.ts';

interface Placed {
  node_id: string;
  name: string;
  x: number;
  y: number;
}
interface Group {
  name: string;
  collapsed: boolean;
  nodes: string[];
}

const middleOf = async (what: Locator): Promise<{ x: number; y: number }> => {
  const box = (await what.boundingBox()) ?? assert.fail('it is not to be seen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
const drag = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
};
const symbolOf = (page: Page): Locator => page.locator('.group-symbol');
const frameOf = (page: Page, name: string): Locator =>
  page.locator('.react-flow__node-frame').filter({ has: page.getByText(name, { exact: true }) });

/** Nodes are put together by keys and by hand, and everybody sees it. */
describe('groups on the map', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('groups');
  const { step, at, press, pick, fill } = stage;
  let lab = '';
  let other: Page;
  const nodes = (): Promise<Placed[]> => stage.read(`${lab}/nodes`);
  const node = async (name: string): Promise<Placed> =>
    (await nodes()).find((one) => one.name === name) ?? assert.fail(`there is no ${name}`);
  const make = (name: string, node_type: string, x: number, y: number): Promise<Placed> =>
    stage.send('POST', `${lab}/nodes`, { name, node_type, compute_id: 'local', x, y });
  /** Name, whether it is collapsed, and the names of its nodes. */
  const groups = async (): Promise<string[]> => {
    const all = await nodes();
    const { groups: found } = await stage.read<{ groups: Group[] }>(lab);
    const nameOf = (id: string): string => all.find(({ node_id }) => node_id === id)?.name ?? id;
    return found.map(
      ({ name, collapsed, nodes: ids }) =>
        `${name}${collapsed ? ', collapsed' : ''}: ${ids.map(nameOf).sort().join(' ')}`,
    );
  };
  /** Of the collapsed one. */
  const members = async (): Promise<Placed[]> => {
    const { groups: found } = await stage.read<{ groups: Group[] }>(lab);
    const ids = found.find(({ collapsed }) => collapsed)?.nodes ?? [];
    return (await nodes()).filter(({ node_id }) => ids.includes(node_id));
  };
  const groupsAre = (...wanted: string[]): Promise<void> =>
    waitFor(async () => (await groups()).join('; ') === wanted.join('; ')).catch(async () =>
      assert.deepEqual(await groups(), wanted),
    );

  step('makes one of the selected nodes by keys; another page sees it', async (page) => {
    // An edit that another one has overtaken is tried again.
    stage.tab.allow(/status of 412/);
    lab = await stage.lab('groups');
    await make('PC1', 'vpcs', -200, 0);
    await make('PC2', 'vpcs', 0, 0);
    await make('PC3', 'vpcs', 300, 0);
    await make('SW', 'ethernet_switch', 300, 200);
    const ids = new Map((await nodes()).map(({ name, node_id }) => [name, node_id]));
    for (const [index, name] of ['PC1', 'PC2', 'PC3'].entries())
      await stage.send('POST', `${lab}/links`, {
        nodes: [
          { node_id: ids.get(name), adapter_number: 0, port_number: 0 },
          { node_id: ids.get('SW'), adapter_number: 0, port_number: index },
        ],
      });
    const where = `${stage.server.url}/#${lab.replace('/v2', '')}`;
    await page.goto(where);
    await nodeOf(page, 'PC3').waitFor();
    other = (await openTab(stage.browser)).page;
    await other.goto(where);
    await nodeOf(other, 'PC3').waitFor();
    await at(/^PC1, stopped/, 'Space');
    await at(/^PC2, stopped/, 'Space', 'g');
    await page.getByRole('dialog', { name: 'New group' }).waitFor();
    await settles(() => page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Group 1');
    await fill(/^Name$/, 'Access');
    await press('Enter');
    await groupsAre('Access: PC1 PC2');
    await frameOf(other, 'Access').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  step('takes in what is dragged into it, and lets go what is dragged out', async (page) => {
    await press('Escape');
    const frame = (await frameOf(page, 'Access').boundingBox()) ?? assert.fail('no frame');
    const far = await middleOf(nodeOf(page, 'PC3').locator('.node-symbol'));
    await drag(page, far, { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 });
    await groupsAre('Access: PC1 PC2 PC3');
    await drag(page, await middleOf(nodeOf(page, 'PC3').locator('.node-symbol')), far);
    await groupsAre('Access: PC1 PC2');
  });

  step('moves all of its nodes by its head, as one edit', async (page) => {
    await frameOf(page, 'Access').locator('.group-name').click();
    await page.getByRole('heading', { name: '2 nodes' }).waitFor();
    await press('Escape');
    const before = await Promise.all(['PC1', 'PC2', 'PC3'].map(node));
    const from = await middleOf(frameOf(page, 'Access').locator('.group-name'));
    await drag(page, from, { x: from.x, y: from.y + 60 });
    await waitFor(async () => (await node('PC1')).y > (before[0]?.y ?? 0) + 20);
    const after = await Promise.all(['PC1', 'PC2', 'PC3'].map(node));
    const by = after.map(({ x, y }, index) => [x - (before[index]?.x ?? 0), y - (before[index]?.y ?? 0)]);
    assert.deepEqual(by[0], by[1]);
    assert.deepEqual(by[2], [0, 0]);
    await groupsAre('Access: PC1 PC2');
    await page.getByRole('button', { name: 'Undo: move PC1, PC2 (Ctrl+Z)', disabled: false }).waitFor();
    await press('Control+z');
    await waitFor(async () => (await node('PC1')).y === before[0]?.y && (await node('PC2')).y === before[1]?.y);
  });

  step('collapses to one symbol, at which its links end, for everybody', async (page) => {
    await at(/^Group Access, 2 nodes, stopped/, 'f');
    await groupsAre('Access, collapsed: PC1 PC2');
    for (const one of [page, other]) {
      await nodeOf(one, 'PC1').waitFor({ state: 'hidden' });
      await one.locator('.group-symbol').getByText('2', { exact: true }).waitFor();
      await waitFor(async () => (await one.locator('.react-flow__edge').count()) === 3);
    }
    await stage.tab.screenshot('groups-collapsed');
    await look(stage.tab, 'a collapsed group');
    await stage.send('POST', `${lab}/nodes/${(await node('PC1')).node_id}/start`);
    await at(/^Group Access, 2 nodes, collapsed, stopped/, 's');
    await waitFor(
      async () =>
        (await stage.read<{ status: string }>(`${lab}/nodes/${(await node('PC2')).node_id}`)).status === 'started',
    );
    await page.locator('.react-flow__node[aria-label="Group Access, 2 nodes, collapsed, started"]').waitFor();
  });

  step('is renamed by a double click, and expanded by its button', async (page) => {
    const symbol = await middleOf(page.locator('.group-total'));
    await page.mouse.dblclick(symbol.x, symbol.y);
    await page.getByRole('dialog', { name: 'Group Access' }).waitFor();
    await fill(/^Name$/, 'Hosts');
    await press('Enter');
    await groupsAre('Hosts, collapsed: PC1 PC2');
    await page.getByRole('button', { name: 'Expand Hosts' }).click();
    await groupsAre('Hosts: PC1 PC2');
    await nodeOf(page, 'PC1').waitFor();
    await stage.tab.screenshot('groups-expanded');
    await look(stage.tab, 'a group');
  });

  step('is copied with its nodes, and ungrouped by its menu; that is undone', async (page) => {
    await press('Escape');
    // A node without a start-up script.
    stage.tab.allow(/404 \(Not Found\).*startup/);
    await at(/^Group Hosts, 2 nodes, started/, 'Space', 'Control+d');
    await waitFor(async () => (await groups()).length === 2);
    assert.deepEqual(
      (await groups()).map((one) => one.split(':')[1]?.trim().split(' ').length),
      [2, 2],
    );
    await press('Escape');
    await at(/^Group Hosts, 2 nodes, started/, 'Enter');
    await pick('Ungroup');
    await waitFor(async () => (await groups()).length === 1);
    await page.getByRole('button', { name: 'Undo: change the project settings (Ctrl+Z)', disabled: false }).waitFor();
    await press('Control+z');
    await waitFor(async () => (await groups()).length === 2);
    await waitFor(async () => (await other.locator('.group-frame').count()) === 2);
  });

  step('collapsed ones are aligned as one', async (page) => {
    await press('Escape');
    await at(/^Group Hosts, 2 nodes, stopped/, 'f');
    await symbolOf(page).waitFor();
    const before = await members();
    assert.equal(before.length, 2);
    await press('Escape');
    await at(/^Group Hosts, 2 nodes, collapsed, stopped/, 'Space');
    await at(/^SW, /, 'Space', 'Shift+H');
    await waitFor(async () => (await members())[0]?.y !== before[0]?.y);
    const moves = (await members()).map(({ x, y }, index) => [
      x - (before[index]?.x ?? 0),
      y - (before[index]?.y ?? 0),
    ]);
    assert.deepEqual(moves[0], moves[1]);
    assert.equal(moves[0]?.[0], 0);
    await press('Control+z');
    await waitFor(async () => JSON.stringify(await members()) === JSON.stringify(before));
  });

  step('the inside of a collapsed one is arranged when nothing else is selected', async (page) => {
    await press('Escape');
    const apart = async (): Promise<string> => {
      const [one, second] = await members();
      return `${(second?.x ?? 0) - (one?.x ?? 0)} ${(second?.y ?? 0) - (one?.y ?? 0)}`;
    };
    const [before, outside] = [await apart(), JSON.stringify(await node('SW'))];
    await at(/^Group Hosts, 2 nodes, collapsed, stopped/, 'Enter');
    await pick('Arrange automatically …');
    await page.getByText('Inside Hosts: 2 nodes').waitFor();
    await page.getByRole('region', { name: 'Layout' }).getByRole('button', { name: 'Apply' }).click();
    await waitFor(async () => (await apart()) !== before);
    assert.equal(JSON.stringify(await node('SW')), outside);
    await press('Control+z');
    await waitFor(async () => (await apart()) === before);
    await waitFor(() => page.getByRole('button', { name: /^Redo/ }).isEnabled());
  });

  step('a link to a collapsed one asks for the node', async (page) => {
    await press('Escape');
    const links = async (): Promise<number> => (await stage.read<unknown[]>(`${lab}/links`)).length;
    assert.equal(await links(), 3);
    await fitMap(page);
    await nodeOf(page, 'SW').locator('.node-symbol').hover();
    await nodeOf(page, 'SW').locator('.middle-handle').hover();
    await page.mouse.down();
    const to = await middleOf(symbolOf(page));
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.mouse.up();
    await page.getByRole('dialog', { name: 'New link' }).waitFor();
    await settles(() => page.getByLabel('To', { exact: true }).locator('option').count(), 2);
    await look(stage.tab, 'a link to a group');
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await waitFor(async () => (await links()) === 4);
    // By keys: the group and another node are selected.
    await press('Escape');
    await at(/^Group Hosts, 2 nodes, collapsed, stopped/, 'Space');
    await at(/^SW, /, 'Space', 'l');
    await page.getByRole('dialog', { name: 'New link' }).waitFor();
    await settles(() => page.getByLabel('To', { exact: true }).locator('option').count(), 1);
    await press('Escape');
  });

  step('collapsed ones are deleted, brought back and copied, each as one edit', async (page) => {
    await press('Escape');
    const count = (await nodes()).length;
    const redo = page.getByRole('button', { name: /^Redo/ });
    await at(/^Group Hosts, 2 nodes, collapsed, stopped/, 'Space', 'Delete');
    await page.getByRole('dialog', { name: 'Delete 2 nodes, 1 link?' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await waitFor(async () => (await nodes()).length === count - 2);
    await symbolOf(page).waitFor({ state: 'detached' });
    await press('Control+z');
    await waitFor(async () => (await nodes()).length === count);
    await symbolOf(page).waitFor();
    await waitFor(() => redo.isEnabled());
    await press('Escape');
    await at(/^Group Hosts, 2 nodes, collapsed, stopped/, 'Space', 'Control+c', 'Control+v');
    await waitFor(async () => (await nodes()).length === count + 2);
    await waitFor(async () => (await page.locator('.group-symbol').count()) === 2);
    // Who edits goes on from here.
    await waitFor(() => redo.isDisabled());
    await page.getByRole('button', { name: /^Undo: create / }).waitFor();
    await press('Control+z');
    await waitFor(async () => (await nodes()).length === count && (await groups()).length === 2);
  });
});
