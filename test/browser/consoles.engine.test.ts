import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { CUT_OFF } from './cut-off.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { backIntoTheLab, choose, nodeOf, openConsole, screenText, typeLine, waitFor } from './walk.ts';

/** Width of a letter at the default size, in pixels. */
const CELL = 8;

/** Pixels of a picture that stand out against its upper left one, in each row. */
const inkOf = (page: Page, png: Buffer): Promise<number[]> =>
  page.evaluate<number[]>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = picture;
    const canvas = new OffscreenCanvas(width, height).getContext('2d');
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, width, height);
    return Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => 4 * (y * width + x)).filter(
        (at) => [0, 1, 2].reduce((sum, i) => sum + Math.abs(data[at + i] - data[i]), 0) > 150).length);
  })()`);

/** Of each console in front the lines that are whole and that nothing covers. */
const LINES_SEEN = `[...document.querySelectorAll('.panel:not([hidden]) .screen-place')].map((place) => {
  const { top, bottom } = place.getBoundingClientRect();
  return [...place.querySelectorAll('.xterm-rows > div')].filter((row) => {
    const box = row.getBoundingClientRect();
    const isFree = (x) => document.elementFromPoint(x, box.top + box.height / 2)?.closest('.screen-place') === place;
    return box.top >= top && box.bottom <= bottom && [box.left + 4, box.left + box.width / 2, box.right - 20].every(isFree);
  }).length;
})`;

/** Consoles as somebody works with them: several at once, in windows, after a reload. */
describe('consoles of the page', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('consoles');
  const { step } = stage;
  let lab = '';
  const front = (page: Page): Locator => page.locator('.panel:not([hidden])').first();
  const fresh = async (page: Page): Promise<void> => {
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC3').locator('.lab-node.started').waitFor();
  };
  const menuOf = async (page: Page, item: string): Promise<void> => {
    await front(page).getByRole('button', { name: 'More for this console' }).click();
    await choose(page, item);
  };

  step('begin with three nodes that run', async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    lab = await stage.lab('consoles');
    for (const [i, name] of ['PC1', 'PC2', 'PC3'].entries()) {
      const body = { name, node_type: 'vpcs', compute_id: 'local', x: -200 + 200 * i, y: 0 };
      const { node_id } = await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, body);
      await stage.send('POST', `${lab}/nodes/${node_id}/start`, {});
    }
    await fresh(page);
    await openConsole(page, 'PC1');
  });

  step('show what stands under the line', async (page) => {
    await typeLine(page, 'echo ____', /____/);
    await waitFor(() => page.evaluate<boolean>(`document.fonts.check('16px "JetBrains Mono Variable"')`));
    const row = front(page).locator('.xterm-rows > div').filter({ hasText: '____' }).first();
    const box = (await row.boundingBox()) ?? assert.fail('the row is not there');
    const ink = await inkOf(page, await page.screenshot({ clip: box }));
    assert.ok(
      Math.max(...ink.slice(Math.floor(ink.length * 0.7))) >= 3 * CELL,
      `four underscores have no line of their width: ${ink.join(' ')}`,
    );
  });

  step('have a menu: find with numbers, select all, copy, clear, save', async (page) => {
    await typeLine(page, 'echo needle needle', /needle needle[^]*needle/);
    await front(page).locator('.xterm-screen').click({ button: 'right' });
    await choose(page, 'Find');
    await page.keyboard.type('needle');
    await page
      .getByRole('search')
      .getByText(/^4 of 4$|^[1-4] of 4$/)
      .waitFor();
    const first = await page.getByRole('search').getByRole('status').innerText();
    await page.keyboard.press('Enter');
    await waitFor(async () => (await page.getByRole('search').getByRole('status').innerText()) !== first);
    await page.keyboard.press('Escape');
    await menuOf(page, 'Select all');
    await menuOf(page, 'Copy');
    await waitFor(async () => String(await page.evaluate('navigator.clipboard.readText()')).includes('needle needle'));
    const download = page.waitForEvent('download');
    await menuOf(page, 'Save as text');
    const file = await download;
    assert.equal(file.suggestedFilename(), 'PC1.txt');
    assert.match(await readFile(await file.path(), 'utf8'), /echo needle needle/);
    await page.evaluate(`navigator.clipboard.writeText('echo pasted')`);
    await menuOf(page, 'Paste');
    await waitFor(async () => (await screenText(page)).includes('echo pasted'));
    await menuOf(page, 'Clear');
    await waitFor(async () => !(await screenText(page)).includes('needle'));
  });

  step('get one line at several, and say to how many it went', async (page) => {
    await page.getByRole('button', { name: 'More for the dock' }).click();
    await page.getByRole('menuitemradio', { name: 'Send to several consoles' }).click();
    const bar = page.getByRole('region', { name: 'Send to several consoles' });
    await bar.getByRole('button', { name: 'All', exact: true }).click();
    await waitFor(async () => (await page.getByRole('tab').count()) === 3);
    await waitFor(async () => (await page.locator('.dock').getByText('Connected', { exact: true }).count()) === 3);
    await bar.getByLabel('PC2').uncheck();
    await bar.getByLabel('Line to send').fill('echo to-several');
    await page.keyboard.press('Enter');
    await bar.getByText('Sent to 2 consoles: echo to-several').waitFor();
    const counts = async (): Promise<number[]> => {
      const texts = await page.locator('.dock .xterm-rows').allTextContents();
      return texts.map((text) => text.split('to-several').length - 1);
    };
    await page.screenshot({ path: 'test-screenshots/consoles-several.png' });
    for (const name of ['PC1', 'PC3']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      await waitFor(async () => (await screenText(page)).includes('to-several'));
    }
    await page.getByRole('tab', { name: /^PC2/ }).click();
    assert.ok(!(await screenText(page)).includes('to-several'), String(await counts()));
    await bar.getByRole('button', { name: 'Stop sending to several' }).click();
  });

  step('show eight lines each, side by side under their bars', async (page) => {
    const before = page.viewportSize() ?? assert.fail('the window has no size');
    await page.setViewportSize({ width: 1366, height: 650 });
    await page.getByRole('button', { name: 'Show beside the others' }).click();
    await page.getByRole('button', { name: 'More for the dock' }).click();
    await page.getByRole('menuitemradio', { name: 'Send to several consoles' }).click();
    for (const find of await page.locator('.panel:not([hidden])').getByLabel('Search in this console').all())
      await find.click();
    await waitFor(async () => (await page.getByRole('search').count()) === 2);
    await page.getByLabel('Line to send').waitFor();
    await waitFor(async () => {
      const lines = await page.evaluate<number[]>(LINES_SEEN);
      return lines.length === 2 && Math.min(...lines) >= 8;
    });
    await page.screenshot({ path: 'test-screenshots/consoles-bars.png' });
    assert.deepEqual(await page.evaluate<string[]>(CUT_OFF), []);
    await page.getByRole('button', { name: 'Stop sending to several' }).click();
    await waitFor(async () => ((await page.locator('.lab-middle').boundingBox())?.height ?? 0) >= 0.6 * 650);
    await page.getByRole('tab', { name: /^PC2/ }).click();
    await page.locator('.pane.focused').getByRole('button', { name: 'Move to the next pane' }).click();
    await waitFor(async () => (await page.locator('.pane').count()) === 1);
    await page.setViewportSize(before);
  });

  step('are open again after a reload, and leave the focus where it is', async (page) => {
    await page.reload();
    await waitFor(async () => (await page.getByRole('tab').count()) === 3);
    await page.getByRole('tab', { name: /^PC2/, selected: true }).waitFor();
    await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
    assert.equal(await page.evaluate('document.activeElement === document.body'), true);
  });

  step('stand beside the map, or over all of it, and leave it its room otherwise', async (page) => {
    await page.setViewportSize({ width: 1366, height: 650 });
    const size = async (what: string): Promise<{ width: number; height: number }> =>
      (await page.locator(what).boundingBox()) ?? assert.fail(`there is no ${what}`);
    const edge = page.getByRole('separator', { name: 'Height of the dock' });
    await edge.focus();
    for (let i = 0; i < 10; i++) await page.keyboard.press('PageUp');
    assert.ok((await size('.lab-middle')).height >= 0.6 * 650 - 1, String((await size('.lab-middle')).height));
    await page.screenshot({ path: 'test-screenshots/consoles-below.png' });
    await page.getByRole('button', { name: 'More for the dock' }).click();
    await choose(page, 'Beside the map');
    await waitFor(async () => (await size('.lab-middle')).height > 500);
    const before = (await size('.dock')).width;
    await page.getByRole('separator', { name: 'Width of the dock' }).focus();
    await page.keyboard.press('ArrowLeft');
    await waitFor(async () => (await size('.dock')).width > before);
    await page.screenshot({ path: 'test-screenshots/consoles-beside.png' });
    await page.getByRole('button', { name: 'Maximise the dock' }).click();
    const { height, width } = await size('.lab-center');
    await waitFor(async () => (await size('.dock')).height === height && (await size('.dock')).width === width);
    await page.screenshot({ path: 'test-screenshots/consoles-large.png' });
    await page.getByRole('button', { name: 'Show the map again' }).click();
    await page.getByRole('button', { name: 'More for the dock' }).click();
    await choose(page, 'Below the map');
    await page.getByRole('separator', { name: 'Height of the dock' }).waitFor();
  });

  step('go into a window of their own, and come back', async (page) => {
    const popup = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Into a window of its own' }).click();
    const own = await popup;
    await own.getByText('Connected').waitFor();
    await own.screenshot({ path: 'test-screenshots/consoles-own.png' });
    await waitFor(async () => (await page.getByRole('tab').count()) === 2);
    await typeLine(own, 'echo from-the-window', /from-the-window/);
    await waitFor(async () => /Only you are looking/.test(await page.getByTestId('lookers').innerText()));
    await backIntoTheLab(own);
    await page.getByRole('tab', { name: /^PC2/, selected: true }).waitFor();
    await waitFor(async () => (await screenText(page)).includes('from-the-window'));
  });

  step('play a recording with one press, without its pauses', async (page) => {
    await front(page).getByRole('button', { name: 'Recordings of this console' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Play' }).first().click();
    await page.getByRole('tab', { name: /recording/, selected: true }).waitFor();
    // Nothing else is pressed.
    await waitFor(async () => (await screenText(page)).includes('PC2>'));
    await page.getByRole('checkbox', { name: 'Skip pauses' }).waitFor();
  });

  step('offer no download that would be refused', async (page) => {
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    await waitFor(async () => page.getByRole('menuitem', { name: 'Download Stop its nodes first' }).isDisabled());
    await page.keyboard.press('Escape');
  });

  step('have no findings, light and dark', async (page) => {
    await look(stage.tab, 'consoles');
    await page.screenshot({ path: 'test-screenshots/consoles-dark.png' });
  });
});
