import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRunQueue } from '../../src/fabric/frames/run-queue.ts';
import { Timers } from '../../src/fabric/frames/timers.ts';

describe('the shared timers', () => {
  it('fire in the order they are due, ties in the order they were set, and never early', async (t) => {
    const timers = new Timers();
    t.after(() => timers.close());
    const fired: [number, number, boolean][] = [];
    const due = Array.from({ length: 300 }, (_, n) => Math.floor(((n * 7919) % 97) / 4));
    await new Promise<void>((resolve) => {
      const start = timers.now();
      due.forEach((ms, index) =>
        timers.at(start + ms, () => {
          fired.push([ms, index, timers.now() >= start + ms]);
          if (fired.length === due.length) resolve();
        }),
      );
    });
    const expected = due.map((ms, index): [number, number, boolean] => [ms, index, true]);
    assert.deepEqual(
      fired,
      expected.sort(([a, i], [b, j]) => a - b || i - j),
    );
  });

  it('survive any mix of setting and cancelling', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.boolean()), { maxLength: 200 }), (steps) => {
        const timers = new Timers(() => 0);
        const set = steps.map(([due]) => timers.at(1000 + due, () => undefined));
        let left = set.length;
        steps.forEach(([, cancelled], index) => {
          if (!cancelled) return;
          set[index]?.cancel();
          set[index]?.cancel();
          assert.equal(timers.size, --left);
        });
        timers.close();
      }),
    );
  });

  it('let the event loop go on when a timer sets itself again forever', async (t) => {
    const timers = new Timers();
    t.after(() => timers.close());
    let rounds = 0;
    const again = (): void => {
      rounds++;
      timers.after(0, again);
    };
    again();
    while (rounds < 5) await new Promise((resolve) => setImmediate(resolve));
  });

  it('go on after one that throws', async (t) => {
    const errors: unknown[] = [];
    const timers = new Timers(undefined, (error) => errors.push(error));
    t.after(() => timers.close());
    timers.after(0, () => {
      throw new Error('mine');
    });
    await new Promise<void>((resolve) => void timers.after(1, resolve));
    assert.deepEqual(errors.map(String), ['Error: mine']);
  });
});

describe('the run queue', () => {
  const frame = new Uint8Array(1);

  it('never calls a receiver from within a sender', async () => {
    const queue = createRunQueue();
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      const second = { take: () => (order.push('second'), resolve()) };
      const first = {
        take: () => {
          queue.push(second, frame);
          order.push('first');
        },
      };
      queue.push(first, frame);
      order.push('sender');
    });
    assert.deepEqual(order, ['sender', 'first', 'second']);
  });

  it('goes any number of hops without a stack', async () => {
    const queue = createRunQueue();
    await new Promise<void>((resolve) => {
      let hops = 0;
      const hop = { take: () => (++hops === 200_000 ? resolve() : queue.push(hop, frame)) };
      queue.push(hop, frame);
    });
  });

  it('drops what finds no room, and counts it', () => {
    const queue = createRunQueue({ capacity: 10 });
    for (let n = 0; n < 15; n++) queue.push({ take: () => undefined }, frame);
    assert.deepEqual([queue.length, queue.dropped], [10, 5]);
    queue.close();
    assert.equal(queue.length, 0);
  });

  it('gives way to the event loop while it is never empty', async () => {
    const queue = createRunQueue({ slice_ms: 1 });
    const forever = { take: () => queue.push(forever, frame) };
    queue.push(forever, frame);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(queue.length, 1);
    queue.close();
  });
});
