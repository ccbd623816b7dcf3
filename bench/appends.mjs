// Appends to the server's own log in this process, and what they put into a store, so that the same can be written past it.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Level } from 'level';
import pg from 'pg';
import { draftsOf, drawing, project } from './long-log.mjs';

const compiled = (name) => import(pathToFileURL(path.resolve(import.meta.dirname, `../dist/${name}.js`)).href);

/** Each has a drawing of its own. */
export const MOST_WRITERS = 64;
/** Appends that are recorded: what is written past the log is made of them again and again, at positions of its own. */
const RECORDED = 2048;

/** An open log with one project, whose drawings are updated. `open`: as the log's own. */
export const openLog = async (open) => {
  const { EventLog } = await compiled('src/events/log/log');
  const { Records } = await compiled('src/projections/store');
  const log = await EventLog.open(open, new Records());
  const project_id = randomUUID();
  const draft = draftsOf(project_id);
  const drawing_ids = Array.from({ length: MOST_WRITERS }, () => randomUUID());
  await log.append([
    draft('project.created', project({ place: path.resolve('lab'), n: 0 })),
    ...drawing_ids.map((drawing_id, i) => draft('drawing.created', drawing(drawing_id, i))),
  ]);
  let x = 0;
  const append = (writer) =>
    log.append([draft('drawing.updated', { drawing_id: drawing_ids[writer], changes: { x: ++x, y: -x } })]);
  return { append, close: () => log.close() };
};

/** So many writers, each of which appends when its last append is answered. Resolves with appends a second and their times in ms. */
export const appendFor = async ({ append }, writers, seconds) => {
  const begin = performance.now();
  const until = begin + seconds * 1000;
  const times = [];
  const write = async (_, writer) => {
    for (let at = performance.now(); at < until; at = performance.now()) {
      await append(writer);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { perSecond: times.length / ((performance.now() - begin) / 1000), times };
};

/** What batches of so many appends put into a store, with its checksums: operations of each. */
const recordedBatches = async (writers) => {
  const { CheckedStore } = await compiled('src/events/store/checked-store');
  const { memory } = await compiled('test/support/memory-store');
  const level = memory();
  const batches = [];
  const store = {
    batch(ops) {
      batches.push([...ops]);
      return level.batch(ops);
    },
    get: (key) => level.get(key),
    getMany: (keys) => level.getMany(keys),
    iterator: (range) => level.iterator(range),
    close: () => level.close(),
  };
  const { append, close } = await openLog(() => Promise.resolve(new CheckedStore(store, { allSealed: true })));
  const recorded = [];
  for (let n = 0; n < RECORDED; n += writers) {
    batches.length = 0;
    await Promise.all(Array.from({ length: writers }, (_, writer) => append(writer)));
    // As one batch, however many the log makes of it: what is said last of a key counts.
    recorded.push([...new Map(batches.flat().map((op) => [op.key, op])).values()]);
  }
  await close();
  return recorded;
};

/** Keys of events and of indexes end in a number; the others stay the same, as their records do. */
const NUMBERED = /^[fop]\/.*?(\d{16})$/;

/** One batch after another, without an end, `from` later than they were. */
function* batchesOf(recorded, from) {
  const parsed = recorded.map((ops) =>
    ops.map(({ key, value }) => {
      const number = NUMBERED.exec(key)?.[1];
      return number === undefined ? { key, value } : { head: key.slice(0, -16), number: Number(number), value };
    }),
  );
  for (let shift = from; ; shift += RECORDED)
    for (const ops of parsed)
      yield ops.map(({ key, head, number, value }) => ({
        type: 'put',
        key: key ?? head + String(number + shift).padStart(16, '0'),
        value,
      }));
}

/** Far more than are written in a run. */
const APART = 1e9;

/** Writes the same octets in the same batches past our code, for so many seconds. `store`: `{ write(ops), close() }`. */
export const bareWriter = async (store, writers) => {
  const batches = batchesOf(await recordedBatches(writers), writers * APART);
  return async (seconds) => {
    const begin = performance.now();
    let written = 0;
    for (; performance.now() < begin + seconds * 1000; written += writers) await store.write(batches.next().value);
    return written / ((performance.now() - begin) / 1000);
  };
};

export const bareLevel = async (place) => {
  const db = new Level(place);
  await db.open();
  return { write: (ops) => db.batch(ops, { sync: true }), close: () => db.close() };
};

const BATCH = `
  WITH events AS (INSERT INTO topolog.event SELECT 1, * FROM unnest($1::bigint[], $2::text[])),
    entries AS (INSERT INTO topolog.entry SELECT 1, * FROM unnest($3::text[], $4::text[]))
  INSERT INTO topolog.record SELECT 1, * FROM unnest($5::text[], $6::text[])
    ON CONFLICT (cell, key) DO UPDATE SET value = excluded.value`;

/** Into the tables of a database in which a cell was made, with the package alone: one prepared statement a batch, arrays as it sends them. */
export const barePostgres = async (url) => {
  const client = new pg.Client({ connectionString: url });
  // What is being written rejects as well.
  client.on('error', () => undefined);
  await client.connect();
  const write = (ops) => {
    const values = [[], [], [], [], [], []];
    for (const { key, value } of ops) {
      const table = key.startsWith('f/') ? 0 : /^[op]\//.test(key) ? 2 : 4;
      values[table].push(table === 0 ? key.slice(2) : key);
      values[table + 1].push(value);
    }
    return client.query({ name: 'batch', text: BATCH, values });
  };
  return { write, close: () => client.end() };
};
