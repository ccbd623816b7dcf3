import assert from 'node:assert/strict';
import { it } from 'node:test';
import { flipRounds } from './harness.ts';

it('notices every flipped bit that changes an answer, in one file of each kind', async () => {
  const { flips, named, problems } = await flipRounds({ flips: 6, seed: 7, seconds: 60, report: () => undefined });
  assert.deepEqual(problems, []);
  assert.equal(flips, 6);
  assert.ok(named >= 2, `${named} of ${flips} named`);
});
