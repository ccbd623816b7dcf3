import type { AnyFact } from '../../events/facts.ts';
import type { Steps } from '../../common/turns.ts';
import { fold, type RecordChange } from '../fold.ts';
import type { RecordView } from '../records.ts';
import { Records } from '../store.ts';

/** Records that nobody else sees, to decide several facts on of which each builds on those before it. */
export interface Scratch {
  view: RecordView;
  /** A fact that is not in the log yet: its position is nobody's. */
  fold(fact: Pick<AnyFact, 'type' | 'data'>): void;
}

export function* scratchOf(view: RecordView): Steps<Scratch> {
  const records = new Records();
  for (const project of view.projects()) {
    const id = project.project_id;
    records.apply([
      { collection: 'project', id, record: project },
      ...view.ofProject('node', id).map((record): RecordChange => ({ collection: 'node', id: record.node_id, record })),
      ...view.ofProject('link', id).map((record): RecordChange => ({ collection: 'link', id: record.link_id, record })),
      ...view
        .ofProject('drawing', id)
        .map((record): RecordChange => ({ collection: 'drawing', id: record.drawing_id, record })),
    ]);
    yield;
  }
  return {
    view: records.committed,
    fold: (fact) => records.apply(fold(records.committed, { ...fact, position: 0 } as AnyFact)),
  };
}
