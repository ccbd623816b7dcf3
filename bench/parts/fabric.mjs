import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { compile } from '../compiled.mjs';
import { startFabric } from '../fabric-process.mjs';
import { idle } from '../idle.mjs';
import { embedded } from '../embedded.mjs';

const SECONDS = 1;
const WINDOW = 64;
const DELAY_MS = 50;
/** Share of a link's frames that the links with delay are offered, and frames a second at which the delay is looked at. */
const OFFERED = 0.8;
const QUIET = 10_000;
const LOSS_PERCENT = 10;
/** Ports that nothing else here uses. */
const BASE = 23_000;
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
  const frames = async (links, size, window, rate = 0) => {
    const values = [BASE, links, size, window, SECONDS, rate].map(String);
    return JSON.parse((await promisify(execFile)(programs.frames, values)).stdout);
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

/** Runs the relay around a measurement. */
const relayOf = (program) => async (links, measure) => {
  const child = spawn(program, [String(BASE), String(links)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  try {
    return await measure();
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
  const counted = (result) => {
    accounts.push(result);
    return result.per_second;
  };
  for (const size of [64, 1400]) {
    add(`c${size}`, await relay(1, async () => (await frames(1, size, WINDOW)).per_second));
    const plain = await through(
      () => fabric.wire(BASE, 0),
      () => frames(1, size, WINDOW),
    );
    add(`wire${size}`, counted(plain));
    add(
      `capture${size}`,
      counted(
        await through(
          () => fabric.capturedLink(BASE, 0),
          () => frames(1, size, WINDOW),
        ),
      ),
    );
    // No window: what is delayed would have to fill it. Both are offered what the link without delay could carry, and less.
    const offered = Math.round(plain.per_second * OFFERED);
    const [most, few] = [offered, QUIET];
    const paced = (rate) => frames(1, size, offered, rate);
    await relay(1, async () => {
      add(`offered${size}`, (await paced(most)).per_second);
      add(`quiet${size}`, (await paced(few)).p99_ms);
    });
    const filters = { delay: { latency_ms: DELAY_MS, jitter_ms: 0 } };
    await through(
      () => fabric.wire(BASE, 0, filters),
      async () => {
        add(`delay${size}`, (await paced(most)).per_second);
        add(`late${size}`, (await paced(few)).p99_ms - DELAY_MS);
      },
    );
  }
  await through(
    () => fabric.wire(BASE, 0, { packet_loss: LOSS_PERCENT }),
    async () => add('loss', deviation(await frames(1, 64, WINDOW))),
  );
  add('c100', await relay(100, async () => (await frames(100, 64, 16)).per_second));
  const hundred = async () => {
    for (let i = 0; i < 100; i++) await fabric.wire(BASE, i);
  };
  add('wire100', counted(await through(hundred, () => frames(100, 64, 16))));
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
  const beside = (what, name, relay, target) => ({
    what: `${what} (target ${target} of the relay)`,
    unit: '/s',
    values: figures[name],
    limit: RELAY,
    limits: figures[relay],
  });
  const alone = (what, name, unit, target) => ({ what: `${what} (target ${target})`, unit, values: figures[name] });
  return [
    ...[64, 1400].flatMap((size) => [
      beside(`UDP link, ${size} B frames`, `wire${size}`, `c${size}`, 0.85),
      beside(`with a capture, ${size} B`, `capture${size}`, `c${size}`, 0.7),
      {
        ...beside(`with ${DELAY_MS} ms of delay, ${size} B`, `delay${size}`, `offered${size}`, 0.85),
        limit: `${RELAY} without delay, offered the same`,
      },
      {
        ...beside(`error of the delay, 99 of 100, ${size} B`, `late${size}`, `quiet${size}`, ''),
        what: `error of the delay, 99 of 100, ${size} B (target under 1)`,
        unit: 'ms',
        limit: `${RELAY} without delay`,
      },
    ]),
    { ...beside('100 UDP links, 64 B', 'wire100', 'c100', 0.75), limit: `${RELAY}, epoll` },
    alone(`${LOSS_PERCENT} % loss, distance from it`, 'loss', 'standard deviations', 'under 3'),
    alone('frames lost that should not be', 'lost', 'of a million', '0'),
    alone('frames out of order', 'disorder', 'frames', '0'),
  ];
};
