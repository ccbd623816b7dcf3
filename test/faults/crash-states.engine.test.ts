import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '../support/temp.ts';
import { makeRecording } from './states/recording.ts';
import { whyNoRecorder } from './states/record.ts';
import { checkStates, type StatesOptions } from './states/suite.ts';

const SEED = 20_261_122;
const SECONDS = 2;

describe('a power cut under load', { skip: whyNoRecorder() ?? false }, () => {
  it('leaves every answered write, and is found out where a sync is left out', { timeout: 240_000 }, async (t) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    const from = path.join(dir.path, 'recording');
    await makeRecording(from, SEED, SECONDS);
    const options: StatesOptions = {
      ...{ seed: SEED, seconds: 200, states: 12, perRecording: 12, recordSeconds: SECONDS, workers: 1 },
      ...{ from, only: null, forget: null, looks: 0, report: (line) => t.diagnostic(line) },
    };
    const { problems, states } = await checkStates(options);
    assert.deepEqual(problems, []);
    assert.equal(states, 12);

    const report = (): void => undefined;
    const careless = await checkStates({ ...options, report, states: 4, perRecording: 4, forget: '^log(/|$)' });
    assert.ok(
      careless.problems.length > 0 || careless.refused > 0,
      'a log that is never synced is as good as one that is',
    );
  });
});
