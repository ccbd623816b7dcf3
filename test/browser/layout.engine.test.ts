import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { choose, nodeOf, settles, waitFor } from './walk.ts';

interface Node {
  node_id: string;
  name: string;
  x: number;
  y: number;
}

describe('a lab that is arranged and exported', { skip: noBrowser, timeout: 180_000 }, () => {
  const stage = createStage('layout');
  const { step } = stage;
  let lab = '';
  const nodes = (): Promise<Node[]> => stage.read(`${lab}/nodes`);
  const placesOf = (all: readonly Node[]): string => JSON.stringify(all.map(({ name, x, y }) => [name, x, y]));
  const mapMenu = async (page: Page, item: string): Promise<void> => {
    await page.locator('.react-flow__pane').click({ button: 'right', position: { x: 90, y: 20 } });
    await choose(page, item);
  };
  const panel = (page: Page) => page.getByRole('region', { name: 'Layout' });
  const isComputed = (page: Page): Promise<void> =>
    panel(page)
      .getByText(/^\d+ nodes$/)
      .waitFor();

  step('is shown as it would be, and left alone when that is called off', async (page) => {
    lab = await stage.lab('tangle');
    for (let n = 0; n < 7; n++) {
      const body = { name: `S${n}`, node_type: 'ethernet_switch', compute_id: 'local', x: n * 3, y: n * 2 };
      await stage.send('POST', `${lab}/nodes`, body);
    }
    const made = await nodes();
    for (let n = 1; n < 7; n++) {
      const ends = [made[0]?.node_id, made[n]?.node_id];
      const body = {
        nodes: ends.map((node_id, side) => ({ node_id, adapter_number: 0, port_number: side === 0 ? n - 1 : 0 })),
      };
      await stage.send('POST', `${lab}/links`, body);
    }
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'S6').waitFor();
    const before = placesOf(await nodes());
    await mapMenu(page, 'Arrange automatically …');
    for (const name of ['Even distances', 'Forces', 'Tree', 'Circles around a middle', 'Grid', 'Layers']) {
      await panel(page).getByRole('combobox').selectOption(name);
      await isComputed(page);
      await stage.tab.screenshot(`layout-${name}`);
    }
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'hidden' });
    assert.equal(placesOf(await nodes()), before);
  });

  step('is arranged for everybody by one edit, and no node covers another', async (page) => {
    const { events } = await stage.read<{ events: { position: number }[] }>(`${lab}/events?limit=1000`);
    await mapMenu(page, 'Arrange automatically …');
    await isComputed(page);
    await panel(page).getByRole('button', { name: 'Apply' }).click();
    await waitFor(async () => new Set((await nodes()).map(({ y }) => y)).size === 2);
    const places = await nodes();
    for (const a of places)
      for (const b of places)
        assert.ok(a === b || Math.abs(a.x - b.x) >= 65 || Math.abs(a.y - b.y) >= 65, `${a.name} covers ${b.name}`);
    const after = await stage.read<{ events: { position: number }[] }>(`${lab}/events?limit=1000`);
    assert.ok(after.events.length - events.length <= 7);
  });

  step('is saved as SVG and as PNG in three sizes', async (page) => {
    const save = async (item: string): Promise<Buffer> => {
      await mapMenu(page, 'Export …');
      const [download] = await Promise.all([page.waitForEvent('download'), choose(page, item)]);
      assert.match(download.suggestedFilename(), /^tangle\.(svg|png)$/);
      return readFile(await download.path());
    };
    const svg = (await save('SVG')).toString();
    assert.equal(svg, await (await fetch(`${stage.server.url}${lab}/picture.svg`)).text());
    const width = Math.ceil(Number(/width="([\d.]+)"/.exec(svg)?.[1]));
    for (const scale of [1, 2, 4]) {
      const png = await save(`PNG, ${scale}×`);
      assert.equal(png.toString('latin1', 1, 4), 'PNG');
      assert.ok(Math.abs(png.readUInt32BE(16) - width * scale) <= scale, `${scale}: ${png.readUInt32BE(16)}`);
      assert.ok(png.length > 2_000 * scale, 'the picture is empty');
    }
  });

  step('is alone on the page that is printed', async (page) => {
    await page.evaluate(
      'globalThis.print = () => { globalThis.printed = document.querySelectorAll(".print-picture").length; }',
    );
    await mapMenu(page, 'Export …');
    await choose(page, 'Print …');
    await waitFor(() => page.evaluate<boolean>('globalThis.printed === 1'));
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.locator('.print-picture').isVisible());
    await settles(() => page.getByRole('toolbar', { name: 'Map' }).isVisible(), false);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    await settles(() => page.locator('.print-picture').count(), 0);
  });
});
