import type { Change } from './batch-ops.ts';
import { encodeData, type Encoded } from '../encoding.ts';
import { type AnyDraft, type AnyEvent, EVENTS } from '../schemas.ts';

/** An event that has no place in the log yet, and what it holds as text. */
export interface Prepared {
  event: AnyEvent;
  encoded: Encoded;
}

/** Throws when the draft has not the shape of its type. */
export const prepare = (draft: AnyDraft, position = 0): Prepared => {
  const { v, data: schema } = EVENTS[draft.type];
  const data: unknown = schema.parse(draft.data);
  const event = {
    project_id: draft.project_id,
    type: draft.type,
    data,
    by: draft.by,
    request_id: draft.request_id,
    cause: draft.cause,
    position,
    version: 0,
    v,
    at: '',
    prev: '',
    hash: '',
  };
  return { event: event as unknown as AnyEvent, encoded: encodeData(data) };
};

/** Events that are checked, written as text and folded, so that taking their places in the log costs little; to be appended once. */
export interface PreparedBatch {
  events: AnyEvent[];
  encoded: Encoded[];
  /** What they change; `by`: how much later in the log they come to stand than they were folded for. */
  place: (by: number) => Change[];
  /** Whether they were folded on what is pending now. */
  isCurrent: () => boolean;
}
