import assert from 'node:assert/strict';
import { it } from 'node:test';
import { podmanLacks } from '../support/podman.ts';
import { widerFaults } from './labs/wider-rounds.ts';

it(
  'why blames nobody for what happens inside of containers, and names what happens around them',
  { skip: (await podmanLacks()) ?? false, timeout: 300_000 },
  async (t) => {
    const { signal } = new AbortController();
    const report = (line: string): void => t.diagnostic(line);
    const summary = await widerFaults({ faults: 40, seed: 17, without: ['computes'], signal, report });
    assert.deepEqual([summary.wrong, summary.problems], [0, []]);
    assert.ok(summary.unknown <= 5, `${summary.unknown} unknown`);
  },
);
