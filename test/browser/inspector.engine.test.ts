import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { linkOf, nodeOf, settles, waitFor } from './walk.ts';

interface Node {
  readonly node_id: string;
  readonly name: string;
  readonly status: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const field = (page: Page, key: string): Locator => page.locator(`[data-field="${key}"]`);
const titled = (page: Page, name: string): Promise<void> => page.getByRole('complementary', { name }).waitFor();

describe('the inspector', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('inspector');
  const { step } = stage;
  let lab = '';
  let linkId = '';
  const ids = new Map<string, string>();
  const read = (name: string): Promise<Node> => stage.read<Node>(`${lab}/nodes/${ids.get(name) ?? ''}`);
  const add = async (name: string, node_type: string, x: number, properties: object = {}): Promise<void> => {
    const body = { name, node_type, compute_id: 'local', x, y: 0, properties };
    ids.set(name, (await stage.send<Node>('POST', `${lab}/nodes`, body)).node_id);
  };
  const end = (name: string): object => ({ node_id: ids.get(name), adapter_number: 0, port_number: 0 });

  step('shows the project while nothing is selected, and changes it', async (page) => {
    await page.goto(stage.server.url);
    lab = await stage.lab('formed');
    await add('PC1', 'vpcs', -300);
    await add('SW1', 'ethernet_switch', -150);
    await add('VM1', 'qemu', 0, { engine: 'simulated' });
    await add('VM2', 'qemu', 150, { engine: 'simulated', ram: 512 });
    linkId = (await stage.send<{ link_id: string }>('POST', `${lab}/links`, { nodes: [end('PC1'), end('SW1')] }))
      .link_id;
    await page.getByRole('link', { name: 'Show formed' }).click();
    await nodeOf(page, 'VM2').waitFor();
    await titled(page, 'Project');
    await field(page, 'name').getByRole('textbox').fill('shaped');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'shaped' }).waitFor();
    await look(stage.tab, 'form of a project');
  });

  step('sets the memory of two nodes at once', async (page) => {
    await nodeOf(page, 'VM1').click();
    await titled(page, 'VM1');
    await nodeOf(page, 'VM2').click({ modifiers: ['Control'] });
    await titled(page, '2 nodes');
    const ram = field(page, 'ram').getByRole('textbox');
    await settles(() => ram.getAttribute('placeholder'), 'mixed');
    await ram.fill('2e9');
    await page.keyboard.press('Enter');
    await field(page, 'ram').getByText('Must be a whole number').waitFor();
    await look(stage.tab, 'form of two nodes, one value wrong');
    await ram.fill('1024');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await read('VM1')).properties['ram'] === 1024);
    assert.equal((await read('VM2')).properties['ram'], 1024);
    const { events } = await stage.read<{ events: { request_id: string }[] }>(`${lab}/events?type=node.updated`);
    assert.equal(new Set(events.slice(-2).map(({ request_id }) => request_id)).size, 1);
  });

  step('changes the VLANs of a switch in a table', async (page) => {
    await nodeOf(page, 'SW1').click();
    await titled(page, 'SW1');
    const table = page.getByRole('group', { name: 'Ports and VLANs' });
    await table.getByRole('button', { name: 'Add a row' }).click();
    await page.getByLabel('VLAN, row 8').fill('20');
    await page.getByLabel('VLAN, row 8').press('Control+d');
    await page.getByRole('button', { name: 'Remove row 7' }).click();
    await look(stage.tab, 'form of a switch');
    await field(page, 'ports_mapping').getByRole('button', { name: 'Apply' }).click();
    const ports = async (): Promise<[string, number][]> =>
      ((await read('SW1')).properties['ports_mapping'] as { name: string; vlan: number }[]).map(({ name, vlan }) => [
        name,
        vlan,
      ]);
    await waitFor(async () => (await ports()).length === 8 && (await ports())[6]?.[1] === 20);
    assert.deepEqual((await ports()).slice(-2), [
      ['Ethernet7', 20],
      ['Ethernet8', 20],
    ]);
    await field(page, 'ports_mapping').getByRole('button', { name: 'Apply' }).waitFor({ state: 'hidden' });
  });

  step('writes a startup script', async (page) => {
    await nodeOf(page, 'PC1').click();
    await titled(page, 'PC1');
    const script = page.getByLabel('Startup script');
    await script.fill('ip 10.0.0.1/24');
    await script.press('Control+Enter');
    const file = `${stage.server.url}${lab}/nodes/${ids.get('PC1') ?? ''}/files/startup.vpc?if_missing=empty`;
    await waitFor(async () => (await (await fetch(file)).text()).includes('10.0.0.1'));
    await nodeOf(page, 'VM1').click();
    await titled(page, 'VM1');
    await nodeOf(page, 'PC1').click();
    await waitFor(async () => (await script.inputValue().catch(() => '')) === 'ip 10.0.0.1/24');
    await look(stage.tab, 'form of a node with a script');
  });

  step('stops a node, changes what it could not take, and starts it', async (page) => {
    await stage.send('POST', `${lab}/nodes/${ids.get('VM1') ?? ''}/start`, {});
    await nodeOf(page, 'VM1').locator('.lab-node.started').waitFor();
    await nodeOf(page, 'VM1').click();
    await titled(page, 'VM1');
    await field(page, 'ram').getByRole('textbox').fill('300');
    await page.keyboard.press('Enter');
    await field(page, 'ram').getByText('only be changed while the node is stopped').waitFor();
    await look(stage.tab, 'what needs a stopped node');
    assert.equal((await read('VM1')).properties['ram'], 1024);
    await page.getByRole('button', { name: 'Stop, change, start' }).click();
    await waitFor(
      async () => (await read('VM1')).properties['ram'] === 300 && (await read('VM1')).status === 'started',
    );
    const { events } = await stage.read<{ events: { type: string }[] }>(`${lab}/nodes/${ids.get('VM1') ?? ''}/history`);
    const order = events.map(({ type }) => type).slice(-6);
    assert.ok(order.indexOf('node.stopped') < order.indexOf('node.updated'));
    assert.ok(order.indexOf('node.updated') < order.indexOf('node.started'));
    await stage.send('POST', `${lab}/nodes/${ids.get('VM1') ?? ''}/stop`, {});
  });

  step('tells what another has changed meanwhile, and overwrites it only when asked to', async (page) => {
    await nodeOf(page, 'VM2').click();
    await titled(page, 'VM2');
    const cpus = field(page, 'cpus').getByRole('textbox');
    await cpus.fill('4');
    await stage.send('PUT', `${lab}/nodes/${ids.get('VM2') ?? ''}`, { properties: { cpus: 2 } });
    await field(page, 'cpus').getByText('It was changed meanwhile: 2').waitFor();
    await page.keyboard.press('Enter');
    assert.equal((await read('VM2')).properties['cpus'], 2);
    await look(stage.tab, 'a conflict');
    await field(page, 'cpus').getByRole('button', { name: 'Set mine' }).click();
    await waitFor(async () => (await read('VM2')).properties['cpus'] === 4);
  });

  step('shows what a field has had, and sets it back', async (page) => {
    await field(page, 'cpus').getByRole('button', { name: 'History of CPUs' }).click();
    const rows = field(page, 'cpus').getByRole('listitem');
    await waitFor(async () => (await rows.count()) === 3);
    await look(stage.tab, 'history of a field');
    await rows.filter({ hasText: /^1/ }).getByRole('button', { name: 'Set back' }).click();
    await waitFor(async () => (await read('VM2')).properties['cpus'] === 1);
  });

  step('takes an image: uploads one with its progress, or selects one that is there', async (page) => {
    const disk = field(page, 'hda_disk_image');
    const sum = page.locator('details').filter({ has: disk }).locator('summary');
    if (!(await disk.isVisible())) await sum.click();
    await disk.locator('input[type=text]').focus();
    await disk.getByRole('button', { name: 'Upload an image' }).waitFor();
    const network = await page.context().newCDPSession(page);
    const slow = (uploadThroughput: number): Promise<unknown> =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1 },
        uploadThroughput,
      });
    const give = (name: string): Promise<void> =>
      disk.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.alloc(3 << 20, 1) });
    const progress = page.getByRole('progressbar', { name: /^Uploading/ });
    await network.send('Network.enable');
    await slow(1 << 15);
    await give('never.img');
    await page.getByText(/of 3(?:\.\d+)? M\w+ sent/).waitFor();
    await look(stage.tab, 'an upload');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'detached' });
    await slow(-1);
    await settles(() => disk.getByRole('alert').count(), 0);
    assert.equal((await read('VM2')).properties['hda_disk_image'], '');
    await give('tiny.img');
    await waitFor(async () => (await read('VM2')).properties['hda_disk_image'] === 'tiny.img');
    await settles(() => disk.locator('input[type=text]').inputValue(), 'tiny.img');
    const images = await stage.read<{ filename: string; filesize: number }[]>('/v2/computes/local/qemu/images');
    assert.deepEqual(
      images.map(({ filename, filesize }) => [filename, filesize]),
      [['tiny.img', 3 << 20]],
    );
    const second = field(page, 'hdb_disk_image');
    await second.locator('input[type=text]').focus();
    await second.locator('option[value="tiny.img"]').waitFor({ state: 'attached' });
    await page.keyboard.type('tiny.img');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await read('VM2')).properties['hdb_disk_image'] === 'tiny.img');
    await look(stage.tab, 'images of a node');
    stage.tab.allow(/507/);
    await page.route(/images\/full\.img$/, (route) =>
      route.fulfill({ status: 507, json: { message: 'The disk is full', status: 507 } }),
    );
    await give('full.img');
    await disk.getByRole('alert').getByText('The disk is full').waitFor();
    assert.equal((await read('VM2')).properties['hda_disk_image'], 'tiny.img');
  });

  step('shows a link, and goes back to the map by Escape', async (page) => {
    await linkOf(page, linkId).focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await titled(page, 'PC1 – SW1');
    await page.getByRole('checkbox', { name: 'Suspended' }).check();
    await page.locator('.lab-link.suspended').waitFor({ state: 'attached' });
    await look(stage.tab, 'form of a link');
    await linkOf(page, linkId).focus();
    await page.keyboard.press('Alt+Enter');
    await waitFor(async () =>
      (await page.evaluate<string>(`document.activeElement?.className ?? ''`)).includes('inspector'),
    );
    await page.keyboard.press('Escape');
    await waitFor(async () => page.evaluate<boolean>(`document.activeElement?.closest('.inspector') === null`));
  });

  step('lies over the map on a narrow screen, when it is asked for', async (page) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('complementary').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Inspector (Alt+Enter)' }).click();
    await page.getByRole('complementary').waitFor();
    assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 360);
    await look(stage.tab, 'form, narrow');
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'hidden' });
  });
});
