import type { AnyFact } from '../../events/facts.ts';
import type { RecordChange } from '../fold.ts';
import type { CollectionName, Collections, RecordView } from '../records.ts';

/** What a fact made of one record. `before` null: it is new; `record` null: it is gone. */
export type Transition = {
  [C in CollectionName]: { collection: C; id: string; before: Collections[C] | null; record: Collections[C] | null };
}[CollectionName];

/** A fact and all that it changed. */
export interface Step {
  fact: AnyFact;
  transitions: Transition[];
}

/** `view`: the records before the fact. */
export const stepOf = (view: Pick<RecordView, 'get'>, fact: AnyFact, changes: readonly RecordChange[]): Step => ({
  fact,
  transitions: changes.map(({ collection, id, record }) => {
    const before = view.get(collection, id) ?? null;
    return { collection, id, before, record } as Transition;
  }),
});
