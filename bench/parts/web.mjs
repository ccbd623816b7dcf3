import { chromium } from 'playwright-core';
import { program } from '../../scripts/chromium.mjs';
import { writeMeshedLab } from '../lab.mjs';
import { startServer } from '../server.mjs';
import { longSession } from './web-long.mjs';

const OPENING = 'opening a lab of 1,000 nodes and 1,500 links in the browser (target 2000)';
const PANNING = 'panning it, all of it in sight (target 30)';
const NEAR = 'panning it, as near as names can be read (target 30)';
const FIRST = 'octets of the first load, without what is loaded when it is wanted (target 250)';
const OPEN = 'opening a lab of 3,000 nodes and 4,050 links (target 3000)';
/** Of that lab; of frames, what 95 of 100 take less than. */
const LARGE = {
  far: 'a frame while it is panned, all of it in sight (target 33)',
  middle: 'a frame while it is panned, with symbols and names (target 33)',
  near: 'a frame while it is panned, as near as names of ports can be read (target 33)',
  zoom: 'a frame while it is zoomed in and out, from far away (target 33)',
  out: 'a frame while it is zoomed out and in, from near (target 33)',
  drag: 'a frame while 400 of its nodes are dragged (target 50)',
};
/** A machine with other things to do shows frames late; this says what they cost. */
const PROCESSOR = 'processor of the page for each step of it';
/** A hand moves a mouse so often in a second, at most. */
const STEPS = 120;

/** By the page's own marks: `topolog:lab` is from the click to the lab that can be seen, `topolog:map:move` has the frames of a movement. */
export const web = async ({ runs }) => {
  const rows = [
    { what: OPENING, unit: 'ms', values: [] },
    { what: PANNING, unit: 'frames/s', values: [] },
    { what: NEAR, unit: 'frames/s', values: [] },
    { what: FIRST, unit: 'KB', values: [] },
    { what: OPEN, unit: 'ms', values: [] },
    ...Object.values(LARGE).flatMap((what) => [what, PROCESSOR].map((one) => ({ what: one, unit: 'ms', values: [] }))),
  ];
  if (program === undefined) return rows;
  const server = await startServer();
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: program, args });
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
      const values = [await firstLoad(browser, server), ...(await largeLab(browser, server, large))];
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

/** Of files of the page, as they are sent, for somebody who was never there. */
const firstLoad = async (browser, server) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url, { waitUntil: 'load' });
  await page.getByRole('link', { name: 'a thousand nodes', exact: true }).first().waitFor();
  const octets = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name }) => !name.includes('/v2/'))
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
  );
  await context.close();
  return octets / 1000;
};

/** The time it takes to open, and in the order of LARGE. */
const largeLab = async (browser, server, project_id) => {
  const page = await opened(browser, server, project_id);
  const open = (await measured(page, 'topolog:lab')).duration;
  const far = await costOf(page, () => circle(page));
  const zoom = await costOf(page, () => wheel(page, -40));
  const drag = await costOf(page, await dragOf(page));
  await page.keyboard.press('Escape');
  await page.mouse.move(640, 400);
  await nearer(page, '.map:not(.far)');
  const middle = await costOf(page, () => circle(page));
  await nearer(page, '.map.near');
  const near = await costOf(page, () => circle(page));
  const out = await costOf(page, () => wheel(page, 40));
  await page.close();
  return [open, ...far, ...middle, ...near, ...zoom, ...out, ...drag];
};

/** Until the map is drawn that way, and all that is seen of it is there. */
const nearer = async (page, selector) => {
  while ((await page.locator(selector).count()) === 0) {
    await page.mouse.wheel(0, -60);
    await page.locator('.map:not(.far) .far-layer').waitFor({ state: 'detached' });
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
};

/** What `slowFrames` answers, and the processor time of the page's thread for each step, milliseconds. */
const costOf = async (page, move) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const used = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const before = await used();
  const slow = await slowFrames(page, move);
  const cost = (await used()) - before;
  await session.detach();
  return [slow, cost / STEPS];
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

/** There and back. */
const wheel = async (page, by) => {
  await page.mouse.move(640, 400);
  await paced(STEPS, (n) => page.mouse.wheel(0, n <= STEPS / 2 ? by : -by));
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
    // A map that is fitted moves as well, without a frame.
    const last = performance.getEntriesByName(wanted).findLast(({ detail }) => detail?.frames !== 0);
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
