// What happens during a soak. Every choice is made from one seed; how they interleave is up to the machine.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../lab.mjs';

/** mulberry32: small, and good enough to choose with. */
const chooser = (seed) => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { below: (n) => Math.floor(next() * n), of: (list) => list[Math.floor(next() * list.length)] };
};

/** Runs `work` again and again, so many milliseconds apart, until it is told to stop. */
const loop = (ms, work, problems) => {
  let going = true;
  const done = (async () => {
    while (going) {
      await work().catch((error) => problems.push(String(error?.message ?? error)));
      await sleep(ms);
    }
  })();
  return async () => {
    going = false;
    await done;
  };
};

/** Starts all of it; resolves with what ends it. `counts` and `problems` are filled meanwhile. */
export const begin = async ({ lab, call, seed, counts, problems }) => {
  const choose = chooser(seed);
  const project = `/v2/projects/${lab.project_id}`;
  const count = (what) => (counts[what] = (counts[what] ?? 0) + 1);
  const drawings = [];
  for (let i = 0; i < 20; i++)
    drawings.push((await call('POST', `${project}/drawings`, { svg: '<svg></svg>', x: 0, y: 0 })).body.drawing_id);
  const running = new Map(lab.toggled.map((id) => [id, true]));
  const busy = new Set();
  const toggle = async () => {
    const id = choose.of(lab.toggled);
    if (busy.has(id)) return;
    busy.add(id);
    try {
      const action = running.get(id) ? 'stop' : 'start';
      await call('POST', `${project}/nodes/${id}/${action}`);
      running.set(id, action === 'start');
      count(`node ${action}`);
    } finally {
      busy.delete(id);
    }
  };
  let x = 0;
  const draw = async () => {
    const where = `${project}/drawings/${choose.of(drawings)}`;
    await call('PUT', where, { x: ++x });
    count('drawing');
  };
  /** Two who change the same thing: one of them is told so, and nothing is half done. */
  const contend = async () => {
    const where = `${project}/drawings/${drawings[0]}`;
    const { etag } = await call('GET', where);
    const put = (y) => call('PUT', where, { y }, { 'If-Match': etag }, [201, 412]);
    const answers = await Promise.all([put(++x), put(++x)]);
    for (const { status } of answers) count(status === 412 ? 'If-Match refused' : 'If-Match');
  };
  const filter = async () => {
    const delay = 1 + choose.below(20);
    await call('PUT', `${project}/links/${choose.of(lab.quiet_links)}`, { filters: { delay: [delay, 0] } });
    count('link filter');
  };
  const capture = async () => {
    const link = `${project}/links/${choose.of(lab.quiet_links)}`;
    await call('POST', `${link}/start_capture`, {});
    await sleep(2000);
    await call('POST', `${link}/stop_capture`);
    count('capture');
  };
  const exportSession = async () => {
    const { text } = await call('GET', `${project}/session`);
    if (!text.endsWith('\n')) throw new Error('the session ends in the middle of a line');
    count('session');
  };
  const relink = async () => {
    const id = choose.of(lab.relinked);
    const { body: link } = await call('GET', `${project}/links/${id.link_id}`);
    await call('DELETE', `${project}/links/${id.link_id}`);
    id.link_id = (await call('POST', `${project}/links`, { nodes: link.nodes })).body.link_id;
    count('link made again');
  };
  const consoles = [];
  for (const [from, to] of lab.pings) consoles.push(await ping(lab.consoles.get(from), to));
  const jobs = [
    [50, toggle],
    [50, toggle],
    [60, draw],
    [60, draw],
    [400, contend],
    [200, filter],
    [1000, capture],
    [60_000, exportSession],
    [700, relink],
  ];
  const ends = jobs.map(([ms, work]) => loop(ms, work, problems));
  return async () => {
    await Promise.all(ends.map((end) => end()));
    for (const console of consoles) console.destroy();
    return drawings;
  };
};

/** A user at a console who pings without an end. */
const ping = async (port, to) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(`ping ${addressOf(to)} -t -i 50\r\n`);
  return socket;
};
