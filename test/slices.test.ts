import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce, eachInTurns, inSlices, type Steps } from '../src/common/slices.ts';

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

  it('shares its turn with all others', async () => {
    let inTurn = 0;
    let most = 0;
    const count = (): void => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    function* counted(): Steps<void> {
      for (const _ of busy(10)) {
        inTurn += 1;
        yield;
      }
    }
    await Promise.all(Array.from({ length: 20 }, () => inSlices(counted())));
    clearImmediate(next);
    // Each has one step in the turn in which it is begun.
    assert.ok(most <= 26, `${most} steps in a turn`);
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

it('many things that are asked for have their answers in order, and leave others their turns', async () => {
  const asked: number[] = [];
  let before = 0;
  const next = setImmediate(() => (before = asked.length));
  const answers = await eachInTurns(
    Array.from({ length: 200 }, (_, n) => n),
    (n) => Promise.resolve(asked.push(n)),
  );
  clearImmediate(next);
  assert.deepEqual(
    answers,
    answers.map((_, n) => n + 1),
  );
  assert.ok(before > 0 && before < 200, `${before} before others had a turn`);
  await assert.rejects(
    eachInTurns([1, 2], () => Promise.reject(new Error('no'))),
    /no/,
  );
});
