import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CheckRecord } from '../../src/common/forms/check.ts';
import type { DataOf, EventType } from '../../src/events/schemas.ts';
import { fold } from '../../src/projections/fold/fold.ts';
import { stagesOf } from '../../src/projections/stages.ts';
import { Records } from '../../src/projections/store.ts';
import { PROJECT, projectData } from '../support/events.ts';
import { eventOf } from '../support/events-of-node.ts';

const check_id = '00000000-0000-4000-a000-000000000001';
const ofProject = { project_id: PROJECT };
const check: CheckRecord = { check_id, name: 'off', state: { node: 'a', is: 'stopped' }, points: 5 };
const stage = { name: 'first', checks: ['off'], deadline: '5s' };

/** A lab with a stage of one check, and what happens in it. */
const lab = () => {
  const records = new Records();
  let position = 0;
  const happen = <T extends EventType>(type: T, data: DataOf<T>): void =>
    records.apply(fold(records.committed, eventOf(type, data, ++position)));
  happen('project.created', { ...projectData(), checks: [check], stages: [stage] });
  const change = (changes: DataOf<'project.updated'>['changes']): void =>
    happen('project.updated', { ...ofProject, changes });
  const met = (after_ms: number): void =>
    happen('check.met', { ...ofProject, check_id, name: 'off', after_ms, text: '', evidence: {} });
  const run = (after_ms: number): void => {
    happen('run.begun', ofProject);
    met(after_ms);
    happen('run.ended', ofProject);
  };
  const points = (): number | undefined => stagesOf(records.committed, PROJECT)[0]?.points;
  return { records, change, run, points };
};

describe('the points of a stage', () => {
  it('count for a check that was met in time in any run, whichever came first', () => {
    for (const runs of [
      [12_100, 3_100],
      [3_100, 12_100],
    ]) {
      const { run, points } = lab();
      for (const after of runs) run(after);
      assert.equal(points(), 5, runs.join());
    }
    const { run, points } = lab();
    run(12_100);
    assert.equal(points(), 0);
  });

  it('are gone with what a check asked, also once it asks the same again', () => {
    const { records, change, run, points } = lab();
    change({ checks: [{ check_id, name: 'off', exec: { run: 'true' } }] });
    run(100);
    assert.equal(points(), 1);
    change({ checks: [check] });
    assert.equal(points(), 0);
    assert.deepEqual(records.committed.get('run', PROJECT)?.verdicts, {});
    run(200);
    assert.equal(points(), 5);
    change({ checks: [] });
    change({ checks: [check] });
    assert.equal(points(), 0);
  });

  it('stay with a check that has other points or another check beside it', () => {
    const { change, run, points } = lab();
    run(100);
    change({
      checks: [
        { ...check, points: 2 },
        { ...check, check_id: PROJECT, name: 'other' },
      ],
    });
    assert.equal(points(), 2);
  });
});
