import type { AnyEvent } from '../../events/schemas.ts';
import type { RecordChange } from '../fold/fold.ts';
import type { CollectionName, Collections, RecordView } from '../records.ts';

/** What an event made of one record. `before` null: it is new; `record` null: it is gone. */
export type Transition = {
  [C in CollectionName]: { collection: C; id: string; before: Collections[C] | null; record: Collections[C] | null };
}[CollectionName];

/** An event and all that it changed. */
export interface Step {
  event: AnyEvent;
  transitions: Transition[];
}

/** `view`: the records before the event. */
export const stepOf = (view: Pick<RecordView, 'get'>, event: AnyEvent, changes: readonly RecordChange[]): Step => ({
  event,
  transitions: changes.map(({ collection, id, record }) => {
    const before = view.get(collection, id) ?? null;
    return { collection, id, before, record } as Transition;
  }),
});
