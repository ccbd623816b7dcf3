import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Records } from '../../src/projections/store.ts';
import type { RecordChange } from '../../src/projections/fold.ts';
import { drawingData, PROJECT, projectData } from '../support/facts.ts';
import { factOf } from '../support/facts-of-node.ts';

const { drawing_id } = drawingData(1);
const created = factOf('project.created', projectData(), 1);
const drawn = factOf('drawing.created', drawingData(1), 2);
const moved = (x: number, position: number) =>
  factOf('drawing.updated', { drawing_id, project_id: PROJECT, changes: { x } }, position);
const erased = factOf('drawing.deleted', { drawing_id, project_id: PROJECT }, 5);

/** `x` of the drawing for reads and for decisions. */
const both = (records: Records): (number | undefined)[] =>
  [records.committed, records.pending].map((view) => view.get('drawing', drawing_id)?.x);

describe('records', () => {
  it('keep what is staged for decisions until as much of it is committed as was staged', () => {
    const records = new Records();
    const staged = [created, drawn, moved(5, 3), moved(6, 4)].map((fact) => records.stage(fact));
    assert.deepEqual(both(records), [undefined, 6]);
    for (const [i, expected] of [
      [0, undefined],
      [1, 1],
      [2, 5],
      [3, 6],
    ] as const) {
      records.commit(staged[i] ?? []);
      assert.deepEqual(both(records), [expected, 6], `after commit ${i}`);
    }
  });

  it('list what is staged, and not what a staged fact deletes', () => {
    const records = new Records();
    for (const fact of [created, drawn]) records.commit(records.stage(fact));
    const deleted = records.stage(erased);
    const inProject = (): number[] =>
      [records.committed, records.pending].map((view) => view.ofProject('drawing', PROJECT).length);
    assert.deepEqual(inProject(), [1, 0]);
    records.stage(factOf('drawing.created', drawingData(2), 6));
    assert.deepEqual(inProject(), [1, 1]);
    records.commit(deleted);
    assert.deepEqual(inProject(), [0, 1]);
  });

  it('forget everything staged when it is discarded', () => {
    const records = new Records();
    for (const fact of [created, drawn]) records.commit(records.stage(fact));
    records.stage(moved(9, 3));
    records.discard();
    assert.deepEqual(both(records), [1, 1]);
  });

  it('are listed in the order of their creation after they were stored', () => {
    const records = new Records();
    const stored: RecordChange[] = [];
    for (const n of [3, 1, 2]) {
      const id = drawingData(n).drawing_id;
      stored.push({ collection: 'drawing', id, record: { ...drawingData(n), created: 10 - n, changed: 20 } });
    }
    records.restore(stored);
    assert.deepEqual(
      records.committed.ofProject('drawing', PROJECT).map((d) => d.created),
      [7, 8, 9],
    );
  });
});
