import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Console ports of tests: 11000 to 20999. Tests of the fabric alone take 21000 and more. */
const FIRST = 11_000;
const BLOCK = 2_000;
const BLOCKS = 5;

/** Far longer than test files of other runs take until one of them ends. Milliseconds. */
const PATIENCE_MS = 100_000;
const LOOK_MS = 200;

const claim = async (): Promise<[number, number]> => {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const block = await freeBlock();
    if (block !== null) return block;
  }
  throw new Error(`other processes listen on all of the ports ${FIRST}, ${FIRST + BLOCK}, ...`);
};

const freeBlock = async (): Promise<[number, number] | null> => {
  for (let n = 0; n < BLOCKS; n += 1) {
    const first = FIRST + n * BLOCK;
    const lock = createServer().listen({ host: '127.0.0.1', port: first, exclusive: true });
    lock.unref();
    try {
      await once(lock, 'listening');
      return [first + 1, first + BLOCK - 1];
    } catch {
      // Another test process has this block.
    }
  }
  return null;
};

let claimed: Promise<[number, number]> | undefined;

/**
 * Console ports that no other test process takes as long as this one lives: its servers are killed and come back to the ports
 * they had, while other test files run beside it. Listening on a block's first port is the claim.
 */
export const portBlock = (): Promise<[number, number]> => (claimed ??= claim());
