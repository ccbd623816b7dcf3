import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { freePorts, reserveBlock } from '../../src/emulators/shared/host/free-ports.ts';

const TAKER = path.resolve(import.meta.dirname, '../support/port-taker.js');

describe('free ports', () => {
  const takers: ChildProcess[] = [];
  after(() => takers.forEach((taker) => taker.kill()));

  /** A process that takes so many and holds them. */
  const taker = async (count: number): Promise<number[]> => {
    const child = fork(TAKER, [`${count}`]);
    takers.push(child);
    const [ports] = (await once(child, 'message')) as [number[]];
    return ports;
  };

  it('go to one at a time, of one process', async () => {
    const calls = await Promise.all(Array.from({ length: 10 }, () => freePorts.take(10)));
    assert.equal(new Set(calls.flat()).size, 100);
    freePorts.release(calls.flat());
  });

  it('are left out while a program has them', async () => {
    const [port = 0] = await freePorts.take(1);
    freePorts.release([port]);
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const rest = await freePorts.take(63);
    assert.ok(!rest.includes(port));
    freePorts.release(rest);
    other.close();
  });

  it(
    'go to one process only',
    { skip: process.platform === 'linux' ? false : 'only Linux reserves them' },
    async () => {
      const all = (await Promise.all(Array.from({ length: 5 }, () => taker(70)))).flat();
      assert.equal(new Set(all).size, 350);
    },
  );

  it('are there for others when their process has ended', { skip: process.platform !== 'linux' }, async () => {
    const [child] = takers;
    assert.ok(child !== undefined);
    const block = { first: 1, last: 2 };
    child.send(block);
    await once(child, 'message');
    assert.equal(await reserveBlock(block), false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(await reserveBlock(block), true);
  });
});
