import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser } from '../browser.ts';
import { createLooks } from '../look.ts';
import { createStage } from '../stage.ts';
import { backIntoTheLab, choose, linkOf, nodeOf, openConsole, typeLine, waitFor } from '../walk.ts';

describe('the views of the dock, at every size, light and dark,', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('axe-panels');
  const { step } = stage;
  const { see, end } = createLooks(stage);
  let lab = '';
  let linkId = '';
  const panel = (page: Page): Locator => page.locator('.panel:not([hidden])');

  step('with consoles, one that is searched, several that are sent to', async (page) => {
    lab = await stage.lab('seen');
    const nodes: { node_id: string }[] = [];
    for (const [n, name] of ['PC1', 'PC2'].entries()) {
      const body = { name, node_type: 'vpcs', compute_id: 'local', x: 200 * n, y: 0 };
      nodes.push(await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, body));
    }
    const ends = nodes.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    linkId = (await stage.send<{ link_id: string }>('POST', `${lab}/links`, { nodes: ends })).link_id;
    for (const { node_id } of nodes) await stage.send('POST', `${lab}/nodes/${node_id}/start`, {});
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await openConsole(page, 'PC1');
    await typeLine(page, 'ip 10.0.0.1/24', /PC1 : 10\.0\.0\.1/);
    await see('a console');
    await panel(page).getByRole('button', { name: 'More for this console' }).click();
    await page.getByRole('menu').waitFor();
    await see('the menu of a console');
    await choose(page, 'Find');
    await page.getByRole('search').waitFor();
    await see('the search of a console');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More for the dock' }).click();
    await page.getByRole('menuitemradio', { name: 'Send to several consoles' }).click();
    await page.getByRole('region', { name: 'Send to several consoles' }).waitFor();
    await see('sending to several');
    await page.getByRole('button', { name: 'Stop sending to several' }).click();
    await openConsole(page, 'PC2');
    await typeLine(page, 'ip 10.0.0.2/24', /PC2 : 10\.0\.0\.2/);
    await page.getByRole('button', { name: 'Show beside the others' }).click();
    await waitFor(async () => (await page.getByRole('tablist').count()) === 2);
    await see('two panes');
  });

  step('beside the map, and over it', async (page) => {
    await page.getByRole('button', { name: 'More for the dock' }).click();
    await choose(page, 'Beside the map');
    await see('the dock beside the map');
    await page.getByRole('button', { name: 'Maximise the dock' }).click();
    await see('the dock over the map');
    await page.getByRole('button', { name: 'Show the map again' }).click();
    await page.getByRole('button', { name: 'More for the dock' }).click();
    await choose(page, 'Below the map');
  });

  step('with packets, their fields, conversations and all captures', async (page) => {
    await stage.send('POST', `${lab}/links/${linkId}/start_capture`, {});
    await page.getByRole('tab', { name: /^PC1/ }).click();
    await page.locator('.pane.focused .xterm-helper-textarea').focus();
    await page.keyboard.type('ping 10.0.0.2 -c 2\r');
    await linkOf(page, linkId).focus();
    await page.keyboard.press('Enter');
    await choose(page, 'Packets');
    const packets = panel(page).filter({ has: page.getByTestId('packet-count') });
    await packets.getByText('Echo reply').first().waitFor();
    await see('packets');
    await page.getByRole('checkbox', { name: 'Follow', exact: true }).uncheck();
    await packets.locator('tr.packet').first().click();
    await packets.getByRole('region', { name: /^Packet \d+$/ }).waitFor();
    await see('the fields of a packet');
    stage.tab.allow(/status of 400/);
    await packets.getByRole('searchbox', { name: 'Display filter' }).fill('icmp && ip.source == 10.0.0.1');
    await packets.locator('.filter-problem mark').waitFor();
    await see('a filter that is wrong');
    await packets.getByRole('searchbox', { name: 'Display filter' }).fill('');
    await packets.locator('.filter-problem mark').waitFor({ state: 'hidden' });
    await packets.getByRole('button', { name: 'Conversations' }).click();
    const table = packets.getByRole('region', { name: 'Conversations' });
    await table.getByRole('combobox', { name: 'Between' }).selectOption('ip');
    await table.getByRole('row').nth(1).waitFor();
    await see('conversations');
    await packets.getByRole('button', { name: 'Search all captures' }).click();
    await page.getByTestId('search-count').waitFor();
    await see('all captures');
    await page.getByRole('button', { name: 'Close this tab' }).last().click();
    await linkOf(page, linkId).focus();
    await page.keyboard.press('Enter');
    await choose(page, 'Filters, traffic and capture');
    await page.getByRole('button', { name: 'Stop capturing' }).waitFor();
    await see('the form of a link that is captured');
    await page.keyboard.press('Escape');
  });

  step('with recordings, listed and played', async (page) => {
    await page.getByRole('tab', { name: /^PC1.*recorded$/ }).click();
    await page.getByRole('button', { name: 'Recordings of this console' }).first().click();
    await page.getByRole('button', { name: 'Play', exact: true }).first().waitFor();
    await see('recordings');
    await page.getByRole('button', { name: 'Play', exact: true }).first().click();
    await page.getByTestId('recording-time').waitFor();
    await see('a recording');
  });

  step('in a window of its own', async (page) => {
    await openConsole(page, 'PC2');
    const popup = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Into a window of its own' }).last().click();
    const own = await popup;
    await own.getByText('Connected').waitFor();
    await see('a window of its own', own);
    await backIntoTheLab(own);
  });

  step('when the node is stopped, and when the server is gone', async (page) => {
    const nodes = await stage.read<{ node_id: string; name: string }[]>(`${lab}/nodes`);
    const one = nodes.find(({ name }) => name === 'PC2') ?? assert.fail('there is no PC2');
    // The console may be connected again before the page hears of the stop.
    stage.tab.allow(/WebSocket connection to .* failed: .* 409/);
    await stage.send('POST', `${lab}/nodes/${one.node_id}/stop`, {});
    await nodeOf(page, 'PC2').locator('.lab-node.stopped').waitFor();
    await see('the console of a stopped node');
    stage.tab.allow(/ERR_|WebSocket connection to .* failed/);
    await stage.server.kill('SIGKILL');
    await page.getByText('Connection lost').first().waitFor();
    await see('the server is gone');
  });

  end();
});
