import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrameAttack } from './frames.ts';
import { attackAll } from './run.ts';

/** Other seeds: TOPOLOG_HOSTILE_SEED=7 node scripts/test.mjs faults/hostile; longer: npm run faults -- hostile */
const SEED = Number(process.env['TOPOLOG_HOSTILE_SEED'] ?? 20_261_122);

describe('a short attack', () => {
  it('of 20,000 frames of every kind leaves every embedded node well', { timeout: 120_000 }, async (t) => {
    const { problems, ...figures } = await new FrameAttack(SEED).run(20_000);
    t.diagnostic(JSON.stringify(figures));
    assert.deepEqual(problems, []);
    assert.equal(figures.frames, 20_000);
    // Where most of them end at the door, the rest of the house is not tested.
    assert.ok(figures.reached > 400, `only ${figures.reached} parts of src/fabric ran`);
  });

  it('with texts of every class in every body finds nothing undocumented', { timeout: 120_000 }, async (t) => {
    const report = (line: string): void => t.diagnostic(line);
    assert.deepEqual(
      await attackAll({ seed: SEED, seconds: 3, frames: 0, only: ['fields'], isTimed: false, report }),
      [],
    );
  });
});
