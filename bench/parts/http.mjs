import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { generate, requestBytes } from '../generator.mjs';
import { writeLab } from '../lab.mjs';
import { mainThreadOf, startServer } from '../server.mjs';
import { percentile, summary } from '../statistics.mjs';
import { hasWrk, wrkReads } from '../wrk.mjs';

const CONNECTIONS = 16;
/** With their switch the lab has 200 nodes. */
const PCS = 199;
/** Turns of one second each for a run: on a machine with other things to do, seconds differ more than minutes. */
const TURNS = 5;
const WARM_UP = 3;

/** Reads of each sort, beside a bare node:http server that sends the same answer. The two take turns. */
export const http = async ({ runs, nodeFlags }) => {
  const server = await startServer(nodeFlags);
  try {
    const { project_id, file, node_ids } = await writeLab(server.directory, PCS);
    await server.call('POST', '/v2/projects/load', { path: file });
    const project = `/v2/projects/${project_id}`;
    const [{ link_id }] = await server.call('GET', `${project}/links`);
    const { drawing_id } = await server.call('POST', `${project}/drawings`, { x: 1 });
    const reads = {
      'a node': `${project}/nodes/${node_ids[0]}`,
      'a link': `${project}/links/${link_id}`,
      'a drawing': `${project}/drawings/${drawing_id}`,
      'a project': project,
      'the version': '/v2/version',
      'a list of 200 nodes': `${project}/nodes`,
    };
    const rows = [];
    for (const [what, where] of Object.entries(reads)) rows.push(...(await readsOf(server, what, where, runs)));
    return rows;
  } finally {
    await server.stop();
  }
};

const readsOf = async (server, what, where, runs) => {
  const bare = fork(path.join(import.meta.dirname, '../bare-http.mjs'));
  try {
    bare.send(await sample(`${server.url}${where}`));
    const [barePort] = await once(bare, 'message');
    const load = (await hasWrk()) ? wrkLoad(where) : ownLoad(where);
    const sides = [
      { pid: server.pid, port: server.port, runs: [] },
      { pid: bare.pid, port: barePort, runs: [] },
    ];
    for (let turn = 0; turn < WARM_UP; turn++) for (const { port } of sides) await load(port);
    for (let run = 0; run < runs; run++)
      for (const [n, taken] of (await takeTurns(sides, load)).entries()) sides[n].runs.push(taken);
    return rowsOf(what, ...sides.map((side) => side.runs));
  } finally {
    bare.disconnect();
  }
};

const rowsOf = (read, ours, limits) => {
  const limit = 'node:http with the same bytes';
  const row = (what, unit, key, target) => ({
    ...{ what, unit, limit, target },
    values: ours.map((r) => r[key]),
    limits: limits.map((r) => r[key]),
  });
  const rows = [
    row(`reads of ${read}, ${CONNECTIONS} connections`, '/s', 'perSecond', 0.8),
    row('time of such a read, 99 of 100 (target under 5)', 'ms', 'p99'),
  ];
  if (ours[0].processor !== null) rows.push(row('processor of the main thread, for each read', 'µs', 'processor'));
  return rows;
};

/** The medians of some turns of each side. */
const takeTurns = async (sides, load) => {
  const taken = sides.map(() => []);
  for (let turn = 0; turn < TURNS; turn++)
    for (const [n, { pid, port }] of sides.entries()) {
      const before = await mainThreadOf(pid);
      const { count, ...figures } = await load(port);
      taken[n].push({ ...figures, processor: before === null ? null : ((await mainThreadOf(pid)) - before) / count });
    }
  return taken.map((turns) => {
    const middle = (key) => (turns[0][key] === null ? null : summary(turns.map((turn) => turn[key])).median);
    return { perSecond: middle('perSecond'), p99: middle('p99'), processor: middle('processor') };
  });
};

const wrkLoad = (where) => (port) =>
  wrkReads({ url: `http://127.0.0.1:${port}${where}`, connections: CONNECTIONS, seconds: 1 });

const ownLoad = (where) => {
  const bytes = requestBytes('GET', where);
  return async (port) => {
    const load = { port, connections: CONNECTIONS, seconds: 1, status: 200, request: () => bytes };
    const { perSecond, times } = await generate(load);
    return { perSecond, count: times.length, p99: percentile(times, 0.99) };
  };
};

/** Head and body of one answer. */
const sample = async (url) => {
  const answer = await fetch(url);
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => ['content-type', 'etag', 'x-route', 'x-request-id'].includes(name)),
  );
  return { headers, body: await answer.text() };
};
