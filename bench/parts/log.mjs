import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { appendFor, bareLevel, barePostgres, bareWriter, MOST_WRITERS, openLog } from '../appends.mjs';
import { copyToCell } from '../copy-to-cell.mjs';
import { SHORTEST, writeLongLog } from '../long-log.mjs';
import { lag } from '../lag.mjs';
import { startServer } from '../server.mjs';
import { percentile } from '../statistics.mjs';

const compiled = (name) => import(pathToFileURL(path.resolve(import.meta.dirname, `../../dist/${name}.js`)).href);

const SHORT = 1_000;
/** Of what the package `pg` does alone, and LevelDB alone. */
const TARGETS = { postgres: { [MOST_WRITERS]: 0.8 }, level: {} };
/** Longer than a loaded machine keeps a server waiting. Milliseconds, and as a flag. */
const LEASE_MS = 60_000;
const LEASE = ['--lease', '60'];
/** statfs(2): what lies there is on no disk. */
const TMPFS = 0x01021994;

/** The log on LevelDB, in PostgreSQL alone, and with a synchronous standby of PostgreSQL; starts on a long log; how far a standby is behind. */
export const log = async ({ runs, quick }) => {
  const place = process.env.TOPOLOG_BENCH_DIR ?? tmpdir();
  if ((await statfs(place)).type === TMPFS)
    throw new Error(`${place} is memory: TOPOLOG_BENCH_DIR must name a directory on a disk`);
  const { noPostgres, startPostgres } = await compiled('test/support/postgres');
  const directory = await mkdtemp(path.join(place, 'topolog-bench-'));
  const sizes = {
    runs,
    seconds: quick ? 0.3 : 2,
    events: quick ? 2 * SHORTEST : 1_000_000,
    lagSeconds: quick ? 2 : 10,
  };
  try {
    const rows = await onLevel(path.join(directory, 'level'), sizes);
    const missing = noPostgres();
    if (missing !== false) return [...rows, { what: `appends in PostgreSQL: ${missing}`, unit: '/s', values: [] }];
    // Its directories are on the disk of the others.
    process.env.TMPDIR = place;
    const databases = [await startPostgres({ max_wal_size: '8GB' })];
    let stopping;
    const stop = () => (stopping ??= Promise.all(databases.map((database) => database.stop())));
    // What is interrupted leaves no database behind either.
    const interrupted = async (signal) => {
      await stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted);
    try {
      return [...rows, ...(await onPostgres(databases, directory, sizes))];
    } finally {
      await stop();
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
    }
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
};

const onLevel = async (place, sizes) => {
  const { levelStore } = await compiled('src/events/store/level-store');
  await mkdir(place);
  const own = await openLog(levelStore(path.join(place, 'log')));
  const bare = await bareLevel(path.join(place, 'bare'));
  try {
    return await appends({ own, bare, where: 'LevelDB', limit: 'LevelDB', targets: TARGETS.level }, sizes);
  } finally {
    await own.close();
    await bare.close();
  }
};

/** By one writer and by many, beside the same octets past our code; the two take turns. */
const appends = async ({ own, bare, where, limit, targets }, { runs, seconds }) => {
  const rows = [];
  for (const writers of [1, MOST_WRITERS]) {
    const past = (bare.writers ??= {})[writers] ?? (await bareWriter(bare, writers));
    bare.writers[writers] = past;
    await appendFor(own, writers, seconds);
    await past(seconds);
    const [results, limits] = [[], []];
    for (let run = 0; run < runs; run++) {
      results.push(await appendFor(own, writers, seconds));
      limits.push(await past(seconds));
    }
    const who = writers === 1 ? '1 writer' : `${writers} writers`;
    rows.push(
      {
        ...{ what: `appends by ${who}, ${where}`, unit: '/s', values: results.map(({ perSecond }) => perSecond) },
        ...{ limit: `${limit} alone, the same octets`, limits, target: targets[writers] },
      },
      { what: 'time of such an append, 99 of 100', unit: 'ms', values: results.map((r) => percentile(r.times, 0.99)) },
    );
  }
  return rows;
};

/** `databases`: the first one, to which its standby is added. */
const onPostgres = async (databases, directory, sizes) => {
  const [postgres] = databases;
  const { openCell } = await compiled('src/events/open-cell');
  const report = (message) => process.stderr.write(`log: ${message}\n`);
  const cellOf = async (database) =>
    openCell({
      log: await postgres.create(database),
      ...{ name: 'bench', key: null, leaseMs: LEASE_MS, create: true, report },
    });
  const cell = await cellOf('own');
  // For its tables.
  await (await cellOf('bare')).close();
  const lease = await cell.take({ owner: 'bench', url: '' });
  const own = await openLog(lease.open);
  const bare = await barePostgres(postgres.url('bare'));
  const measured = (where) => appends({ own, bare, where, limit: 'pg', targets: TARGETS.postgres }, sizes);
  try {
    const rows = await measured('PostgreSQL');
    const key = path.join(directory, 'key');
    await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o600 });
    rows.push(...(await starts({ postgres, directory, key }, sizes)));
    databases.push(await postgres.standby());
    rows.push(...(await measured('PostgreSQL with a synchronous standby')));
    const flags = ['--log', await postgres.create('lag'), '--cell-key', key, ...LEASE];
    return [...rows, ...(await lag(flags, { ...sizes, seconds: sizes.lagSeconds }))];
  } finally {
    await own.close();
    await cell.close();
    await bare.close();
  }
};

/** Of the whole program, from its start to the line that says where it listens; the two logs take turns. */
const starts = async ({ postgres, directory, key }, { runs, events }) => {
  const flags = {};
  let octets = { level: 0, postgres: 0 };
  for (const [name, length] of Object.entries({ short: SHORT, long: events })) {
    const dataDir = path.join(directory, name);
    const begin = performance.now();
    await writeLongLog(dataDir, length);
    const url = await postgres.create(name);
    octets = await copyToCell(dataDir, url);
    process.stderr.write(`log: ${number(length)} events made in ${Math.round(performance.now() - begin)} ms\n`);
    flags[name] = ['--data-dir', dataDir, '--log', url, '--cell-key', key, ...LEASE];
  }
  const times = { short: [], long: [] };
  for (let run = 0; run <= runs; run++)
    for (const name of ['short', 'long']) {
      const begin = performance.now();
      const server = await startServer([], flags[name]);
      // The first one has everything to read from the disk, and is not counted.
      if (run > 0) times[name].push(performance.now() - begin);
      await server.stop();
    }
  return [
    {
      ...{ what: `start of the server with ${number(events)} events in PostgreSQL (target 1.5)`, unit: 'ms' },
      ...{ values: times.long, limit: `with ${number(SHORT)}`, limits: times.short },
    },
    {
      ...{ what: 'disk for each of these events, PostgreSQL', unit: 'octets', values: [octets.postgres / events] },
      ...{ limit: 'LevelDB', limits: [octets.level / events] },
    },
  ];
};

const number = (n) => n.toLocaleString('en-US');
