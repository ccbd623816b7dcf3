import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFabric } from '../fabric-process.mjs';
import { summary } from '../statistics.mjs';

/** First of the ports: below those that servers hand out. */
const BASE = 14_000;
/** Octets of a frame. */
const FRAME = 1000;
const DELAYED = 400;
const LOST = 20_000;
/** Frames that come at once where none waits for another. */
const BURST = 50;
/** How long a rate is held up. Milliseconds. */
const RATE_MS = 3_000;
/** Longest measurement of all. Milliseconds. */
const LONGEST_MS = 600_000;
/** Deviations of the bound that a lawful loss is beyond once in a thousand measurements. */
const BOUND = 3.29;

/** What filters do, beside what was asked of them: a link of the fabric between two UDP sockets of this process. */
export const weather = async ({ runs }) => {
  const late = setTimeout(() => {
    console.error(`weather takes longer than ${LONGEST_MS / 60_000} minutes and is given up`);
    process.exit(1);
  }, LONGEST_MS);
  const fabric = await startFabric();
  const sockets = await openSockets();

  try {
    const on = async (filters, work) => {
      await fabric.cable(BASE, 0, filters);
      try {
        return await work();
      } finally {
        await fabric.clear();
      }
    };
    const results = [];
    const plain = await on({}, () => delays(sockets));
    const add = async (what, unit, asked, filters, measure) =>
      results.push({
        ...{ what, unit, limit: 'asked', limits: [asked] },
        values: await inTurn(runs, () => on(filters, measure)),
      });
    const median = async () => summary(await delays(sockets)).median - summary(plain).median;
    for (const ms of [1, 20, 200])
      await add(`delay of ${ms} ms, median`, 'ms', ms, { delay: { latency_ms: ms, jitter_ms: 0 } }, median);
    for (const distribution of ['normal', 'uniform']) {
      const filters = { delay: { latency_ms: 60, jitter_ms: 0 }, jitter: { ms: 10, distribution } };
      // Of a spread from -1 to 1, the deviation is the root of a third.
      const asked = distribution === 'uniform' ? 10 / Math.sqrt(3) : 10;
      await add(`jitter of 10 ms, ${distribution}, deviation`, 'ms', asked, filters, async () =>
        deviation(await delays(sockets)),
      );
    }
    for (const kbit_s of [500, 5_000, 20_000])
      await add(
        ...[`rate of ${kbit_s} kbit/s`, 'kbit/s', kbit_s, { rate: { kbit_s, queue_ms: 200, queue_octets: 0 } }],
        () => rate(sockets, kbit_s),
      );
    for (const percent of [1, 10, 50]) {
      const bound = BOUND * Math.sqrt((percent * (100 - percent)) / LOST);
      const what = `loss of ${percent} %, at most ${bound.toFixed(2)} beside it`;
      await add(what, '%', percent, { packet_loss: percent }, () => loss(sockets));
    }
    await add('loss in bursts of 2 % and 20 %, of all', '%', 100 / 11, { burst_loss: BURSTS }, () => loss(sockets));
    await add('doubled, 10 %', '%', 10, { duplicate: 10 }, async () => -(await loss(sockets)));
    return results;
  } finally {
    clearTimeout(late);
    for (const socket of sockets) socket.close();
    await fabric.stop();
  }
};

const BURSTS = { begin: 2, end: 20, within: 100, between: 0 };

const openSockets = () =>
  Promise.all(
    [BASE, BASE + 3].map(
      (port) =>
        new Promise((resolve, reject) => {
          const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 });
          socket.once('error', reject).bind(port, '127.0.0.1', () => resolve(socket));
        }),
    ),
  );

const frameOf = (n, octets) => {
  const frame = Buffer.alloc(octets);
  frame.writeUInt32BE(n, 20);
  return frame;
};

/** Sends frames and calls `arrived` with the number of each that comes; resolves once none has come for a while. */
const exchange = async ([from, to], send, arrived, quiet = 400) => {
  let last = performance.now();
  const take = (frame) => {
    last = performance.now();
    arrived(frame.readUInt32BE(20), last, frame.length);
  };
  to.on('message', take);
  await send((n, octets) => from.send(frameOf(n, octets), BASE + 1, '127.0.0.1'));
  last = performance.now();
  while (performance.now() - last < quiet) await sleep(50);
  to.off('message', take);
};

/** Of frames one by one, in milliseconds: by the clock of the system's network where tcpdump may look at it, else by that of this process. */
const delays = async (sockets) => {
  const seen = await watch();
  const sent = [];
  const found = [];
  await exchange(
    sockets,
    async (send) => {
      for (let n = 0; n < DELAYED; n++) {
        sent[n] = performance.now();
        send(n, 100);
        await sleep(2);
      }
    },
    (n, at) => found.push(at - sent[n]),
  );
  return (await seen()) ?? found;
};

/** Looks at what goes into the link and comes out of it; the answer ends that, and tells the delays, or null where it cannot look. */
const watch = async () => {
  const ports = `udp and (dst port ${BASE + 1} or dst port ${BASE + 3})`;
  const flags = ['-i', 'lo', '-n', '-w', '-', '--immediate-mode', '-U', '--time-stamp-precision=nano', ports];
  const dump = spawn('tcpdump', flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  dump.stdout.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve) => dump.once('error', resolve).once('close', resolve));
  await Promise.race([once(dump.stderr, 'data'), ended]);
  return async () => {
    dump.kill('SIGINT');
    await ended;
    return delaysIn(Buffer.concat(chunks));
  };
};

/** pcap with nanoseconds, little-endian, of Ethernet, IPv4 and UDP without options: draft-ietf-opsawg-pcap. */
const delaysIn = (pcap) => {
  const begun = new Map();
  const found = [];
  for (let at = 24; at + 16 <= pcap.length; at += 16 + pcap.readUInt32LE(at + 8)) {
    const ms = pcap.readUInt32LE(at) * 1e3 + pcap.readUInt32LE(at + 4) / 1e6;
    const n = pcap.readUInt32BE(at + 16 + 42 + 20);
    if (pcap.readUInt16BE(at + 16 + 36) === BASE + 1) begun.set(n, ms);
    else if (begun.has(n)) found.push(ms - begun.get(n));
  }
  return found.length === 0 ? null : found;
};

/** Percent of frames that did not come; below 0 where more came than were sent. */
const loss = async (sockets) => {
  let came = 0;
  await exchange(
    sockets,
    async (send) => {
      for (let n = 0; n < LOST; n++) {
        send(n, 60);
        if (n % BURST === 0) await sleep(1);
      }
    },
    () => came++,
  );
  return ((LOST - came) / LOST) * 100;
};

/** Of what comes while half as much again is sent, between the first and the last frame. */
const rate = async (sockets, kbit_s) => {
  const came = [];
  let octets = 0;
  await exchange(
    sockets,
    async (send) => {
      const begin = performance.now();
      for (let n = 0; performance.now() - begin < RATE_MS;) {
        const due = ((performance.now() - begin) * kbit_s * 1.5) / 8 / FRAME;
        for (; n < due; n++) send(n, FRAME);
        await sleep(2);
      }
    },
    (_n, at, size) => {
      // The first begins the time: its own octets came before.
      if (came.length > 0) octets += size;
      came.push(at);
    },
  );
  return (octets * 8) / (came.at(-1) - came[0]);
};

const deviation = (values) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

const inTurn = async (count, work) => {
  const values = [];
  for (let n = 0; n < count; n++) values.push(await work());
  return values;
};
