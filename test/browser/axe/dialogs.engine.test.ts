import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from '../browser.ts';
import { createLooks } from '../look.ts';
import { createStage } from '../stage.ts';
import { choose, nodeOf, waitFor } from '../walk.ts';

const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

describe('the dialogs of a map, at every size, light and dark,', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('axe-dialogs');
  const { step } = stage;
  const { see, end } = createLooks(stage);
  let lab = '';
  const mapMenu = async (page: Page, item: string): Promise<void> => {
    await page.locator('.react-flow__pane').click({ button: 'right', position: { x: 90, y: 20 } });
    await choose(page, item);
  };

  step('begin with two nodes', async (page) => {
    lab = await stage.lab('seen');
    for (const [n, name] of ['PC1', 'PC2'].entries())
      await stage.send('POST', `${lab}/nodes`, { name, node_type: 'vpcs', compute_id: 'local', x: 200 * n, y: 0 });
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC2').waitFor();
  });

  step('in the dialogs of the map', async (page) => {
    for (const [key, name] of [
      ['Shift+L', 'New link'],
      ['i', 'Addresses'],
      ['/', 'Find a node'],
      ['?', 'Keys on the map'],
      ['g', 'New group'],
    ] as const) {
      await nodeOf(page, 'PC1').click();
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      await see(name);
      await closeDialog(page);
    }
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    await see('deleting a node');
    await closeDialog(page);
    await nodeOf(page, 'PC1').click({ button: 'right' });
    await see('the menu of a node');
    await choose(page, 'Put on another machine …');
    await page.getByRole('dialog').waitFor();
    await see('putting a node elsewhere');
    await closeDialog(page);
    await mapMenu(page, 'Arrange automatically …');
    await page.getByRole('region', { name: 'Layout' }).getByText('2 nodes').waitFor();
    await see('a layout');
    await page.keyboard.press('Escape');
    await mapMenu(page, 'Export …');
    await page.getByRole('menu').waitFor();
    await see('export');
    await page.keyboard.press('Escape');
  });

  step('in the dialogs of the project', async (page) => {
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    await page.getByRole('menu').waitFor();
    await see('the menu of the project');
    await choose(page, 'Snapshots');
    const dialog = page.getByRole('dialog', { name: 'Snapshots' });
    await dialog.getByLabel('Name of the snapshot').fill('before');
    await page.keyboard.press('Enter');
    await dialog.getByRole('listitem').filter({ hasText: 'before' }).waitFor();
    await see('snapshots');
    await closeDialog(page);
    await page.getByTestId('lookers').click();
    await page.getByRole('dialog', { name: 'Who is looking' }).waitFor();
    await see('who is looking');
    await closeDialog(page);
  });

  step('with a notice', async (page) => {
    await nodeOf(page, 'PC1').focus();
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Dismiss' }).first().waitFor();
    await see('a notice');
  });

  step('large, from far away', async (page) => {
    lab = await stage.lab('large');
    const steps = Array.from({ length: 300 }, (_, n) => ({
      ...{ action: 'create', type: 'node' },
      record: { name: `N${n}`, node_type: 'vpcs', compute_id: 'local', x: (n % 25) * 150, y: Math.floor(n / 25) * 150 },
    }));
    await stage.send('POST', `${lab}/batch`, { steps });
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await waitFor(async () => (await page.getByTestId('counts').innerText()).includes('300'));
    await page.locator('.map.far').waitFor();
    await see('a large lab');
  });

  end();
});
