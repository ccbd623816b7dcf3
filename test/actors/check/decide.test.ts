import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Finding, isSettled, timesOf, verdictOf } from '../../../src/actors/check/decide.ts';
import type { CheckForm } from '../../../src/common/forms/check.ts';

const found = (holds: Finding['holds']): Finding => ({ holds, text: '', evidence: {} });
const state: CheckForm = { state: { node: 'R1', is: 'started' } };
const at = (check: Partial<CheckForm>) => timesOf({ ...state, ...check });

describe('the verdict of a check', () => {
  it('changes with what is found, and is told once', () => {
    assert.equal(verdictOf(at({}), undefined, found(true), 0), 'met');
    assert.equal(verdictOf(at({}), true, found(true), 0), null);
    assert.equal(verdictOf(at({}), true, found(false), 0), 'broken');
    assert.equal(verdictOf(at({}), false, found(false), 0), null);
    assert.equal(verdictOf(at({}), false, found(true), 0), 'met');
  });

  it('waits until what need not hold yet is late', () => {
    for (const times of [at({ within: '10s' }), at({ before: 10 })]) {
      assert.equal(verdictOf(times, undefined, found(false), 9_999), null);
      assert.equal(verdictOf(times, undefined, found(false), 10_000), 'broken');
      assert.equal(verdictOf(times, true, found(false), 500), 'broken');
    }
  });

  it('stays when nobody can say, and is broken where nobody could say in time', () => {
    assert.equal(verdictOf(at({}), true, found(null), 0), null);
    assert.equal(verdictOf(at({}), undefined, found(null), 0), null);
    assert.equal(verdictOf(at({ within: '1s' }), undefined, found(null), 1_000), 'broken');
  });

  it('is final for what had to hold once, and for a frame that must never pass', () => {
    const before: CheckForm = { ...state, before: '10s' };
    assert.equal(isSettled(before, timesOf(before), true), true);
    assert.equal(isSettled(before, timesOf(before), false), false);
    const never: CheckForm = { capture: { link: 'l', filter: 'icmp', is: 'never' } };
    assert.equal(isSettled(never, timesOf(never), false), true);
    assert.equal(isSettled(never, timesOf(never), true), false);
    assert.equal(isSettled(state, at({}), true), false);
  });

  it('is looked for from its first time to its end, and never all the time', () => {
    assert.deepEqual(at({ first: '2s', for: '3s', every: 0 }), {
      ...{ first: 2_000, every: 50, end: 5_000, deadline: 0, isOnce: false },
    });
    assert.equal(at({}).end, Infinity);
  });
});
