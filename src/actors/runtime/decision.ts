import { isDeepStrictEqual } from 'node:util';
import type { AnyDraft, DataOf, EventType } from '../../events/schemas.ts';
import type { BatchStep } from '../batch/interface.ts';
import type { Caller } from '../caller.ts';
import { draft } from '../context.ts';

/** An event that is to be: who asks for it, and in which project, is the caller's. */
export type NewEvent = { [T in EventType]: { type: T; data: DataOf<T> } }[EventType];

/** What a command comes to, for each noun in its `decide.ts`: a look at the records, and no effect. No events: nothing changes. */
export interface Decision {
  /** Of the record it is about. */
  id: string;
  events: readonly NewEvent[];
}

/** One change of a node, a link or a drawing; alone or in a batch. */
export type StepOf<T extends BatchStep['type']> = Extract<BatchStep, { type: T }>;

export const draftsOf = (caller: Caller, projectId: string | null, events: readonly NewEvent[]): AnyDraft[] =>
  events.map(({ type, data }) => draft(caller, projectId, type, data));

/** What really changes, as final values for the event; empty when nothing does. */
export const realChanges = <C extends object>(record: object, given: C): C =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([key, value]) => !isDeepStrictEqual(value, (record as Readonly<Record<string, unknown>>)[key]),
    ),
  ) as C;

export const isNothing = (changes: object): boolean => Object.keys(changes).length === 0;
