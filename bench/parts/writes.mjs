import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Level } from 'level';
import { generate, requestBytes } from '../generator.mjs';
import { writeLab } from '../lab.mjs';
import { mainThreadOf, startServer } from '../server.mjs';
import { percentile } from '../statistics.mjs';
import { updateOps } from '../update-ops.mjs';

const SECONDS = 2;
/** Until the code of a write is compiled for speed: the first thousands take three times as long. */
const WARM_UP = 4;
const NODES = 5000;
/** Of the rate of the limit: one client may take 1.5 times as long. */
const TARGETS = { 1: 1 / 1.5, 64: 0.6 };

/**
 * Durable updates of drawings, beside LevelDB itself writing the same bytes with an fsync a batch; those of a project of 5,000 nodes
 * beside those of one with two. The two take turns.
 */
export const writes = async ({ runs, nodeFlags }) => {
  const server = await startServer(nodeFlags);
  const place = await mkdtemp(path.join(server.directory, 'bare-'));
  const db = new Level(place);
  try {
    await db.open();
    const project_id = await loaded(server, 1);
    await (await updates({ server, project_id, clients: 64 })).run(WARM_UP);
    await bareWrites(db, { event: 600, record: 400 }, 64);
    const rows = [];
    for (const clients of [1, 64]) rows.push(...(await measure({ server, db, project_id, clients, runs })));
    rows.splice(3, 0, await besideBareServer({ server, project_id, clients: 1, runs }));
    rows.push(await besideBareServer({ server, project_id, clients: 64, runs }));
    const large = await loaded(server, NODES - 1);
    for (const clients of [1, 64]) rows.push(await compare({ server, small: project_id, large, clients, runs }));
    return rows;
  } finally {
    await db.close();
    await rm(place, { recursive: true, force: true });
    await server.stop();
  }
};

/** A project with so many PCs, open. */
const loaded = async (server, pcs) => {
  const { project_id, file } = await writeLab(server.directory, pcs);
  await server.call('POST', '/v2/projects/load', { path: file });
  return project_id;
};

const whoOf = (clients) => (clients === 1 ? '1 client' : `${clients} clients`);

/** Updates of one drawing for each client in a project; resolves with their drawings' paths and what makes the updates. */
const updates = async ({ server, project_id, clients }) => {
  const paths = [];
  for (let i = 0; i < clients; i++) {
    const drawing = await server.call('POST', `/v2/projects/${project_id}/drawings`, {
      svg: '<svg></svg>',
      x: 0,
      y: 0,
    });
    paths.push(`/v2/projects/${project_id}/drawings/${drawing.drawing_id}`);
  }
  // Every update changes something: one that does not is no write.
  let x = 0;
  const request = (connection) => requestBytes('PUT', paths[connection], { x: ++x });
  const run = (seconds) => generate({ port: server.port, connections: clients, seconds, status: 201, request });
  await run(0.5);
  return { paths, run };
};

const measure = async ({ server, db, project_id, clients, runs }) => {
  const { paths, run: ours } = await updates({ server, project_id, clients });
  const sizes = await storedSizes(server, project_id, paths[0]);
  const results = [];
  const limits = [];
  const processor = [];
  for (let run = 0; run < runs; run++) {
    const before = await mainThreadOf(server.pid);
    const result = await ours(SECONDS);
    results.push(result);
    if (before !== null) processor.push(((await mainThreadOf(server.pid)) - before) / result.times.length);
    limits.push(await bareWrites(db, sizes, clients));
  }
  const who = whoOf(clients);
  const limit = clients === 1 ? 'LevelDB, put and fsync' : `LevelDB, ${clients} puts an fsync`;
  return [
    {
      what: `durable updates of drawings, ${who}`,
      unit: '/s',
      values: results.map((r) => r.perSecond),
      limit,
      limits,
      target: TARGETS[clients],
    },
    { what: `time of such an update, 99 of 100`, unit: 'ms', values: results.map((r) => percentile(r.times, 0.99)) },
    { what: 'processor of the main thread, for each', unit: 'µs', values: processor },
  ];
};

/** The same in a large project and in a small one. */
const compare = async ({ server, small, large, clients, runs }) => {
  const inLarge = await updates({ server, project_id: large, clients });
  const inSmall = await updates({ server, project_id: small, clients });
  const values = [];
  const limits = [];
  for (let run = 0; run < runs; run++) {
    values.push((await inLarge.run(SECONDS)).perSecond);
    limits.push((await inSmall.run(SECONDS)).perSecond);
  }
  return {
    what: `durable updates in a project of ${NODES.toLocaleString('en-US')} nodes, ${whoOf(clients)}`,
    unit: '/s',
    values,
    limit: 'in a project of 2 nodes',
    limits,
    target: 0.9,
  };
};

/** Bytes that an update stores: its event and the record it changes. */
const storedSizes = async (server, project_id, drawingPath) => {
  const { events } = await server.call('GET', `/v2/projects/${project_id}/events?limit=1000`);
  const event = events.findLast((f) => f.type === 'drawing.updated');
  const record = await server.call('GET', drawingPath);
  return { event: JSON.stringify(event).length, record: JSON.stringify(record).length };
};

let position = 0;

/** What the log stores for so many updates, as one batch after another. */
const bareWrites = async (db, sizes, together) => {
  const until = performance.now() + SECONDS * 1000;
  const begin = performance.now();
  let done = 0;
  while (performance.now() < until) {
    const ops = [{ type: 'put', key: 'h/head', value: 'h'.repeat(120) }];
    for (let i = 0; i < together; i++) ops.push(...updateOps(sizes, ++position, i));
    await db.batch(ops, { sync: true });
    done += together;
  }
  return done / ((performance.now() - begin) / 1000);
};

/** Updates beside those of the least server there can be. */
const besideBareServer = async ({ server, project_id, clients, runs }) => {
  const { paths, run: ours } = await updates({ server, project_id, clients });
  const sizes = await storedSizes(server, project_id, paths[0]);
  const answer = JSON.stringify(await server.call('GET', paths[0]));
  const place = await mkdtemp(path.join(server.directory, 'writer-'));
  const bare = fork(path.join(import.meta.dirname, '../bare-writer.mjs'));
  try {
    bare.send({ place, sizes, answer });
    const [port] = await once(bare, 'message');
    let x = 0;
    const request = () => requestBytes('PUT', paths[0], { x: ++x });
    const theirs = (connections) => generate({ port, connections, seconds: SECONDS, status: 201, request });
    await theirs(64);
    const results = [];
    const limits = [];
    for (let n = 0; n < runs; n++) {
      results.push((await ours(SECONDS)).perSecond);
      limits.push((await theirs(clients)).perSecond);
    }
    return {
      ...{ what: 'the same, beside a bare server', unit: '/s', values: results, limits },
      limit: 'node:http and LevelDB, put and fsync',
    };
  } finally {
    bare.disconnect();
  }
};
