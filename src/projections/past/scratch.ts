import type { AnyEvent } from '../../events/schemas.ts';
import type { Steps } from '../../common/slices.ts';
import { fold } from '../fold/fold.ts';
import type { RecordChange } from '../fold/change.ts';
import type { RecordView } from '../records.ts';
import { Records } from '../store.ts';

/** A private copy of records, to decide on several events each of which depends on those before it. */
export interface Scratch {
  view: RecordView;
  /** Folds an event that is not in the log yet, with position 0. */
  fold(event: Pick<AnyEvent, 'type' | 'data'>): void;
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
    fold: (event) => records.apply(fold(records.committed, { ...event, position: 0 } as AnyEvent)),
  };
}
