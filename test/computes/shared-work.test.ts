import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withResolvers } from '../../src/common/promises.ts';
import { SharedWork } from '../../src/computes/nodes/shared-work.ts';

const begun = () => {
  const { promise, resolve, reject } = withResolvers<string>();
  const signals: AbortSignal[] = [];
  const begin = (signal: AbortSignal): Promise<string> => {
    signals.push(signal);
    return promise;
  };
  return { begin, signals, resolve, reject };
};

describe('what several ask for at the same time', () => {
  it('is done once, and again for those who ask later', async () => {
    const shared = new SharedWork<string>();
    const { begin, signals, resolve } = begun();
    const { signal } = new AbortController();
    const both = [shared.of('x', signal, begin), shared.of('x', signal, begin)];
    const other = shared.of('y', signal, begin);
    assert.equal(signals.length, 2);
    resolve('done');
    assert.deepEqual(await Promise.all([...both, other]), ['done', 'done', 'done']);
    assert.equal(await shared.of('x', signal, begin), 'done');
    assert.equal(signals.length, 3);
  });

  it('goes on as long as one of them waits, and ends with the last', async () => {
    const shared = new SharedWork<string>();
    const { begin, signals } = begun();
    const [one, two] = [new AbortController(), new AbortController()];
    const [first, second] = [one, two].map(({ signal }) => shared.of('x', signal, begin));
    one.abort(new Error('first gives up'));
    await assert.rejects(first ?? Promise.resolve(), /first gives up/);
    assert.equal(signals[0]?.aborted, false);
    two.abort(new Error('second gives up'));
    await assert.rejects(second ?? Promise.resolve(), /second gives up/);
    assert.equal(signals[0]?.aborted, true);
    // Nobody joins what is given up.
    void shared.of('x', new AbortController().signal, begin);
    assert.equal(signals.length, 2);
    assert.equal(signals[1]?.aborted, false);
  });

  it('fails for all of them, and is begun again', async () => {
    const shared = new SharedWork<string>();
    const { begin, reject } = begun();
    const { signal } = new AbortController();
    const both = [shared.of('x', signal, begin), shared.of('x', signal, begin)];
    reject(new Error('no'));
    for (const one of both) await assert.rejects(one, /no/);
    assert.equal(await shared.of('x', signal, () => Promise.resolve('yes')), 'yes');
    const ended = AbortSignal.abort(new Error('before'));
    await assert.rejects(shared.of('x', ended, begin), /before/);
  });
});
