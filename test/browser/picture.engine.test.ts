import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { tempDir } from '../support/temp.ts';
import { noBrowser } from './browser.ts';
import { pictureLabs } from './picture-labs.ts';
import { createStage } from './stage.ts';
import { waitFor } from './walk.ts';

/** Of all pixels, that may be another colour. */
const MOST = 0.01;
/** Of those that are not paper, where letters are laid out by two programs. */
const MOST_DRAWN = 0.1;
/** Of 255: less is the edge of a line or letter that stands between two pixels. */
const ALIKE = 48;
const PICTURES = path.resolve('test-screenshots', 'pictures');

/** The lab is there, with all of its pictures. */
const SHOWN = `performance.getEntriesByName('topolog:lab').length > 0 && document.querySelector('.no-picture') === null
  && [...document.querySelectorAll('.drawing-node')].every((one) => one.querySelector('img') !== null)
  && [...document.querySelectorAll('.react-flow__node img')].every(({ complete }) => complete)`;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where the map has its origin on the screen, its scale, and its place on the page. */
const placing = (page: Page): Promise<{ x: number; y: number; zoom: number; box: Box }> =>
  page.evaluate(`(() => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform);
    const { x, y, width, height } = document.querySelector('.react-flow').getBoundingClientRect();
    return { x: x + e, y: y + f, zoom: a, box: { x, y, width, height } };
  })()`);

/** Share of the pixels of two pictures that are not alike, and of those among them that are not paper. */
const difference = (page: Page, one: Buffer, other: Buffer): Promise<{ all: number; drawn: number }> =>
  page.evaluate(`(async () => {
    const pixels = async (base64, scale) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const [width, height] = [Math.floor(picture.width * scale), Math.floor(picture.height * scale)];
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas.drawImage(picture, 0, 0, width, height);
      return canvas.getImageData(0, 0, width, height);
    };
    const compared = async (scale) => {
      const [a, b] = [await pixels('${one.toString('base64')}', scale), await pixels('${other.toString('base64')}', scale)];
      if (a.width !== b.width || a.height !== b.height) throw new Error('the pictures have not the same size');
      let [differing, drawn] = [0, 0];
      for (let at = 0; at < a.data.length; at += 4) {
        if ([0, 1, 2].some((part) => Math.abs(a.data[at + part] - b.data[at + part]) > ${ALIKE})) differing += 1;
        if ([0, 1, 2].some((part) => Math.min(a.data[at + part], b.data[at + part]) < 255)) drawn += 1;
      }
      return { all: differing / (a.width * a.height), drawn: differing / drawn };
    };
    // A quarter as large, a line that stands between two pixels differs less than one that is elsewhere.
    return { all: (await compared(1)).all, drawn: (await compared(0.25)).drawn };
  })()`);

describe('a lab on the map and in its picture', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('picture');
  const { step, send } = stage;
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let reference: Page;
  /** Of each lab: its name, the map, and its own picture drawn in the same place. */
  const taken: { name: string; map: Buffer; picture: Buffer }[] = [];
  before(async () => {
    dir = await tempDir();
    await mkdir(PICTURES, { recursive: true });
  });
  after(() => dir.remove());

  step('opens a page whose typefaces the picture is drawn with', async () => {
    reference = await stage.browser.newPage({ viewport: { width: 1280, height: 800 } });
    await reference.goto(stage.server.url);
    await reference.getByText('No project yet').waitFor();
    await reference.evaluate('document.fonts.load("700 13px Inter Variable")');
    await reference.evaluate('document.querySelector("#root").remove()');
  });

  for (const [name, file] of pictureLabs())
    step(`are alike: ${name}`, async (page) => {
      const place = path.join(dir.path, `${name}.gns3`);
      await writeFile(place, file);
      const { project_id } = await send<{ project_id: string }>('POST', '/v2/projects/load', { path: place });
      await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
      await page.goto(`${stage.server.url}/#/projects/${project_id}`);
      await page.locator('.react-flow__node').first().waitFor();
      // It comes later than the map, and takes of its room.
      await page.getByRole('complementary', { name: 'Project' }).waitFor();
      await waitFor(() => page.evaluate<boolean>(SHOWN));
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      await page.emulateMedia({ colorScheme: 'light', media: 'print' });
      const { x, y, zoom, box } = await placing(page);
      const map = await page.screenshot({ clip: box });
      const svg = await (await fetch(`${stage.server.url}/v2/projects/${project_id}/picture.svg`)).text();
      await reference.evaluate(
        `(async () => {
          document.body.innerHTML = ${JSON.stringify(svg)};
          const svg = document.querySelector('svg');
          // All of the page is its paper, so that nothing is moved to the next whole pixel.
          svg.style = 'position: fixed; inset: 0; width: 100%; height: 100%';
          svg.setAttribute('viewBox', [${-x / zoom}, ${-y / zoom}, innerWidth / ${zoom}, innerHeight / ${zoom}].join(' '));
          document.body.style.background = '#fff';
          await Promise.all([...document.querySelectorAll('image')].map((image) => image.decode()));
        })()`,
      );
      const picture = await reference.screenshot({ clip: box });
      taken.push({ name, map, picture });
      await writeFile(path.join(PICTURES, `${name}, map.png`), map);
      await writeFile(path.join(PICTURES, `${name}, picture.png`), picture);
      const { all, drawn } = await difference(page, map, picture);
      assert.ok(all <= MOST, `${(all * 100).toFixed(2)} % of the pixels differ`);
      assert.ok(drawn <= MOST_DRAWN, `${(drawn * 100).toFixed(2)} % of what is drawn differs`);
    });

  step('would differ if they were of different labs', async (page) => {
    for (const [index, { name, map }] of taken.entries()) {
      const other = taken[(index + 1) % taken.length];
      assert.ok(other !== undefined && (await difference(page, map, other.picture)).drawn > MOST_DRAWN, name);
    }
  });
});
