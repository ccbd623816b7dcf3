import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PassThrough } from 'node:stream';
import { inSlice, readInSlices } from '../src/common/slices.ts';

it('a stream that has much and one that comes late are read piece by piece, in turn', async () => {
  const read: string[] = [];
  const [flood, late] = [new PassThrough(), new PassThrough()];
  readInSlices(flood, 2, (bytes) => read.push(bytes.toString()));
  const ended = new Promise<void>((resolve) => {
    readInSlices(late, 2, (bytes) => {
      read.push(bytes.toString());
      if (read.length === 8) resolve();
    });
  });
  flood.write('aabbccdd');
  late.write('11223344');
  await ended;
  assert.deepEqual([...read].sort(), ['11', '22', '33', '44', 'aa', 'bb', 'cc', 'dd']);
  // Each in its own order, and neither as a whole before the other.
  assert.deepEqual(
    read.filter((piece) => piece > '9'),
    ['aa', 'bb', 'cc', 'dd'],
  );
  assert.ok(read.indexOf('22') < read.indexOf('dd') && read.indexOf('bb') < read.indexOf('44'), read.join());
});

it('reads no more of a stream than it has handed over', async () => {
  const stream = new PassThrough({ highWaterMark: 4 });
  const read: string[] = [];
  const first = new Promise<void>((resolve) => {
    readInSlices(stream, 2, (bytes) => {
      read.push(bytes.toString());
      resolve();
    });
  });
  stream.write('aabb');
  await first;
  assert.equal(stream.isPaused(), true);
  await new Promise<void>((resolve) => inSlice(() => inSlice(resolve)));
  assert.deepEqual(read, ['aa', 'bb']);
  assert.equal(stream.isPaused(), false);
});

it('the event loop has its turn between pieces, however many ask for one', async () => {
  let left = 50;
  let turned = false;
  setTimeout(() => (turned = true), 0);
  await new Promise<void>((resolve) => {
    const busy = (): void => {
      const until = performance.now() + 2;
      while (performance.now() < until);
      if (--left > 0) inSlice(busy);
      else resolve();
    };
    inSlice(busy);
  });
  assert.equal(turned, true);
});
