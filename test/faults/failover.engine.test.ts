import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noPostgres } from '../support/postgres.ts';
import { failoverFaults } from './failover/rounds.ts';

it(
  'loses and doubles nothing when the servers of a cell and its databases are killed, stopped and cut off',
  {
    skip: noPostgres(),
  },
  async (t) => {
    const summary = await failoverFaults({ faults: 12, seed: 20_261_123, report: (line) => t.diagnostic(line) });
    assert.deepEqual(summary.problems, []);
    assert.ok(summary.answered > 0, 'no write was answered, so nothing was shown');
  },
);
