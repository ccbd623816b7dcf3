import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recoveryRounds } from './recovery-harness.ts';

it('goes on through kills of the server, of the fabric and of both', { timeout: 110_000 }, async (t) => {
  const summary = await recoveryRounds({
    ...{ server: 4, fabric: 2, both: 2, nodes: 10, seed: 20_240_601 },
    report: (line) => t.diagnostic(line),
  });
  assert.deepEqual(summary.problems, []);
  assert.equal(summary.rounds, 8);
  assert.ok(summary.replies > 0 && summary.beats > 0, 'nothing was sent, so nothing was shown');
});
