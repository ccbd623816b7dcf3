import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { freePort } from '../../support/free-port.ts';
import { type RfbServer, startRfbServer } from '../../support/rfb-server.ts';
import { noBrowser } from '../browser.ts';
import { createLooks } from '../look.ts';
import { createStage } from '../stage.ts';
import { choose, nodeOf } from '../walk.ts';

const NOTES = `# Campus

Two *access* switches and a **core**. See [the plan](https://example.org/plan).

- [ ] Give PC1 its address
- [x] Cable the core

| Node | Address |
| ---- | ------- |
| PC1 | \`10.0.0.1/24\` |

> Ask before you change the core.

    show ip route
`;

describe('notes, layers and screens, at every size, light and dark,', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('axe-notes');
  const { step, press } = stage;
  const { see, end } = createLooks(stage);
  let lab = '';
  let screen: RfbServer | null = null;
  after(() => screen?.close());
  const front = (page: Page) => page.locator('.panel:not([hidden])');

  step('with notes, empty, read and written', async (page) => {
    lab = await stage.lab('noted');
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await page.getByText('Nothing is here yet').waitFor();
    await press('n');
    await page.getByText('Nothing is written here yet').waitFor();
    await see('no notes');
    assert.equal(
      (await fetch(`${stage.server.url}${lab}/files/README.txt`, { method: 'POST', body: NOTES })).status,
      201,
    );
    await front(page).getByRole('heading', { name: 'Campus' }).waitFor();
    await see('notes');
    await front(page).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Notes in Markdown' }).waitFor();
    await see('notes that are written');
    await page.getByRole('button', { name: 'Close this tab' }).click();
  });

  step('with layers, some of them hidden and locked', async (page) => {
    for (const [n, z] of [0, 1, 3].entries())
      await stage.send('POST', `${lab}/nodes`, {
        name: `PC${n}`,
        node_type: 'vpcs',
        compute_id: 'local',
        x: 150 * n,
        y: 0,
        z,
      });
    await nodeOf(page, 'PC2').waitFor();
    await press('z');
    const layers = page.getByRole('region', { name: 'Layers' });
    await layers.getByRole('button', { name: /^Hide/ }).first().click();
    await layers.getByRole('button', { name: /^Lock/ }).first().click();
    await layers.getByRole('button', { name: /^Unlock/ }).waitFor();
    await see('layers');
    await page.setViewportSize({ width: 360, height: 740 });
    const palette = page.getByRole('searchbox', { name: 'Search templates' });
    await page
      .getByRole('button', { name: /^Templates/ })
      .first()
      .click();
    if (!(await palette.isVisible()))
      await page
        .getByRole('button', { name: /^Templates/ })
        .first()
        .click();
    await layers.waitFor({ state: 'hidden' });
    await page
      .getByRole('button', { name: /^Layers/ })
      .first()
      .click();
    await palette.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await layers.getByRole('button', { name: 'Close' }).click();
  });

  step('with the screen of a node, its menu, and none once it is stopped', async (page) => {
    const properties = { engine: 'simulated' };
    const body = { name: 'VM1', node_type: 'qemu', compute_id: 'local', x: 0, y: 200, console_type: 'vnc', properties };
    const { node_id } = await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, {
      ...body,
      console: await freePort(),
    });
    await stage.send('POST', `${lab}/nodes/${node_id}/start`, {});
    const { console } = await stage.read<{ console: number }>(`${lab}/nodes/${node_id}`);
    screen = await startRfbServer(console);
    await nodeOf(page, 'VM1').locator('.lab-node.started').waitFor();
    await nodeOf(page, 'VM1').dblclick();
    await front(page).getByText('Connected').waitFor();
    await see('a screen');
    await page.getByRole('button', { name: 'More for this console' }).click();
    await page.getByRole('menu').waitFor();
    await see('the menu of a screen');
    await press('Escape');
    await page.getByRole('button', { name: 'More for the dock' }).click();
    await choose(page, 'Beside the map');
    await see('a screen beside the map');
    stage.tab.allow(/WebSocket|Failed when connecting|Connection closed|409/);
    await stage.send('POST', `${lab}/nodes/${node_id}/stop`, {});
    await nodeOf(page, 'VM1').locator('.lab-node.stopped').waitFor();
    await see('the screen of a stopped node');
  });

  end();
});
