import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce, inSlices, type Steps } from '../src/common/slices.ts';

/** Each step takes a millisecond of the processor. */
function* busy(steps: number): Steps<number> {
  for (let n = 0; n < steps; n++) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    yield;
  }
  return steps;
}

describe('a long task in steps', () => {
  it('lets others have their turns in between', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    assert.equal(await inSlices(busy(60)), 60);
    clearImmediate(next);
    assert.ok(turns >= 3, `${turns} turns`);
  });

  it('does not pause when it is wanted at once', () => {
    let paused = false;
    const next = setImmediate(() => (paused = true));
    assert.equal(atOnce(busy(30)), 30);
    assert.equal(paused, false);
    clearImmediate(next);
  });

  it('fails as its steps do', async () => {
    function* failing(): Steps<void> {
      yield;
      throw new Error('no');
    }
    await assert.rejects(inSlices(failing()), /no/);
    assert.throws(() => atOnce(failing()), /no/);
  });
});
