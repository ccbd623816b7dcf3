import assert from 'node:assert/strict';
import { it } from 'node:test';
import { labFaults } from './labs/rounds.ts';
import { widerFaults } from './labs/wider-rounds.ts';

it('why names the event that broke a lab, for each way of breaking it', async () => {
  const { signal } = new AbortController();
  const summary = await labFaults({ faults: 12, seed: 17, labs: 4, bisects: false, signal, report: () => undefined });
  assert.deepEqual(summary.problems, []);
  assert.equal(summary.named, 12);
});

it('why names what broke a lab of IPv6 or of routers, what was typed and what a reload lost, and blames nobody else', async () => {
  const { signal } = new AbortController();
  const without = ['containers', 'computes'] as const;
  const summary = await widerFaults({ faults: 20, seed: 17, without, signal, report: () => undefined });
  assert.deepEqual(summary, { named: 20, unknown: 0, wrong: 0, problems: [] });
});
