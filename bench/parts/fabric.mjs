import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { compile } from '../compiled.mjs';
import { startFabric } from '../fabric-process.mjs';
import { idle } from '../idle.mjs';
import { embedded } from '../embedded.mjs';

const SECONDS = 1;
const WINDOW = 64;
/** Frames on their way in each of a hundred links. */
const WINDOW_OF_MANY = 16;
const DELAY_MS = 50;
/** Shares of a link's frames: what links with delay are offered, and the load at which the error of the delay is taken. */
const OFFERED = 0.8;
const HALF = 0.5;
const LOSS_PERCENT = 10;
/** Ports behind those that systems give out by themselves. */
const BASE = 62_000;
const RELAY = 'a relay in C';

/** UDP links through the fabric's process beside a relay in C; what moves inside of the fabric; what it costs at rest. */
export const fabric = async ({ runs }) => {
  const programs = await compile(['relay', 'frames']);
  try {
    const links = programs === null ? noLinks() : await measureLinks(programs, runs);
    return [...links, ...(await embedded(runs)), ...(await idle())];
  } finally {
    await programs?.remove();
  }
};

const noLinks = () => [{ what: 'UDP links (they need Linux and a C compiler: cc)', unit: '', values: [] }];

const measureLinks = async (programs, runs) => {
  const fabric = await startFabric();
  /** Of the process that carries the frames, what it took for each is looked at as well. */
  const frames = async (carrier, links, size, window, rate = 0) => {
    const values = [BASE, links, size, window, SECONDS, rate].map(String);
    const before = await processorOf(carrier);
    const result = JSON.parse((await promisify(execFile)(programs.frames, values)).stdout);
    return { ...result, microseconds: ((await processorOf(carrier)) - before) / result.received };
  };
  const through = async (open, measure) => {
    await open();
    try {
      return await measure();
    } finally {
      await fabric.clear();
    }
  };
  try {
    return await measureRounds({ fabric, frames, through, relay: relayOf(programs.relay) }, runs);
  } finally {
    await fabric.stop();
  }
};

/** Microseconds of processor that a process has taken. */
const processorOf = async (pid) => {
  let sum = 0;
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const [nanoseconds] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ');
    sum += Number(nanoseconds) / 1000;
  }
  return sum;
};

/** Runs the relay around a measurement, which is given its process. */
const relayOf = (program) => async (links, measure) => {
  const child = spawn(program, [String(BASE), String(links)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the relay in C ended')));
  await Promise.race([once(child.stdout, 'data'), failed]);
  failed.catch(() => undefined);
  try {
    return await measure(child.pid);
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
};

const measureRounds = async (parts, runs) => {
  const figures = {};
  const add = (name, value) => (figures[name] ??= []).push(value);
  // The first round warms up what is compiled while it runs.
  for (let run = 0; run <= runs; run++) {
    await round(parts, run === 0 ? () => undefined : add);
  }
  return rows(figures);
};

const round = async ({ fabric, frames, through, relay }, add) => {
  const accounts = [];
  const noted = (name, result) => {
    add(name, result.per_second);
    add(`${name} processor`, result.microseconds);
    return result;
  };
  const counted = (name, result) => {
    accounts.push(result);
    return noted(name, result);
  };
  for (const size of [64, 1400]) {
    await relay(1, async (pid) => noted(`c${size}`, await frames(pid, 1, size, WINDOW)));
    const ours = (...how) => frames(fabric.pid, 1, size, ...how);
    const plain = await through(
      () => fabric.cable(BASE, 0),
      async () => counted(`cable${size}`, await ours(WINDOW)),
    );
    await through(
      () => fabric.capturedLink(BASE, 0),
      async () => counted(`capture${size}`, await ours(WINDOW)),
    );
    // No window: what is delayed would have to fill it. Both are offered what the link without delay could carry, and less.
    const offered = Math.round(plain.per_second * OFFERED);
    const half = Math.round(plain.per_second * HALF);
    await relay(1, async (pid) => {
      noted(`offered${size}`, await frames(pid, 1, size, offered, offered));
      add(`half${size}`, (await frames(pid, 1, size, offered, half)).p99_ms);
    });
    const filters = { delay: { latency_ms: DELAY_MS, jitter_ms: 0 } };
    await through(
      () => fabric.cable(BASE, 0, filters),
      async () => {
        noted(`delay${size}`, await ours(offered, offered));
        add(`late${size}`, (await ours(offered, half)).p99_ms - DELAY_MS);
      },
    );
  }
  await through(
    () => fabric.cable(BASE, 0, { packet_loss: LOSS_PERCENT }),
    async () => add('loss', deviation(await frames(fabric.pid, 1, 64, WINDOW))),
  );
  await relay(100, async (pid) => noted('c100', await frames(pid, 100, 64, WINDOW_OF_MANY)));
  const hundred = async () => {
    for (let i = 0; i < 100; i++) await fabric.cable(BASE, i);
  };
  await through(hundred, async () => counted('cable100', await frames(fabric.pid, 100, 64, WINDOW_OF_MANY)));
  const sum = (name) => accounts.reduce((all, account) => all + account[name], 0);
  add('lost', (sum('lost') / sum('sent')) * 1e6);
  add('disorder', sum('out_of_order'));
};

/** Standard deviations of the binomial distribution between what was lost and what ought to be. */
const deviation = ({ sent, lost }) => {
  const p = LOSS_PERCENT / 100;
  return Math.abs(lost - sent * p) / Math.sqrt(sent * p * (1 - p));
};

const rows = (figures) => {
  const beside = (what, name, relay, target, limit = RELAY) => [
    {
      what: `${what} (target ${target} of the relay)`,
      unit: '/s',
      values: figures[name],
      limit,
      limits: figures[relay],
    },
    {
      what: `processor for each, ${what}`,
      unit: 'µs',
      values: figures[`${name} processor`],
      limit,
      limits: figures[`${relay} processor`],
    },
  ];
  const alone = (what, name, unit, target) => ({ what: `${what} (target ${target})`, unit, values: figures[name] });
  return [
    ...[64, 1400].flatMap((size) => [
      ...beside(`UDP link, ${size} B frames`, `cable${size}`, `c${size}`, 0.85),
      ...beside(`with a capture, ${size} B`, `capture${size}`, `c${size}`, 0.7),
      ...beside(
        `with ${DELAY_MS} ms of delay, ${size} B`,
        `delay${size}`,
        `offered${size}`,
        0.85,
        `${RELAY} without delay, offered the same`,
      ),
      {
        ...alone(`error of the delay at half load, 99 of 100, ${size} B`, `late${size}`, 'ms', 'under 1'),
        limit: `${RELAY} without delay`,
        limits: figures[`half${size}`],
      },
    ]),
    ...beside('100 UDP links, 64 B', 'cable100', 'c100', 0.75, `${RELAY}, epoll`),
    alone(`${LOSS_PERCENT} % loss, distance from it`, 'loss', 'standard deviations', 'under 3'),
    alone('frames lost that should not be', 'lost', 'of a million', '0'),
    alone('frames out of order', 'disorder', 'frames', '0'),
  ];
};
