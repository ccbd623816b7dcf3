import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findNeeds } from '../joint/needs.ts';
import { mixedRounds } from './mixed/rounds.ts';

const needs = await findNeeds();

it(
  'loses, doubles and leaves nothing when server, fabric or both are killed under a mixed load of real emulators',
  { skip: typeof needs === 'string' ? needs : false },
  async (t) => {
    if (typeof needs === 'string') return;
    const summary = await mixedRounds({
      ...{ guest: needs, kills: 6, seconds: 100, seed: 20_261_122 },
      report: (line) => t.diagnostic(line),
    });
    assert.deepEqual(summary.problems, []);
    assert.equal(Object.keys(summary.answered).length, 17, JSON.stringify(summary.answered));
  },
);
