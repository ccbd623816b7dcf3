import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { until } from '../../src/common/promises.ts';

/** First ports of the blocks of tests, below those that Linux gives out by itself; 21000 to 21999 are for tests that need no block. */
const FIRSTS = [11, 13, 15, 17, 19, 23, 25, 27, 29].map((thousands) => thousands * 1_000);
/** Ports of a block: most are for consoles, the last are given out one by one. */
const BLOCK = 2_000;
const SINGLE = 400;

/** Ports of a block that servers which a test starts as processes give to their emulators, as `first-last`. */
const HANDED_DOWN = 'TOPOLOG_TEST_PORTS';

/** Far longer than test files of other runs take until one of them ends. Milliseconds. */
const PATIENCE_MS = 100_000;
const LOOK_MS = 200;

const claim = async (): Promise<number> => {
  const block = await until(freeBlock, { every: LOOK_MS, within: PATIENCE_MS });
  if (block === null) throw new Error(`other processes listen on all of the ports ${FIRSTS.join(', ')}`);
  return block;
};

const freeBlock = async (): Promise<number | null> => {
  for (let n = 0; n < FIRSTS.length; n += 1) {
    // Not the one that was given up last: what ran there may still be ending.
    const first = FIRSTS[(process.pid + n) % FIRSTS.length] ?? 0;
    const lock = createServer().listen({ host: '127.0.0.1', port: first, exclusive: true });
    lock.unref();
    try {
      await once(lock, 'listening');
      if (await isQuiet(first)) return first;
      lock.close();
    } catch {
      // Another test process has this block.
    }
  }
  return null;
};

const SOCKETS = ['tcp', 'tcp6', 'udp', 'udp6'].map((protocol) => `/proc/net/${protocol}`);
/** proc(5): `<n>: <address>:<port> <address>:<port> <state>`, hexadecimal; state 0A is a listening one, and a bound one of UDP is 07. */
const SOCKET = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) \S+ (?:0A|07) /gm;

/**
 * Whether nothing has a port of a block but its claim. A test file that was killed leaves a fabric until the run ends, which has its
 * consoles, while the claim has gone with it. Where the system does not tell, every block is.
 */
export const isQuiet = async (first: number): Promise<boolean> => {
  const texts = await Promise.all(SOCKETS.map((file) => readFile(file, 'latin1').catch(() => '')));
  const ports = texts.flatMap((text) => [...text.matchAll(SOCKET)].map(([, port = '']) => parseInt(port, 16)));
  return !ports.some((port) => port > first && port < first + BLOCK);
};

let claimed: Promise<number> | undefined;
const claimOnce = (): Promise<number> =>
  (claimed ??= claim().then((first) => {
    process.env[HANDED_DOWN] = `${first + BLOCK - SINGLE / 2}-${first + BLOCK - 1}`;
    return first;
  }));

/**
 * Console ports that no other test process takes as long as this one lives: its servers are killed and come back to the ports
 * they had, while other test files run beside it. Listening on a block's first port is the claim.
 */
export const portBlock = async (): Promise<[number, number]> => {
  const first = await claimOnce();
  return [first + 1, first + BLOCK - SINGLE - 1];
};

/**
 * The rest of the block: for NIOs and whatever else a test needs a port for. A server that a test kills has them from the test: its
 * emulators outlive it, and a block of its own would go to another test's server while they still hold its ports.
 */
export const ownPorts = async (): Promise<[number, number]> => {
  const [from, to] = (process.env[HANDED_DOWN] ?? '').split('-').map(Number);
  if (claimed === undefined && from !== undefined && to !== undefined) return [from, to];
  const first = await claimOnce();
  return [first + BLOCK - SINGLE, first + BLOCK - SINGLE / 2 - 1];
};
