import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SHORTEST, writeLongLog } from '../long-log.mjs';
import { startServer } from '../server.mjs';

/** Another length for a short run. */
const EVENTS = Number(process.env.TOPOLOG_BENCH_EVENTS ?? 1_000_000);
const SHORT = 1000;
const PAGE = 1000;
/** The most events that a crash leaves beyond the last note of how far the log is whole, and a batch: see src/events/log/log.ts. */
const UNCHECKED = 24_000;
const READS = 20;

const program = path.resolve(import.meta.dirname, '../../dist/bin/cli/topolog.js');
const product = (name) => import(pathToFileURL(path.resolve(import.meta.dirname, `../../dist/src/${name}.js`)).href);

/** What a long log costs: starts on it beside starts on a short one with the same records, rebuilding, reading what was. */
export const history = async ({ runs, nodeFlags }) => {
  if (EVENTS < 20 * SHORTEST) throw new Error(`TOPOLOG_BENCH_EVENTS must be ${20 * SHORTEST} at least`);
  const directory = await mkdtemp(path.join(process.env.TOPOLOG_BENCH_DIR ?? tmpdir(), 'topolog-bench-'));
  const [short, long] = [path.join(directory, 'short'), path.join(directory, 'long')];
  try {
    await writeLongLog(short, SHORT);
    const begin = performance.now();
    const [{ project_id }] = await writeLongLog(long, EVENTS);
    process.stderr.write(`history: ${number(EVENTS)} events written in ${Math.round(performance.now() - begin)} ms\n`);
    return [
      ...(await starts({ short, long, runs })),
      ...(await rebuilds(long, Math.min(runs, 3))),
      ...(await reads({ long, project_id, runs, nodeFlags })),
      await verify(long, project_id),
    ];
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
};

const number = (n) => n.toLocaleString('en-US');

/** Until it listens, the two logs taking turns; then the same with the last notes of how far the log is whole gone, as in a crash. */
const starts = async ({ short, long, runs }) => {
  const times = { short: [], long: [], shortCrash: [], longCrash: [] };
  for (let run = 0; run <= runs; run++)
    for (const [name, dataDir] of Object.entries({ short, long })) {
      const clean = await start(dataDir);
      await forget(dataDir);
      const crash = await start(dataDir);
      // The first one has everything to read from the disk, and is not counted.
      if (run === 0) continue;
      times[name].push(clean);
      times[`${name}Crash`].push(crash);
    }
  const limit = `with ${number(SHORT)}`;
  return [
    {
      what: `start of the server with ${number(EVENTS)} events (target 1.5)`,
      unit: 'ms',
      values: times.long,
      limit,
      limits: times.short,
    },
    {
      what: 'the same after a crash (target 1.5)',
      unit: 'ms',
      values: times.longCrash,
      limit,
      limits: times.shortCrash,
    },
  ];
};

const start = async (dataDir) => {
  const begin = performance.now();
  const server = await startServer([], ['--data-dir', dataDir]);
  const took = performance.now() - begin;
  await server.stop();
  return took;
};

const forget = async (dataDir) => {
  const { KEYS } = await product('events/store/store');
  await withStore(dataDir, async (store) => {
    const checked = Number(await store.get(KEYS.checked));
    const op = { type: 'put', key: KEYS.checked, value: String(Math.max(0, checked - UNCHECKED)) };
    await store.batch([op], { sync: true });
  });
};

/** By the server's own store, which keeps a checksum with each entry. */
const withStore = async (dataDir, use) => {
  const { levelStore } = await product('events/store/level-store');
  const store = await levelStore(path.join(dataDir, 'log'))();
  await use(store);
  await store.close();
};

/** Of the whole command, with the start of its process. */
const rebuilds = async (dataDir, runs) => {
  const rates = [];
  const memory = [];
  for (let run = 0; run < runs; run++) {
    const { took, mib } = await command('rebuild', '--check', '--data-dir', dataDir);
    rates.push(EVENTS / (took / 1000));
    if (mib !== null) memory.push(mib);
  }
  return [
    { what: 'events rebuilt from (target 200,000/s)', unit: '/s', values: rates },
    { what: 'memory of that at its most', unit: 'MiB', values: memory },
  ];
};

/** For information: every event, hash, index entry, record and checkpoint. */
const verify = async (dataDir, project_id) => {
  const { took, output } = await command('verify', '--project', project_id, '--data-dir', dataDir);
  const events = Number(/(\d+) events/.exec(output)?.[1]);
  return { what: `events of one project verified (${number(events)})`, unit: '/s', values: [events / (took / 1000)] };
};

const command = async (...args) => {
  const begin = performance.now();
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  let mib = null;
  const watch = setInterval(() => {
    // Private memory: files that are only mapped, as LevelDB's are, can be dropped at any time.
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (mib = Math.max(mib ?? 0, Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)),
      () => undefined,
    );
  }, 100);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  if (code !== 0) throw new Error(`topolog ${args.join(' ')} ends with ${code}: ${output}`);
  return { took: performance.now() - begin, mib, output };
};

const reads = async ({ long, project_id, runs, nodeFlags }) => {
  const ofProject = Math.floor(EVENTS / 10);
  let server = await startServer(nodeFlags, ['--data-dir', long]);
  const timed = async (where) => {
    const begin = performance.now();
    await server.call('GET', where);
    return performance.now() - begin;
  };
  /** Spread over the whole log; never the same twice. */
  const spread = (n) => Math.floor(EVENTS * (0.03 + 0.9 * ((n * 0.618034) % 1)));
  const many = async (where) => {
    const times = [];
    await timed(where(spread(READS)));
    for (let n = 0; n < READS; n++) times.push(await timed(where(spread(n))));
    return times;
  };
  try {
    const ms = 'ms';
    const rows = [
      {
        what: `page of ${number(PAGE)} events of ${number(EVENTS)} (target 30 ms)`,
        unit: ms,
        values: await many((n) => `/v2/events?from=${n}&limit=${PAGE}`),
      },
      {
        what: 'the same of one of 10 projects (target 30 ms)',
        unit: ms,
        values: await many((n) => `/v2/projects/${project_id}/events?from=${n}&limit=${PAGE}`),
      },
      {
        what: `nodes ?at= in a project of ${number(ofProject)} events (target 300 ms)`,
        unit: ms,
        values: await many((n) => `/v2/projects/${project_id}/nodes?at=${n}`),
      },
    ];
    const cold = [];
    for (let run = 0; run < Math.min(runs, 3); run++) {
      await server.stop();
      await withoutCheckpoints(long);
      server = await startServer(nodeFlags, ['--data-dir', long]);
      cold.push(await timed(`/v2/projects/${project_id}/nodes?at=${Math.floor(EVENTS * 0.99)}`));
    }
    rows.push({ what: 'the first one in a log of an earlier version, without checkpoints', unit: ms, values: cold });
    return rows;
  } finally {
    await server.stop();
  }
};

const withoutCheckpoints = async (dataDir) => {
  const { dropCheckpoints } = await product('projections/past/moments');
  await withStore(dataDir, dropCheckpoints);
};
