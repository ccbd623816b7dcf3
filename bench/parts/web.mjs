import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { writeMeshedLab } from '../lab.mjs';
import { startServer } from '../server.mjs';

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const OPENING = 'opening a lab of 1,000 nodes and 1,500 links in the browser (target 2000)';
const PANNING = 'panning it, all of it in sight (target 30)';
const NEAR = 'panning it, as near as names can be read (target 30)';
/** A hand moves a mouse so often in a second, at most. */
const STEPS = 120;

/** By the page's own marks: `topolog:lab` is from the click to the lab that can be seen, `topolog:map:move` has the frames of a movement. */
export const web = async ({ runs }) => {
  const rows = [
    { what: OPENING, unit: 'ms', values: [] },
    { what: PANNING, unit: 'frames/s', values: [] },
    { what: NEAR, unit: 'frames/s', values: [] },
  ];
  if (PROGRAM === undefined) return rows;
  const server = await startServer();
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: PROGRAM, args });
  try {
    const { project_id, file } = await writeMeshedLab(server.directory);
    await server.call('POST', '/v2/projects/load', { path: file });
    for (let run = 0; run < runs; run++) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      // The page is there, and its parts: what is measured is the lab.
      await page.goto(server.url);
      await page.getByRole('link', { name: 'a thousand nodes', exact: true }).first().waitFor();
      await page.evaluate((id) => (location.hash = `#/projects/${id}`), project_id);
      rows[0].values.push((await measured(page, 'topolog:lab')).duration);
      rows[1].values.push(await pan(page));
      await page.mouse.move(640, 400);
      for (let n = 0; n < 8; n++) await page.mouse.wheel(0, -240);
      rows[2].values.push(await pan(page));
      await page.close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  return rows;
};

/** The last measure of that name, once there is one. */
const measured = async (page, name) => {
  const found = await page.waitForFunction((wanted) => {
    const last = performance.getEntriesByName(wanted).at(-1);
    return last && { duration: last.duration, detail: last.detail };
  }, name);
  return found.jsonValue();
};

/** Drags the map in a circle; frames in a second. */
const pan = async (page) => {
  await page.evaluate(() => performance.clearMeasures('topolog:map:move'));
  // A place without anything that would be dragged instead.
  const [x, y] = await emptyPlace(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  const begin = Date.now();
  for (let n = 1; n <= STEPS; n++) {
    const angle = (2 * Math.PI * n) / STEPS;
    await page.mouse.move(x + 150 * Math.sin(angle), y + 150 * (1 - Math.cos(angle)));
    const ahead = begin + (n * 1000) / 60 - Date.now();
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
  }
  await page.mouse.up();
  const { duration, detail } = await measured(page, 'topolog:map:move');
  return (detail.frames * 1000) / duration;
};

const emptyPlace = (page) =>
  page.evaluate(() => {
    // The map itself, or a drawing that is locked.
    const isFree = (at) =>
      at?.closest('.react-flow__pane') !== null &&
      at?.closest('.react-flow__edge, .react-flow__node.draggable, button, .react-flow__panel') === null;
    for (let y = 200; y < 600; y += 7)
      for (let x = 300; x < 1000; x += 7) if (isFree(document.elementFromPoint(x, y))) return [x, y];
    throw new Error('the map has no empty place');
  });
