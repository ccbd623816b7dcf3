import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { openConsole } from '../support/console.ts';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { focusedName, nodeOf, settles, waitFor } from './walk.ts';

interface Node {
  node_id: string;
  console: number;
  status: string;
  z: number;
}

interface Updated {
  data: { changes: { suspend?: boolean } };
}

/** Captures and their packets, a console that was stopped, a long list of projects; nothing here touches a mouse. */
describe('packets without a mouse', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('keyboard-packets');
  const { step, at, press, pick } = stage;
  let lab = '';
  const nodes: Node[] = [];
  const first = async (): Promise<Node> => stage.read(`${lab}/nodes/${nodes[0]?.node_id ?? ''}`);
  const isCapturing = async (): Promise<boolean> =>
    (await stage.read<{ capturing: boolean }[]>(`${lab}/links`)).some(({ capturing }) => capturing);
  /** One packet there and one back, once both know each other. */
  const ping = async (): Promise<void> => {
    const console = await openConsole((await first()).console);
    await console.type('ping 10.0.0.2 -c 2', /icmp_seq=2 /);
    console.close();
  };

  step('begin with two nodes that can reach each other, found in a long list of projects', async (page) => {
    for (let n = 1; n <= 8; n++) await stage.send('POST', '/v2/projects', { name: `other ${n}` });
    lab = await stage.lab('packets');
    for (const [n, x] of [-200, 200].entries()) {
      const body = { name: `PC${n + 1}`, node_type: 'vpcs', compute_id: 'local', x, y: 0 };
      nodes.push(await stage.send<Node>('POST', `${lab}/nodes`, body));
    }
    const ends = nodes.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await stage.send('POST', `${lab}/links`, { nodes: ends });
    for (const [n, { node_id }] of nodes.entries()) {
      const { console: port } = await stage.send<Node>('POST', `${lab}/nodes/${node_id}/start`, {});
      const console = await openConsole(port);
      await console.type(`ip 10.0.0.${n + 1}/24`, /PC\d : 10\.0\.0\./);
      console.close();
    }
    await page.goto(stage.server.url);
    await page.getByRole('link', { name: 'Show other 8' }).waitFor();
    await stage.fill(/^Search$/, 'pack');
    await page.getByRole('link', { name: 'Show other 8' }).waitFor({ state: 'hidden' });
    await at(/^Show packets$/, 'Enter');
    await nodeOf(page, 'PC2').locator('.lab-node.started').waitFor();
  });

  step('are watched as they come, filtered, and left where one reads', async (page) => {
    await at(/^Link between/, 'Enter');
    await pick('Filters, traffic and capture');
    await page.getByRole('complementary').waitFor();
    await at(/^Start capturing$/, 'Enter');
    await waitFor(isCapturing);
    const seen = page.getByTestId('packet-count');
    await seen.waitFor();
    await at(/^Close this tab$/, 'Enter');
    await seen.waitFor({ state: 'hidden' });
    await at(/^Link between/, 'Enter');
    await pick('Packets');
    await seen.waitFor();
    await at(/^Stop$/, 'Enter');
    await waitFor(async () => !(await isCapturing()));
    await at(/^Capture$/, 'Enter');
    await waitFor(isCapturing);
    await ping();
    await page.locator('tr.packet').filter({ hasText: 'Echo reply' }).first().waitFor();
    await at(/^Display filter$/);
    await page.keyboard.type('"reply"');
    await waitFor(async () => /^\d+ of \d+ packets$/.test(await seen.innerText()));
    await press('Control+a', 'Delete');
    await waitFor(async () => /^\d+ packets$/.test(await seen.innerText()));
    const follow = page.getByRole('checkbox', { name: 'Follow' });
    await at(/^Follow$/, 'Space');
    await settles(() => follow.isChecked(), false);
    await press('Space');
    await settles(() => follow.isChecked(), true);
    await at(/^Packets$/);
  });

  step('are had as a file and as a command, and the capture is stopped', async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await at(/^Filters and capture of this link$/, 'Enter');
    await page.getByRole('complementary').waitFor();
    await at(/^Watch packets$/, 'Enter');
    const download = page.waitForEvent('download');
    await at(/^Download what there is$/, 'Enter');
    assert.match((await download).suggestedFilename(), /\.pcap$/);
    await at(/^Command for Wireshark$/);
    await at(/^Copy the command$/, 'Enter');
    await waitFor(async () => /wireshark -k -i -/.test(String(await page.evaluate('navigator.clipboard.readText()'))));
    await at(/^Stop$/, 'Enter');
    await waitFor(async () => !(await isCapturing()));
    await at(/^Close this tab$/, 'Enter');
    await page.getByTestId('packet-count').waitFor({ state: 'hidden' });
    const suspended = async (): Promise<unknown[]> => {
      const { events } = await stage.read<{ events: Updated[] }>(`${lab}/events?type=link.updated`);
      return events.map(({ data }) => data.changes.suspend).filter((value) => value !== undefined);
    };
    // The second press comes before the page has heard what the first one did.
    await at(/^Suspended/, 'Space', 'Space');
    await waitFor(async () => (await suspended()).length === 2);
    assert.deepEqual(await suspended(), [true, false]);
    await at(/^History$/, 'Enter');
    await page.getByRole('list', { name: 'Newest first' }).waitFor();
  });

  step('leave a node that is put above the others, stopped, and started again from its console', async (page) => {
    const { z } = await first();
    const isAt = async (layer: number): Promise<boolean> => {
      const style = await nodeOf(page, 'PC1').getAttribute('style');
      return style?.includes(`z-index: ${layer};`) === true && (await first()).z === layer;
    };
    await at(/^PC1, started/, 'Enter');
    await pick('Raise');
    await waitFor(() => isAt(z + 1));
    await at(/^PC1, started/, 'Enter');
    await pick('Lower');
    await waitFor(() => isAt(z));
    await at(/^PC1, started/, 'Escape', 'c');
    await page.locator('.panel:not([hidden])').getByText('Connected').first().waitFor();
    await stage.send('POST', `${lab}/nodes/${nodes[0]?.node_id ?? ''}/stop`, {});
    await page.getByText('PC1 is stopped.').waitFor();
    // The console may have the focus still.
    if ((await focusedName(page)).startsWith('Console of')) await press('Shift+Escape');
    await at(/^Start it$/, 'Enter');
    await waitFor(async () => (await first()).status === 'started');
    await page.locator('.panel:not([hidden])').getByText('Connected').first().waitFor();
  });

  step('leave a node that could not be started, which is shown from the list of those', async (page) => {
    stage.tab.allow(/status of 409/);
    await page.route('**/nodes/*/start', (route) =>
      route.fulfill({ status: 409, json: { status: 409, code: 'failed', message: 'It is not installed here.' } }),
    );
    await stage.send('POST', `${lab}/nodes/${nodes[1]?.node_id ?? ''}/stop`, {});
    await at(/^PC2, stopped/, 'Escape', 's');
    await page.getByRole('dialog', { name: '1 node failed' }).waitFor();
    await at(/^Show/, 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await nodeOf(page, 'PC2').and(page.locator('.selected')).waitFor();
  });
});
