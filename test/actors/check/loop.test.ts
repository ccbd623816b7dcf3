import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CheckLoop, type LoopParts } from '../../../src/actors/check/loop.ts';
import type { Matched } from '../../../src/actors/check/questions.ts';
import type { CheckRecord } from '../../../src/common/forms/check.ts';

const frame: Matched = {
  ...{ type: 'watch.matched', watch_id: 'c', project_id: 'p', cable_id: 'l', direction: 0 },
  ...{ at_us: 0, number: 1, octets: 42, head: 'ff' },
};

/** A check of a capture whose frame passes while the fabric is still being asked to wait for it. */
const verdicts = async (check: Partial<CheckRecord>, is: 'seen' | 'never'): Promise<string[]> => {
  const told: string[] = [];
  let answer = (): void => undefined;
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const context = {
    committed: { get: () => ({ nodes: [] }) },
    plumbing: {
      putWatch: () => {
        isAsked();
        return new Promise<void>((resolve) => (answer = resolve));
      },
      removeWatch: () => Promise.resolve(),
    },
  };
  const loop = new CheckLoop({
    ...({ context, questions: {} } as unknown as Pick<LoopParts, 'context' | 'questions'>),
    ...{ projectId: 'p', began: Date.now(), is_met: undefined, isResumed: false, isTime: () => true },
    check: { check_id: 'c', capture: { link: 'l', filter: 'icmp', is }, ...check },
    tell: (verdict) => {
      told.push(verdict);
      return Promise.resolve();
    },
  });
  loop.begin();
  await asked;
  loop.matched(frame);
  answer();
  await new Promise(setImmediate);
  loop.stop();
  return told;
};

describe('a frame that passes while a look is under way', () => {
  it('is what counts, not what that look began with', async () => {
    assert.deepEqual(await verdicts({}, 'seen'), ['met']);
    assert.deepEqual(await verdicts({ before: '1h' }, 'seen'), ['met']);
    assert.deepEqual(await verdicts({}, 'never'), ['broken']);
  });
});
