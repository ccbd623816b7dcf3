import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { writeMeshedLab } from '../lab.mjs';
import { startServer } from '../server.mjs';
import { longSession } from './web-long.mjs';

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const OPENING = 'opening a lab of 1,000 nodes and 1,500 links in the browser (target 2000)';
const PANNING = 'panning it, all of it in sight (target 30)';
const NEAR = 'panning it, as near as names can be read (target 30)';
/** Of 3,000 nodes and 4,050 links; of frames, what 95 of 100 take less than. */
const LARGE = {
  open: 'opening a lab of 3,000 nodes and 4,050 links (target 3000)',
  far: 'a frame while it is panned, all of it in sight (target 33)',
  middle: 'a frame while it is panned, with symbols and names (target 33)',
  near: 'a frame while it is panned, as near as names of ports can be read (target 33)',
  zoom: 'a frame while it is zoomed in and out (target 33)',
  drag: 'a frame while 400 of its nodes are dragged (target 50)',
};
/** A hand moves a mouse so often in a second, at most. */
const STEPS = 120;

/** By the page's own marks: `topolog:lab` is from the click to the lab that can be seen, `topolog:map:move` has the frames of a movement. */
export const web = async ({ runs }) => {
  const rows = [
    { what: OPENING, unit: 'ms', values: [] },
    { what: PANNING, unit: 'frames/s', values: [] },
    { what: NEAR, unit: 'frames/s', values: [] },
    ...Object.values(LARGE).map((what) => ({ what, unit: 'ms', values: [] })),
  ];
  if (PROGRAM === undefined) return rows;
  const server = await startServer();
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: PROGRAM, args });
  try {
    const mesh = await loaded(server, {});
    const large = await loaded(server, { nodes: 3_000, switches: 150, between: 8, name: 'three thousand nodes' });
    for (let run = 0; run < runs; run++) {
      const page = await opened(browser, server, mesh);
      rows[0].values.push((await measured(page, 'topolog:lab')).duration);
      rows[1].values.push(await pan(page));
      await page.mouse.move(640, 400);
      for (let n = 0; n < 8; n++) await page.mouse.wheel(0, -240);
      rows[2].values.push(await pan(page));
      await page.close();
      const values = await largeLab(browser, server, large);
      for (const [index, value] of values.entries()) rows[3 + index].values.push(value);
    }
    rows.push(...(await longSession(browser, { runs }, { slowFrames, paced })));
  } finally {
    await browser.close();
    await server.stop();
  }
  return rows;
};

const loaded = async (server, shape) => {
  const { project_id, file } = await writeMeshedLab(server.directory, shape);
  await server.call('POST', '/v2/projects/load', { path: file });
  return project_id;
};

/** The page is there, and its parts: what is measured is the lab. */
const opened = async (browser, server, project_id) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.url);
  await page.getByRole('link', { name: 'a thousand nodes', exact: true }).first().waitFor();
  await page.evaluate((id) => (location.hash = `#/projects/${id}`), project_id);
  return page;
};

/** In the order of LARGE. */
const largeLab = async (browser, server, project_id) => {
  const page = await opened(browser, server, project_id);
  const open = (await measured(page, 'topolog:lab')).duration;
  const far = await slowFrames(page, () => circle(page));
  const zoom = await slowFrames(page, () => wheel(page));
  const drag = await slowFrames(page, await dragOf(page));
  await page.keyboard.press('Escape');
  await page.mouse.move(640, 400);
  for (let n = 0; n < 5; n++) await page.mouse.wheel(0, -240);
  const middle = await slowFrames(page, () => circle(page));
  for (let n = 0; n < 4; n++) await page.mouse.wheel(0, -240);
  const near = await slowFrames(page, () => circle(page));
  await page.close();
  return [open, far, middle, near, zoom, drag];
};

/** 95 of 100 frames took less, milliseconds. */
const slowFrames = async (page, move) => {
  await page.evaluate(() => {
    const frames = [];
    let last = performance.now();
    const count = (now) => {
      frames.push(now - last);
      last = now;
      if (globalThis.benchFrames === frames) requestAnimationFrame(count);
    };
    globalThis.benchFrames = frames;
    requestAnimationFrame(count);
  });
  await move();
  return page.evaluate(() => {
    const frames = globalThis.benchFrames;
    globalThis.benchFrames = null;
    const sorted = frames.slice(1).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  });
};

/** As often as a screen has frames. */
const paced = async (steps, step) => {
  const begin = Date.now();
  for (let n = 1; n <= steps; n++) {
    await step(n);
    const ahead = begin + (n * 1000) / 60 - Date.now();
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
  }
};

const wheel = async (page) => {
  await page.mouse.move(640, 400);
  await paced(STEPS, (n) => page.mouse.wheel(0, n <= STEPS / 2 ? -40 : 40));
};

/** Selects about 400 nodes by a box, and answers what drags them. */
const dragOf = async (page) => {
  await page.keyboard.press('0');
  const [x, y] = await emptyPlace(page);
  await page.keyboard.down('Shift');
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let side = 20; side < 600; side += 20) {
    await page.mouse.move(x + side, y + side);
    const count = await page.evaluate(() => parseInt(document.querySelector('.inspector h2')?.textContent ?? '', 10));
    if (count >= 400) break;
  }
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const place = await page.evaluate(() => {
    const box = document.querySelector('.react-flow__nodesselection-rect')?.getBoundingClientRect();
    return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  if (place === undefined) throw new Error('no nodes were selected');
  return async () => {
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await paced(STEPS, (n) => page.mouse.move(place.x + n, place.y + Math.sin(n / 10) * 40));
    await page.mouse.up();
  };
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
  await circle(page);
  const { duration, detail } = await measured(page, 'topolog:map:move');
  return (detail.frames * 1000) / duration;
};

const circle = async (page) => {
  // A place without anything that would be dragged instead.
  const [x, y] = await emptyPlace(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await paced(STEPS, (n) => {
    const angle = (2 * Math.PI * n) / STEPS;
    return page.mouse.move(x + 150 * Math.sin(angle), y + 150 * (1 - Math.cos(angle)));
  });
  await page.mouse.up();
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
