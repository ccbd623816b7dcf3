import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from '../browser.ts';
import { createLooks } from '../look.ts';
import { createStage } from '../stage.ts';
import { choose, linkOf, nodeOf } from '../walk.ts';

const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

describe('the views of a map, at every size, light and dark,', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('axe-map');
  const { step } = stage;
  const { see, end } = createLooks(stage);
  let lab = '';
  let linkId = '';
  const add = (name: string, node_type: string, x: number, properties: object = {}): Promise<{ node_id: string }> =>
    stage.send('POST', `${lab}/nodes`, { name, node_type, compute_id: 'local', x, y: 0, properties });

  step('empty, with its samples', async (page) => {
    lab = await stage.lab('seen');
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await page.getByText('Nothing is here yet').waitFor();
    await page.getByText('Or open a sample lab').click();
    await page.getByText('Three PCs, a switch and a hub').waitFor();
    await see('an empty map');
  });

  step('small: stopped, running, with a failure', async (page) => {
    const [one, two] = [await add('PC1', 'vpcs', -200), await add('PC2', 'vpcs', 100)];
    await add('VM1', 'qemu', 300, { engine: 'simulated' });
    await add('SW1', 'ethernet_switch', 500);
    const nodes = [one, two].map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    linkId = (await stage.send<{ link_id: string }>('POST', `${lab}/links`, { nodes })).link_id;
    await nodeOf(page, 'SW1').waitFor();
    await see('map, stopped');
    for (const { node_id } of [one, two]) await stage.send('POST', `${lab}/nodes/${node_id}/start`, {});
    await nodeOf(page, 'PC2').locator('.lab-node.started').waitFor();
    stage.tab.allow(/status of 409/);
    await page.route('**/nodes/*/start', (route) =>
      route.fulfill({ status: 409, json: { status: 409, code: 'failed', message: 'It is not installed here.' } }),
    );
    await nodeOf(page, 'VM1').focus();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: '1 node failed' }).waitFor();
    await see('failures');
    await closeDialog(page);
    await page.unroute('**/nodes/*/start');
  });

  step('in the inspector, for each sort of what is selected', async (page) => {
    for (const name of ['PC1', 'VM1', 'SW1']) {
      await nodeOf(page, name).click();
      await page.getByRole('complementary', { name }).getByRole('textbox').first().waitFor();
      await see(`the form of ${name}`);
    }
    await page.keyboard.press('Control+a');
    await page.getByRole('complementary', { name: '4 nodes' }).waitFor();
    await see('the form of four nodes');
    await page.getByRole('button', { name: 'Align the selection' }).click();
    await page.getByRole('menu').waitFor();
    await see('the menu that aligns');
    await page.keyboard.press('Escape');
    await linkOf(page, linkId).focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await see('the menu of a link');
    await choose(page, 'Filters, traffic and capture');
    await page.getByRole('checkbox', { name: 'Delay' }).check();
    await page.getByLabel('Latency').fill('-1');
    await see('a link with a wrong filter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    await choose(page, 'Settings');
    await page.getByRole('complementary', { name: 'Project' }).waitFor();
    await see('the form of the project');
    await page.keyboard.press('Escape');
  });

  step('while something is drawn, and in the bar of a drawing', async (page) => {
    await nodeOf(page, 'PC1').focus();
    await page.keyboard.press('d');
    await choose(page, 'Text');
    const paper = page.getByRole('application', { name: /^Drag to draw/ });
    await paper.waitFor();
    await see('the paper to draw on');
    await paper.press('Enter');
    await page.getByRole('toolbar', { name: 'Drawing' }).getByRole('textbox', { name: 'Text' }).waitFor();
    await see('the bar of a text');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.react-flow__node-drawing').waitFor({ state: 'detached' });
  });

  end();
});
