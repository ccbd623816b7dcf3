import assert from 'node:assert/strict';
import { it } from 'node:test';
import { computeFaults } from './rounds.ts';

it('loses, doubles and leaves nothing when controller, computes and fabrics are killed and the ways between them cut', async (t) => {
  const summary = await computeFaults({ faults: 12, seed: 20_261_123, report: (line) => t.diagnostic(line) });
  assert.deepEqual(summary.problems, []);
  assert.ok(summary.answered > 0, 'no write was answered, so nothing was shown');
});
