import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { userLine } from '../support/users.ts';
import { noBrowser, openTab } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { choose, linkOf, nodeOf, openConsole, typeLine } from './walk.ts';

const NARROW = { width: 360, height: 740 };
const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

describe('axe finds nothing serious, light or dark,', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('axe');
  const { step } = stage;
  const see = (name: string): Promise<void> => look(stage.tab, name);
  let lab = '';
  let linkId = '';

  step('in the list of projects and its dialogs', async (page) => {
    await page.goto(stage.server.url);
    await page.getByText('No project yet').waitFor();
    await see('no project');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog').waitFor();
    await see('new project');
    await closeDialog(page);
    lab = await stage.lab('seen');
    await page.getByRole('link', { name: 'Show seen' }).waitFor();
    await see('projects');
    await page.setViewportSize(NARROW);
    await see('projects, narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'More for seen' }).click();
    await page.getByRole('menu').waitFor();
    await see('menu of a project');
    await choose(page, 'Delete');
    await page.getByLabel('Type seen to confirm').waitFor();
    await see('deleting');
    await page.getByLabel('Type seen to confirm').fill('seen');
    await see('deleting, typed');
    await closeDialog(page);
  });

  step('where one logs in', async () => {
    const dir = await tempDir();
    const users = path.join(dir.path, 'users');
    await writeFile(users, userLine('ada', 'lovelace'), { mode: 0o600 });
    const asking = await spawnServer(path.join(dir.path, 'data'), ['--users', users]);
    const tab = await openTab(stage.browser);
    try {
      // Chromium prints each request that is refused, the feed as well.
      tab.allow(/status of 401|Authentication failed/);
      await tab.page.goto(asking.url);
      await tab.page.getByLabel('User').waitFor();
      await look(tab, 'login');
      await tab.page.getByLabel('User').fill('ada');
      await tab.page.getByLabel('Password').fill('wrong');
      await tab.page.getByRole('button', { name: 'Log in' }).click();
      await tab.page.getByRole('alert').waitFor();
      await look(tab, 'login refused');
      assert.deepEqual(tab.errors(), []);
    } finally {
      await tab.close();
      await asking.kill('SIGTERM');
      await dir.remove();
    }
  });

  step('on the map of a lab that runs', async (page) => {
    const add = (name: string, x: number): Promise<{ node_id: string }> =>
      stage.send('POST', `${lab}/nodes`, { name, node_type: 'vpcs', compute_id: 'local', x, y: 0 });
    const [one, two] = [await add('PC1', -200), await add('PC2', 100)];
    await add('PC3', 300);
    const nodes = [one, two].map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    linkId = (await stage.send<{ link_id: string }>('POST', `${lab}/links`, { nodes })).link_id;
    await page.getByRole('link', { name: 'Show seen' }).click();
    await nodeOf(page, 'PC3').waitFor();
    await see('map, stopped');
    for (const { node_id } of [one, two]) await stage.send('POST', `${lab}/nodes/${node_id}/start`, {});
    await nodeOf(page, 'PC2').locator('.lab-node.started').waitFor();
    await see('map, running');
    await page.setViewportSize(NARROW);
    await see('map, narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  step('in the menus of nodes, links and the map', async (page) => {
    for (const [name, place] of [
      ['node', nodeOf(page, 'PC1')],
      ['link', linkOf(page, linkId)],
    ] as const) {
      await place.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menu').waitFor();
      await see(`menu of a ${name}`);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Align the selection' }).click();
    await page.getByRole('menu').waitFor();
    await see('menu that aligns');
    await page.keyboard.press('Escape');
  });

  step('while something is drawn, and in the bar of a drawing', async (page) => {
    await nodeOf(page, 'PC3').focus();
    await page.keyboard.press('d');
    await page.getByRole('menuitem', { name: 'Text' }).waitFor();
    await see('what can be drawn');
    await page.getByRole('menuitem', { name: 'Text' }).click();
    await page.getByRole('application', { name: /^Drag to draw/ }).waitFor();
    await see('the paper to draw on');
    await page.getByRole('application', { name: /^Drag to draw/ }).press('Enter');
    await page.getByRole('toolbar', { name: 'Drawing' }).getByRole('textbox', { name: 'Text' }).waitFor();
    await see('the bar of a text');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.react-flow__node-drawing').waitFor({ state: 'detached' });
  });

  step('in the dialogs of the map', async (page) => {
    for (const [key, name] of [
      ['Shift+L', 'New link'],
      ['i', 'Addresses'],
      ['/', 'Find a node'],
      ['?', 'Keys on the map'],
    ] as const) {
      await nodeOf(page, 'PC3').focus();
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      await see(name);
      await closeDialog(page);
    }
    await nodeOf(page, 'PC3').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    await see('deleting a node');
    await closeDialog(page);
  });

  step('in the list of nodes that could not be started', async (page) => {
    stage.tab.allow(/status of 409/);
    await page.route('**/nodes/*/start', (route) =>
      route.fulfill({ status: 409, json: { status: 409, code: 'failed', message: 'It is not installed here.' } }),
    );
    await nodeOf(page, 'PC3').focus();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: '1 node failed' }).waitFor();
    await see('failures');
    await closeDialog(page);
    await see('map with a failure');
    await page.unroute('**/nodes/*/start');
  });

  step('in the dialogs of the project', async (page) => {
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    await page.getByRole('menu').waitFor();
    await see('menu of the project');
    await choose(page, 'Fork');
    await page.getByRole('dialog', { name: 'Fork seen' }).waitFor();
    await see('Fork seen');
    await closeDialog(page);
    await page.getByTestId('lookers').click();
    await page.getByRole('dialog', { name: 'Who is looking' }).waitFor();
    await see('lookers');
    await closeDialog(page);
  });

  step('in the dock and the sheet of a link', async (page) => {
    await openConsole(page, 'PC1');
    await typeLine(page, 'ip 10.0.0.1/24', /10\.0\.0\.1/);
    await see('console');
    await page.getByRole('button', { name: 'Search in this console' }).click();
    await see('search of a console');
    await page.getByRole('button', { name: 'Search in this console' }).click();
    await linkOf(page, linkId).focus();
    await page.keyboard.press('Enter');
    await choose(page, 'Filters, traffic and capture');
    await page.getByRole('checkbox', { name: 'Delay' }).check();
    await see('filters');
    await page.getByLabel('Latency').fill('-1');
    await see('filters, one wrong');
    await page.getByRole('button', { name: 'Start capturing' }).click();
    await page.getByTestId('packet-count').waitFor();
    await page.getByRole('tab', { name: /^PC1.*recorded$/ }).click();
    await typeLine(page, 'ping 10.0.0.2 -c 1 -w 1000', /ping/);
    await page.getByRole('tab', { name: /PC1 – PC2|PC2 – PC1/ }).click();
    await page.getByRole('region', { name: 'Packets', exact: true }).getByText('ARP').first().waitFor();
    await see('packets');
    await page.getByRole('button', { name: 'Stop capturing' }).click();
    await page.getByRole('button', { name: 'Download the capture' }).waitFor();
    await see('captured');
    await page.getByRole('complementary').getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('tab', { name: /^PC1.*recorded$/ }).click();
    await page.getByRole('button', { name: 'Recordings of this console' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).first().waitFor();
    await see('recordings');
    await page.getByRole('button', { name: 'Play', exact: true }).first().click();
    await page.getByTestId('recording-time').waitFor();
    await see('recording');
  });

  step('in the history of a node, and in the past', async (page) => {
    await nodeOf(page, 'PC1').focus();
    await page.keyboard.press('Enter');
    await choose(page, 'History');
    await page.getByRole('button', { name: 'Show this moment' }).first().waitFor();
    await see('history');
    for (const name of ['What happened', 'Filter']) {
      await page.getByTitle(name, { exact: true }).click();
      await page.getByRole('region', { name, exact: true }).waitFor();
      await see(name);
    }
    await page.getByRole('slider', { name: 'Moment of the session' }).focus();
    await page.keyboard.press('Home');
    await page.getByTestId('past').waitFor();
    await page.keyboard.press('PageUp');
    await see('past');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByTestId('differences').waitFor();
    await see('compare');
    await page.setViewportSize(NARROW);
    await see('compare, narrow');
  });
});
