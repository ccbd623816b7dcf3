import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeLongLog } from '../long-log.mjs';
import { startServer } from '../server.mjs';

/** Another length for a short run. */
const EVENTS = Number(process.env.TOPOLOG_BENCH_EVENTS ?? 1_000_000);
const number = EVENTS.toLocaleString('en-US');
/** From one event to the next, milliseconds: no session is as dense as a log that a program writes. */
const APART = 700;
const LONG = {
  cold: `opening a lab of ${number} events with its time line, right after a start (target 2000)`,
  open: 'the same again (target 2000)',
  frame: 'a frame while the time line of it is zoomed and panned (target 33)',
};
const HEAPS = ['heap of the page with it open', 'the same after its time line was zoomed, panned and searched'];
const TURNS = 40;
const INDEX_MS = 300_000;

/** How a session of very many events opens, and what the page keeps of it. `tools`: of the part that measures labs. */
export const longSession = async (browser, { runs }, { slowFrames, paced }) => {
  const rows = [
    ...Object.values(LONG).map((what) => ({ what, unit: 'ms', values: [] })),
    ...HEAPS.map((what) => ({ what, unit: 'MiB', values: [] })),
  ];
  const directory = await mkdtemp(path.join(process.env.TOPOLOG_BENCH_DIR ?? tmpdir(), 'topolog-bench-'));
  try {
    const [{ project_id }] = await writeLongLog(directory, EVENTS, { projects: 1, apart: APART });
    await indexed(directory, project_id);
    for (let run = 0; run < runs; run++) {
      const server = await startServer([], ['--data-dir', directory]);
      try {
        rows[0].values.push((await opened(browser, server, project_id)).took);
        const { page, took } = await opened(browser, server, project_id, true);
        rows[1].values.push(took);
        rows[3].values.push(await heapOf(page));
        rows[2].values.push(await slowFrames(page, () => about(page, paced)));
        await search(page);
        rows[4].values.push(await heapOf(page));
        await page.close();
      } finally {
        await server.stop();
      }
    }
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  return rows;
};

/** An index is made once in the life of a log. */
const indexed = async (directory, project_id) => {
  const server = await startServer([], ['--data-dir', directory]);
  try {
    for (const end = Date.now() + INDEX_MS; ;) {
      const { indexed: done, of } = await server.call('GET', `/v2/projects/${project_id}/timeline`);
      if (done === of) return;
      if (Date.now() > end) throw new Error(`the index is not made: ${done} of ${of}`);
    }
  } finally {
    await server.stop();
  }
};

/** From the click until the map and the whole bar can be seen. */
const opened = async (browser, server, project_id, isKept = false) => {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  await page.addInitScript(() => localStorage.setItem('topolog.frame', '{"isTimeLineOpen":true}'));
  await page.goto(server.url);
  await page.getByRole('link', { name: 'lab 0', exact: true }).first().waitFor();
  const took = await page.evaluate(
    (id) =>
      new Promise((resolve) => {
        const begin = performance.now();
        location.hash = `#/projects/${id}`;
        const look = () => {
          const hasMap = document.querySelector('.react-flow__node .node-symbol img') !== null;
          const hasBar = document.querySelector('.time-line .lane[d^="M"]') !== null;
          const isWhole = document.querySelector('.time-line .where [role=status]') === null;
          if (hasMap && hasBar && isWhole) resolve(performance.now() - begin);
          else requestAnimationFrame(look);
        };
        look();
      }),
    project_id,
  );
  if (!isKept) await page.close();
  return { page, took };
};

/** Octets that are still used, in MiB. */
const heapOf = async (page) => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
};

/** Into the bar and out of it, and along it. */
const about = async (page, paced) => {
  const { x, y, width } = await page.locator('.time-line .bar').boundingBox();
  await page.mouse.move(x + width / 3, y + 20);
  await paced(TURNS, () => page.mouse.wheel(0, -60));
  await paced(TURNS, (n) => page.mouse.wheel(n % 20 < 10 ? 60 : -60, 0));
  await paced(TURNS, () => page.mouse.wheel(0, 60));
};

const search = async (page) => {
  await page.getByTitle('What happened').click();
  const list = page.getByRole('region', { name: 'What happened' });
  await list.locator('.event').first().waitFor();
  await list.getByLabel('Search the events').fill('PC7');
  await list.getByText('PC7').first().waitFor();
  for (let n = 0; n < TURNS; n++)
    await list.locator('.events-scroll').evaluate((element, share) => {
      element.scrollTop = element.scrollHeight * share;
    }, n / TURNS);
  await list.locator('.event').first().waitFor();
};
