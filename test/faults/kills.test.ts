import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onDisk } from '../support/own-log.ts';
import { killRounds } from './kill-harness.ts';

it(
  'keeps every answered write and whole records when the server is killed in the middle of writing',
  { skip: onDisk() },
  async (t) => {
    const summary = await killRounds({ rounds: 5, seed: 20_240_601, report: (line) => t.diagnostic(line) });
    assert.deepEqual(summary.problems, []);
    assert.equal(summary.kills, 5);
    assert.ok(summary.answered > 0, 'no write was answered, so nothing was shown');
  },
);
