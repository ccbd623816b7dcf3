import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { nodeOf, settles, waitFor } from './walk.ts';

const md5 = (content: string | Buffer): string => createHash('md5').update(content).digest('hex');
const fileOf = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';

/** Selects files by the button that a person presses. */
const upload = async (page: Page, button: Locator, files: ReturnType<typeof fileOf>[]): Promise<void> => {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles(files);
};

/** Drops a file on the middle of something. */
const drop = async (page: Page, target: Locator, name: string, content: string): Promise<void> => {
  const data = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
      return transfer;
    })()`,
  );
  await target.dispatchEvent('dragover', { dataTransfer: data });
  await target.dispatchEvent('drop', { dataTransfer: data });
};

const noMachine: string | false = existsSync('/usr/bin/qemu-system-x86_64')
  ? false
  : 'needs QEMU: apt-get install qemu-system-x86';

const APPLIANCE = {
  ...{ name: 'Small router', category: 'router', registry_version: 4, vendor_name: 'Somebody', status: 'stable' },
  ...{ description: 'It routes.', product_url: 'https://a.example/', maintainer: 'x' },
  qemu: { arch: 'x86_64', ram: 64, adapters: 2, console_type: 'telnet', kvm: 'allow', hda_disk_interface: 'ide' },
  images: [
    {
      ...{ filename: 'router-1.img', version: '1', md5sum: md5('router one'), filesize: 10 },
      download_url: 'https://a.example/download',
    },
    { filename: 'router-2.img', version: '2', md5sum: md5('router two'), filesize: 10 },
  ],
  versions: [
    { name: '1', images: { hda_disk_image: 'router-1.img' } },
    { name: '2', images: { hda_disk_image: 'router-2.img' } },
  ],
};

describe('the catalogue', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('catalogue');
  const { step } = stage;
  const section = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Catalogue' }).getByRole('link', { name }).click();
    await page.getByRole('main').getByRole('heading', { name, exact: true }).waitFor();
  };
  const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
  const templates = (): Promise<{ name: string; template_type: string; ram?: number }[]> => stage.read('/v2/templates');
  let lab = '';

  step('uploads an image with its sum, and says who needs it', async (page) => {
    await page.goto(stage.server.url);
    await page.getByRole('button', { name: 'Catalogue' }).click();
    await page.getByText('No images yet').waitFor();
    await look(stage.tab, 'the catalogue without images');
    await page.getByLabel('Upload for').selectOption('machine_emulator');
    await upload(page, page.getByRole('button', { name: 'Upload images' }), [fileOf('small.img', 'a disk')]);
    await page.getByText(`small.img is uploaded. MD5: ${md5('a disk')}`).waitFor();
    await row(page, 'small.img').getByText(md5('a disk')).waitFor();
    await row(page, 'small.img').getByText('nobody').waitFor();
    await drop(page, page.getByRole('main'), 'other.img', 'another disk');
    await row(page, 'other.img').waitFor();
    lab = await stage.lab('used');
    await stage.send('POST', `${lab}/nodes`, {
      ...{ name: 'VM1', node_type: 'qemu', compute_id: 'local', x: 0, y: 0 },
      properties: { hda_disk_image: 'small.img' },
    });
    await page.reload();
    await row(page, 'small.img').getByText('1 use').click();
    await page.getByRole('link', { name: 'VM1 in used' }).waitFor();
    await look(stage.tab, 'images of the catalogue');
  });

  step('keeps an image that a node needs, and deletes another', async (page) => {
    // What the server refuses is an error for the browser.
    stage.tab.allow(/status of 4\d\d/);
    await page.getByRole('button', { name: 'Delete the image small.img' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('small.img is used by VM1 in used').waitFor();
    await page.getByRole('button', { name: 'Delete the image other.img' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await row(page, 'other.img').waitFor({ state: 'detached' });
    assert.equal((await stage.read<unknown[]>('/v2/catalogue/images')).length, 1);
  });

  step('shows what an appliance lacks, takes it, and makes a template', async (page) => {
    await section(page, 'Appliances');
    await drop(page, page.getByRole('main'), 'router.gns3a', JSON.stringify(APPLIANCE));
    const card = page.getByRole('region', { name: 'Small router' });
    const first = card.locator('.appliance-version').first();
    await first.getByText('1 image is missing').waitFor();
    await settles(
      () => first.getByRole('link', { name: 'Download page' }).getAttribute('href'),
      'https://a.example/download',
    );
    assert.ok(await first.getByRole('button', { name: 'Make a template 1' }).isDisabled());
    await look(stage.tab, 'an appliance with a missing image');
    await upload(page, first.getByRole('button', { name: 'Upload router-1.img' }), [fileOf('wrong.img', 'wrong')]);
    await first.getByText(`another one, with MD5 ${md5('wrong')}`).waitFor();
    await upload(page, first.getByRole('button', { name: 'Upload router-1.img' }), [fileOf('any.img', 'router one')]);
    await first.getByText('Ready').waitFor();
    await first.getByRole('button', { name: 'Make a template 1' }).click();
    await first.getByText('Small router 1 is a template now.').waitFor();
    await drop(page, page.getByRole('main'), 'router-2.img', 'router two');
    await card.locator('.appliance-version').nth(1).getByText('Ready').waitFor();
    const made = (await templates()).find(({ name }) => name === 'Small router 1');
    assert.deepEqual([made?.template_type, made?.ram], ['machine_emulator', 64]);
    await drop(page, page.getByRole('main'), 'broken.gns3a', '{"name": "x", "registry_version": 99}');
    await page.getByText(/registry_version: must be 1 to 8/).waitFor();
    await look(stage.tab, 'appliances');
  });

  step('makes a template by the keyboard, changes, copies and deletes it', async (page) => {
    await section(page, 'Templates');
    await page.getByText('Small router 1', { exact: true }).waitFor();
    // One below the other, as wide as the page.
    const lefts = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.template-list > li')].map((row) => row.getBoundingClientRect().left)`,
    );
    assert.ok(lefts.length > 5 && new Set(lefts).size === 1, JSON.stringify(lefts));
    await stage.at(/^New template$/, 'Enter');
    const dialog = page.getByRole('dialog', { name: 'New template' });
    await dialog.waitFor();
    await page.keyboard.type('Tiny machine');
    await dialog.getByLabel('Kind').selectOption('machine_emulator');
    await dialog.locator('[data-field="ram"]').getByRole('textbox').fill('much');
    await page.keyboard.press('Tab');
    await look(stage.tab, 'the form of a template');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must be a whole number').waitFor();
    await dialog.locator('[data-field="ram"]').getByRole('textbox').fill('96');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await waitFor(async () => (await templates()).some(({ name, ram }) => name === 'Tiny machine' && ram === 96));
    await page.getByRole('button', { name: 'Change Tiny machine' }).click();
    const change = page.getByRole('dialog', { name: 'Change Tiny machine' });
    await waitFor(async () => (await change.locator('[data-field="ram"]').getByRole('textbox').inputValue()) === '96');
    await change.locator('[data-field="ram"]').getByRole('textbox').fill('128');
    await change.getByRole('button', { name: 'Save' }).click();
    await waitFor(async () => (await templates()).some(({ name, ram }) => name === 'Tiny machine' && ram === 128));
    await page.getByRole('button', { name: 'Copy the template Tiny machine' }).click();
    await waitFor(async () => (await templates()).filter(({ ram }) => ram === 128).length === 2);
    await look(stage.tab, 'templates');
    await page.getByRole('button', { name: 'Delete the template Tiny machine', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await waitFor(async () => !(await templates()).some(({ name }) => name === 'Tiny machine'));
  });

  step('takes symbols, and shows them', async (page) => {
    await section(page, 'Symbols');
    await drop(page, page.getByRole('main'), 'own.svg', SVG);
    await page.getByRole('listitem').filter({ hasText: 'own.svg' }).getByText('nobody').waitFor();
    await look(stage.tab, 'symbols');
    await page.getByRole('button', { name: 'Delete the symbol own.svg' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('No symbols of your own yet').waitFor();
  });

  step('makes a template of a node, and a node of that', async (page) => {
    await stage.send('POST', `${lab}/nodes`, {
      ...{ name: 'VM2', node_type: 'qemu', compute_id: 'local', x: 200, y: 0 },
      properties: { ram: 80, engine: 'simulated' },
    });
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'VM2').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Make a template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a template of VM2' });
    await dialog.getByLabel('Name', { exact: true }).fill('Of VM2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await templates()).find(({ name }) => name === 'Of VM2')?.ram, 80);
    await page.getByLabel('Search templates').fill('Of VM2');
    await page.getByRole('button', { name: 'Of VM2' }).click();
    await waitFor(async () => {
      const nodes = await stage.read<{ properties: { ram?: number } }[]>(`${lab}/nodes`);
      return nodes.filter(({ properties }) => properties.ram === 80).length === 2;
    });
  });

  step('makes a snapshot, compares it with now, and restores it', async (page) => {
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Snapshots' }).click();
    const dialog = page.getByRole('dialog', { name: 'Snapshots' });
    await dialog.getByLabel('Name of the snapshot').fill('before');
    await page.keyboard.press('Enter');
    const item = dialog.getByRole('listitem').filter({ hasText: 'before' });
    await item.waitFor();
    await stage.send('POST', `${lab}/nodes`, {
      ...{ name: 'Later', node_type: 'vpcs', compute_id: 'local', x: 0, y: 200 },
    });
    await item.getByRole('button', { name: 'Compare with now before' }).click();
    await item.getByText('Later was added').waitFor();
    await look(stage.tab, 'a snapshot compared with now');
    await item.getByRole('button', { name: 'Restore before' }).click();
    await page.getByRole('dialog', { name: 'Restore before?' }).getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The lab is as it was in before.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const nodes = await stage.read<{ name: string }[]>(`${lab}/nodes`);
    assert.ok(!nodes.some(({ name }) => name === 'Later'));
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Snapshots' }).click();
    await dialog.getByRole('button', { name: 'Delete the snapshot before' }).click();
    await page.getByRole('dialog', { name: 'Delete before?' }).getByRole('button', { name: 'Delete it' }).click();
    await dialog.getByText('No snapshots yet.').waitFor();
    await page.keyboard.press('Escape');
  });

  step('opens a project file that is dropped on an empty map', async (page) => {
    const empty = await stage.lab('empty');
    await page.goto(`${stage.server.url}/#${empty.replace('/v2', '')}`);
    await page.getByRole('heading', { name: 'Nothing is here yet' }).waitFor();
    await page.getByText('Or open a sample lab').click();
    await page.getByText('Three PCs, a switch and a hub').waitFor();
    await look(stage.tab, 'an empty map');
    const content = JSON.stringify({
      ...{ name: 'dropped', project_id: '6b3a1f0e-0000-4000-8000-000000000001', type: 'topology', version: '2.2.60' },
      ...{ auto_close: false, auto_open: false, auto_start: false, revision: 9 },
      topology: { computes: [], drawings: [], links: [], nodes: [] },
    });
    await drop(page, page.locator('.map'), 'dropped.gns3', content);
    await page.getByRole('heading', { name: 'dropped' }).waitFor();
  });
});

describe('a failed start', { skip: noBrowser || noMachine, timeout: 300_000 }, () => {
  const stage = createStage('mended');
  stage.step('is mended by the upload that it asks for', async (page) => {
    stage.tab.allow(/status of 4\d\d/);
    const lab = await stage.lab('mended');
    await stage.send('POST', `${lab}/nodes`, {
      ...{ name: 'VM1', node_type: 'qemu', compute_id: 'local', x: 0, y: 0 },
      properties: { hda_disk_image: 'lacking.img', ram: 32 },
    });
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'VM1').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Start', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '1 node failed' });
    await dialog.waitFor();
    await look(stage.tab, 'a failed start');
    const button = dialog.getByRole('button', { name: 'Upload this image lacking.img' });
    await upload(page, button, [fileOf('mine.img', Buffer.alloc(1 << 20))]);
    await dialog.getByText('It runs now.').waitFor();
    await nodeOf(page, 'VM1').locator('.lab-node.started').waitFor();
  });
});
