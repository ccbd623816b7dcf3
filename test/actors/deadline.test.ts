import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withDeadline } from '../../src/actors/runtime/deadline.ts';

/** Work that ends only by its signal. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('a deadline', () => {
  it('ends work that takes too long, also after the garbage was collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const late = withDeadline(new AbortController().signal, 30, untilAborted);
    collect();
    await assert.rejects(late, { name: 'TimeoutError' });
  });

  it('passes on why it was left', async () => {
    const left = new AbortController();
    const work = withDeadline(left.signal, 60_000, untilAborted);
    left.abort(new Error('stopped'));
    await assert.rejects(work, /stopped/);
    await assert.rejects(withDeadline(left.signal, 60_000, untilAborted), /stopped/);
  });

  it('passes on why where a function of Node was aborted', async () => {
    const left = new AbortController();
    const work = withDeadline(left.signal, 60_000, (signal) => sleep(60_000, undefined, { signal }));
    left.abort(new Error('stopped'));
    await assert.rejects(work, /stopped/);
    const late = withDeadline(new AbortController().signal, 10, (signal) => sleep(60_000, undefined, { signal }));
    await assert.rejects(late, { name: 'TimeoutError' });
  });

  it('gives what the work gives, and holds nothing afterwards', async () => {
    assert.equal(await withDeadline(new AbortController().signal, 60_000, () => Promise.resolve(7)), 7);
    await assert.rejects(
      withDeadline(new AbortController().signal, 60_000, () => Promise.reject(new Error('no'))),
      /no/,
    );
  });
});
