import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { freePort } from '../support/free-port.ts';
import { type RfbServer, startRfbServer } from '../support/rfb-server.ts';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { choose, nodeOf, settles, waitFor } from './walk.ts';

interface Made {
  node_id: string;
}

const hasQemu = existsSync('/usr/bin/qemu-system-x86_64');

/** Screens of graphical nodes in the page: of a server of our own, and of a machine. */
describe('screens of nodes in the page', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('vnc');
  const { step } = stage;
  let lab = '';
  let server: RfbServer | null = null;
  const rfb = (): RfbServer => server ?? assert.fail('there is no server');
  after(() => server?.close());
  const make = async (name: string, x: number, properties: object, console?: number): Promise<string> => {
    const body = { name, node_type: 'qemu', compute_id: 'local', x, y: 0, console_type: 'vnc', console, properties };
    return (await stage.send<Made>('POST', `${lab}/nodes`, body)).node_id;
  };
  const open = async (page: Page, name: string): Promise<void> => {
    await nodeOf(page, name).dblclick();
    await page.getByRole('tab', { name, selected: true }).waitFor();
  };
  /** What an expression says of the screen in front: of `width`, `height` and the octets of its pixels, `data`. */
  const ofScreen = <T>(page: Page, expression: string): Promise<T> =>
    page.evaluate<T>(`(() => {
      const canvas = document.querySelector('.panel:not([hidden]) .vnc-place canvas');
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
      return ${expression};
    })()`);
  /** Red, green and blue in the middle of the height, at a share of the width. */
  const colourAt = async (page: Page, share: number): Promise<string> => {
    const place = `4 * (Math.floor(height / 2) * width + Math.floor(width * ${share}))`;
    return String(await ofScreen<number[]>(page, `[...data.slice(${place}, ${place} + 3)]`));
  };

  step('begin with a node whose screen is ours', async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    lab = await stage.lab('screens');
    const port = await freePort();
    const id = await make('VM1', -150, { engine: 'simulated' }, port);
    await stage.send('POST', `${lab}/nodes/${id}/start`, {});
    const { console } = await stage.read<{ console: number }>(`${lab}/nodes/${id}`);
    server = await startRfbServer(console);
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'VM1').waitFor();
  });

  step('show its picture', async (page) => {
    await open(page, 'VM1');
    await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
    await waitFor(async () => (await colourAt(page, 0.25)) === '255,0,0');
    assert.equal(await colourAt(page, 0.75), '0,0,255');
    const canvas = (await page.locator('.vnc-place canvas').boundingBox()) ?? assert.fail('no canvas');
    const place = (await page.locator('.vnc-place').boundingBox()) ?? assert.fail('no place');
    assert.ok(Math.abs(canvas.height - place.height) < 3, `${canvas.height} of ${place.height}: it does not fit`);
    await page.screenshot({ path: 'test-screenshots/vnc.png' });
    assert.deepEqual(await stage.tab.findings(), []);
  });

  step('give it keys, Ctrl+Alt+Del and the clipboard, and leave it by a key', async (page) => {
    await page.locator('.vnc-place canvas').click();
    await page.keyboard.press('a');
    await waitFor(async () => rfb().keys.some(([key, isDown]) => key === 0x61 && isDown));
    await waitFor(async () => rfb().keys.some(([key, isDown]) => key === 0x61 && !isDown));
    await page.keyboard.press('Shift+Escape');
    await settles(() => page.evaluate(`document.activeElement.getAttribute('role')`), 'tab');
    // Shift was given to the screen too, which has it a moment later.
    await waitFor(async () => rfb().keys.some(([key, isDown]) => key === 0xffe1 && !isDown));
    rfb().keys.splice(0);
    await page.getByRole('button', { name: 'Ctrl+Alt+Del' }).click();
    await waitFor(async () => rfb().keys.length >= 6);
    const down = rfb().keys.flatMap(([key, isDown]) => (isDown ? [key] : []));
    assert.deepEqual(down, [0xffe3, 0xffe9, 0xffff]);
    rfb().keys.splice(0);
    await page.evaluate(`navigator.clipboard.writeText('Hi')`);
    await page.getByRole('button', { name: 'More for this console' }).click();
    await choose(page, /^Type the clipboard/);
    await waitFor(async () => rfb().keys.length >= 6);
    const typed = rfb().keys.flatMap(([key, isDown]) => (isDown ? [key] : []));
    assert.deepEqual(typed, [0xffe1, 0x48, 0x69]);
    await page.evaluate(`navigator.clipboard.writeText('from here')`);
    await page.getByRole('button', { name: 'More for this console' }).click();
    await choose(page, /^Give it the clipboard/);
    await waitFor(async () => rfb().cut.includes('from here'));
    rfb().say('from there');
    await page.getByRole('button', { name: 'More for this console' }).click();
    const copy = page.getByRole('menuitem', { name: 'Copy what was copied there', disabled: false });
    await copy.click();
    await waitFor(async () => (await page.evaluate('navigator.clipboard.readText()')) === 'from there');
  });

  step('be passed by Tab until something is typed there', async (page) => {
    await page.getByRole('tab', { name: 'VM1' }).focus();
    rfb().keys.splice(0);
    const isOnScreen = (): Promise<boolean> => page.evaluate(`document.activeElement.tagName === 'CANVAS'`);
    for (let n = 0; n < 20 && !(await isOnScreen()); n++) await page.keyboard.press('Tab');
    assert.equal(await isOnScreen(), true, 'Tab does not lead there');
    await page.keyboard.press('Tab');
    assert.equal(await isOnScreen(), false, 'Tab does not lead on');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await isOnScreen(), true);
    await page.keyboard.press('b');
    await page.keyboard.press('Tab');
    await waitFor(async () => rfb().keys.some(([key]) => key === 0xff09));
    assert.equal(await isOnScreen(), true);
    await page.keyboard.press('Shift+Escape');
  });

  step('connect again by itself', async (page) => {
    const { port } = rfb();
    stage.tab.allow(/WebSocket|Failed when connecting|Connection closed|409/);
    await rfb().close();
    await page.getByText('Connection lost. Trying again').waitFor();
    server = await startRfbServer(port);
    await page.locator('.panel:not([hidden])').getByText('Connected', { exact: true }).waitFor();
    await waitFor(async () => (await colourAt(page, 0.25)) === '255,0,0');
  });

  if (hasQemu)
    step('show that of a machine', async (page) => {
      const id = await make('VM2', 0, { ram: 32 });
      await stage.send('POST', `${lab}/nodes/${id}/start`, {});
      await nodeOf(page, 'VM2').locator('.lab-node.started').waitFor();
      await open(page, 'VM2');
      await page.locator('.panel:not([hidden])').getByText('Connected', { exact: true }).waitFor();
      // Its firmware says something in light letters.
      const bright = (): Promise<number> =>
        ofScreen(page, 'data.filter((value, index) => index % 4 === 0 && value > 120).length');
      await waitFor(async () => (await bright()) > 100, 60_000);
      await page.screenshot({ path: 'test-screenshots/vnc-machine.png' });
    });
});
