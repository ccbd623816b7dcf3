import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { focusedName, nodeOf, screenText, waitFor } from './walk.ts';

interface Link {
  capturing: boolean;
  capture_file_name: string | null;
  filters: Record<string, unknown>;
}

/** Consoles, recordings, links' sheets, packets; nothing here touches a mouse. */
describe('panels and sheets without a mouse', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('keyboard-panels');
  const { step, at, press, pick } = stage;
  let lab = '';
  const link = async (): Promise<Link> =>
    (await stage.read<Link[]>(`${lab}/links`))[0] ?? assert.fail('there is no link');
  /** A console keeps Tab, so what stands before it is reached backwards from behind it. */
  const back = async (name: RegExp, ...keys: string[]): Promise<void> => {
    await waitFor(async () => {
      if (name.test(await focusedName(stage.page))) return true;
      await press('Shift+Tab');
      return false;
    });
    await press(...keys);
  };
  /** Opens a console, and leaves the focus in it. */
  const consoleOf = async (page: Page, name: string): Promise<void> => {
    await at(new RegExp(`^${name}, started`), 'Escape', 'c');
    await page.locator('.panel:not([hidden])').getByText('Connected').first().waitFor();
    await waitFor(async () => (await focusedName(page)).startsWith(`Console of ${name}`));
  };

  step('begin with two nodes that run, and their consoles', async (page) => {
    lab = await stage.lab('panels');
    const ids: string[] = [];
    for (const [name, x] of [
      ['PC1', -200],
      ['PC2', 200],
    ] as const) {
      const body = { name, node_type: 'vpcs', compute_id: 'local', x, y: 0 };
      ids.push((await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, body)).node_id);
    }
    const nodes = ids.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await stage.send('POST', `${lab}/links`, { nodes });
    for (const id of ids) await stage.send('POST', `${lab}/nodes/${id}/start`, {});
    await page.goto(stage.server.url);
    await page.getByRole('link', { name: 'Show panels' }).waitFor();
    await at(/^Show panels$/, 'Enter');
    await nodeOf(page, 'PC2').locator('.lab-node.started').waitFor();
    await consoleOf(page, 'PC1');
    await page.keyboard.type('ip 10.0.0.1/24\r');
    await waitFor(async () => (await screenText(page)).includes('10.0.0.1'));
    await press('Shift+Escape');
    await consoleOf(page, 'PC2');
    await press('Shift+Escape');
  });

  step('stand side by side, are walked through, and have the height one wants', async (page) => {
    await at(/^Show beside the others$/, 'Enter');
    await waitFor(async () => (await page.getByRole('tablist').count()) === 2);
    await at(/^Move to the next pane$/, 'Enter');
    await waitFor(async () => (await page.getByRole('tablist').count()) === 1);
    await at(/^PC\d, recorded$/);
    const front = await focusedName(page);
    const other = front.startsWith('PC1') ? 'PC2, recorded' : 'PC1, recorded';
    await press('ArrowRight');
    await waitFor(async () => (await focusedName(page)) === other);
    if (front.startsWith('PC1')) await press('ArrowLeft');
    await waitFor(async () => (await focusedName(page)) === 'PC1, recorded');
    const edge = page.getByRole('separator', { name: 'Height of the dock' });
    const height = async (): Promise<number> => Number(await edge.getAttribute('aria-valuenow'));
    // It begins as high as the map leaves room.
    const before = await height();
    await at(/^Height of the dock$/, 'ArrowDown');
    await waitFor(async () => (await height()) < before);
    await press('ArrowUp');
    await waitFor(async () => (await height()) === before);
  });

  step('search a console, copy it, and change the size of its letters', async (page) => {
    const rows = page.locator('.panel:not([hidden]) .xterm-rows').first();
    // As high as one line of the terminal is.
    const size = async (): Promise<number> => (await rows.locator('div').first().boundingBox())?.height ?? Number.NaN;
    await at(/^Search in this console$/, 'Enter');
    await waitFor(async () => (await focusedName(page)).startsWith('Search for'));
    const search = page.getByRole('search');
    await page.keyboard.type('nowhere to be found');
    await search.getByText('Not found').waitFor();
    await press('Control+a');
    await page.keyboard.type('10.0.0.1');
    await search.getByText('Not found').waitFor({ state: 'hidden' });
    await at(/^Next match$/, 'Enter');
    await back(/^Search for/, 'Escape');
    await search.waitFor({ state: 'hidden' });
    await stage.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press('Shift+Escape');
    await at(/^Copy the selection, or everything$/, 'Enter');
    await waitFor(async () => String(await page.evaluate('navigator.clipboard.readText()')).includes('10.0.0.1'));
    const before = await size();
    await at(/^Larger letters$/, 'Enter');
    await waitFor(async () => (await size()) > before);
    await back(/^Smaller letters$/, 'Enter');
    await waitFor(async () => (await size()) === before);
  });

  step('play a recording, and download it', async (page) => {
    await back(/^Recordings of this console$/, 'Enter');
    await page.getByRole('dialog', { name: 'Recordings of PC1' }).waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await at(/^Download$/, 'Enter');
    assert.match((await download).suggestedFilename(), /\.cast$/);
    await at(/^Play$/, 'Enter');
    const time = page.getByTestId('recording-time');
    await time.waitFor();
    // It plays already.
    await page.getByRole('button', { name: /^(Pause|Play)$/ }).waitFor();
    await at(/^Speed$/, 'End');
    await at(/^Moment of the recording$/, 'End');
    await waitFor(async () => (await screenText(page)).includes('10.0.0.1'));
    // At its end it stands; before that it would go on from its beginning.
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await press('Home');
    await page.getByText(/^0:00 of /).waitFor();
    await back(/^Play$/, 'Enter');
    await waitFor(async () => (await screenText(page)).includes('10.0.0.1'));
    const again = page.waitForEvent('download');
    await at(/^Download this recording$/, 'Enter');
    assert.match((await again).suggestedFilename(), /\.cast$/);
    const read = page.waitForResponse(/\/recordings\//);
    await back(/^Read again/, 'Enter');
    assert.equal((await read).status(), 200);
    await time.waitFor();
    await back(/^Close this tab$/, 'Enter');
    await time.waitFor({ state: 'hidden' });
  });

  step('set filters with their values, and remove them', async (page) => {
    await at(/^Link between/, 'Enter');
    await pick('Filters, traffic and capture');
    await page.getByRole('complementary').waitFor();
    await at(/^Packet loss$/, 'Space');
    await stage.fill(/^Chance$/, '7');
    await at(/^Delay$/, 'Space');
    await stage.fill(/^Latency$/, '40');
    await stage.fill(/^Jitter/, '5');
    await at(/^Apply$/, 'Enter');
    await waitFor(async () => JSON.stringify((await link()).filters).includes('[40,5]'));
    assert.match(JSON.stringify((await link()).filters), /\[7\]/);
    await back(/^Remove all$/, 'Enter');
    await waitFor(async () => Object.keys((await link()).filters).length === 0);
    await back(/^Both directions$/, 'ArrowRight');
    await at(/^Packet loss$/, 'Space');
    await stage.fill(/^Chance$/, '9');
    await at(/^Apply$/, 'Enter');
    await waitFor(async () => JSON.stringify((await link()).filters) === '{"packet_loss>":[9]}');
    await page.getByRole('radio', { name: /→ .*\(1\)$/ }).waitFor();
    await page.screenshot({ path: 'test-screenshots/filters-of-a-direction.png' });
    await back(/^Remove all$/, 'Enter');
    await waitFor(async () => Object.keys((await link()).filters).length === 0);
  });

  step('capture into a file of a name', async (page) => {
    await stage.fill(/^File name$/, 'by-keys');
    await at(/^Start capturing$/, 'Enter');
    await waitFor(async () => (await link()).capturing);
    assert.match((await link()).capture_file_name ?? '', /by-keys/);
    await page.getByTestId('packet-count').waitFor();
    await at(/^Stop capturing$/, 'Enter');
    await waitFor(async () => !(await link()).capturing);
  });
});
