import assert from 'node:assert/strict';
import { it } from 'node:test';
import { whyNoRecorder } from './states/record.ts';
import { checkStates } from './states/suite.ts';

it(
  'starts with every answered write on what a power cut at any moment leaves of the files',
  { skip: whyNoRecorder() ?? false, timeout: 240_000 },
  async (t) => {
    const { problems, ...figures } = await checkStates({
      seed: 20_261_122,
      seconds: 120,
      states: 24,
      perRecording: 24,
      recordSeconds: 3,
      workers: 1,
      from: null,
      only: null,
      report: (line) => t.diagnostic(line),
    });
    assert.deepEqual(problems, []);
    assert.ok(figures.states > 0 && figures.steps > 0);
  },
);
