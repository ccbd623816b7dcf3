import assert from 'node:assert/strict';
import { it } from 'node:test';
import { labFaults } from './labs/rounds.ts';

it('why names the event that broke a lab, for each way of breaking it', async () => {
  const { signal } = new AbortController();
  const summary = await labFaults({ faults: 12, seed: 17, labs: 4, bisects: false, signal, report: () => undefined });
  assert.deepEqual(summary.problems, []);
  assert.equal(summary.named, 12);
});
