// How far a server that stands by is behind the one that writes, under load.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from './server.mjs';
import { Feed } from './soak/feed.mjs';
import { percentile } from './statistics.mjs';

const RATE = 200;
const DRAWINGS = 64;
/** Until code is compiled for speed. Seconds. */
const WARM_UP = 2;
/** Longest wait for the last of them. Milliseconds. */
const PATIENCE_MS = 10_000;

/** Rows: from the answer of an append at the writer to the moment when the feed of the standby tells of it. `flags`: those of both servers. */
export const lag = async (flags, { runs, seconds }) => {
  const writer = await startServer([], flags);
  try {
    const standby = await startServer([], [...flags, '--console-ports', '20000-28999']);
    try {
      return await measure({ writer, standby, runs, seconds });
    } finally {
      await standby.stop();
    }
  } finally {
    await writer.stop();
  }
};

const measure = async ({ writer, standby, runs, seconds }) => {
  const { project_id } = await writer.call('POST', '/v2/projects', { name: 'lag' });
  const project = `/v2/projects/${project_id}`;
  const paths = [];
  for (let n = 0; n < DRAWINGS; n++) {
    const { drawing_id } = await writer.call('POST', `${project}/drawings`, { svg: '<svg></svg>', x: 0, y: 0 });
    paths.push(`${project}/drawings/${drawing_id}`);
  }
  const heard = new Map();
  const feed = new Feed(`${standby.url}${project}/notifications`, 'steady', (text) => {
    const x = /"x":(\d+)/.exec(text)?.[1];
    if (x !== undefined) heard.set(Number(x), performance.now());
  });
  await feed.ready;
  const agent = new Agent({ keepAlive: true, maxSockets: DRAWINGS });
  try {
    let x = 0;
    const put = () => update(agent, `${writer.url}${paths[x % DRAWINGS]}`, ++x);
    await load(put, WARM_UP);
    const figures = [];
    for (let run = 0; run < runs; run++) {
      const answered = await load(put, seconds);
      const until = performance.now() + PATIENCE_MS;
      while (answered.some(({ x: told }) => !heard.has(told)) && performance.now() < until) await sleep(10);
      const missing = answered.filter(({ x: told }) => !heard.has(told)).length;
      if (missing > 0) throw new Error(`the standby has not told of ${missing} of ${answered.length} updates`);
      // A feed may be told before the answer has come.
      figures.push(answered.map(({ x: told, at }) => Math.max(0, heard.get(told) - at)));
    }
    if (feed.problems.length > 0) throw new Error(feed.problems[0]);
    const row = (what, share) => ({ what, unit: 'ms', values: figures.map((times) => percentile(times, share)) });
    return [
      row(`a standby behind the writer at ${RATE} appends/s, median`, 0.5),
      row('the same, 99 of 100 (target under 50)', 0.99),
    ];
  } finally {
    agent.destroy();
    feed.end();
  }
};

/** Updates at a steady rate, whether those before are answered or not. Resolves with when each was answered. */
const load = async (put, seconds) => {
  const begin = performance.now();
  const updates = [];
  for (let n = 0; n < RATE * seconds; n++) {
    const wait = begin + (n * 1000) / RATE - performance.now();
    if (wait > 0) await sleep(wait);
    updates.push(put());
  }
  return Promise.all(updates);
};

const update = (agent, url, x) =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method: 'PUT', agent }, (answer) => {
      const at = performance.now();
      answer.resume().once('end', () => {
        if (answer.statusCode === 201) resolve({ x, at });
        else reject(new Error(`PUT ${url} answers ${answer.statusCode}`));
      });
    });
    asked.once('error', reject);
    asked.end(JSON.stringify({ x }));
  });
