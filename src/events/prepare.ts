import type { Change } from './batch-ops.ts';
import { encodeData } from './encoding.ts';
import { type AnyDraft, type AnyFact, FACTS } from './facts.ts';

/** What a fact holds, as it is stored. */
export type Encoded = ReturnType<typeof encodeData>;

/** A fact that has no place in the log yet, and what it holds as text. */
export interface Prepared {
  fact: AnyFact;
  encoded: Encoded;
}

/** Throws when the draft has not the shape of its type. */
export const prepare = (draft: AnyDraft, position = 0): Prepared => {
  const { v, data: schema } = FACTS[draft.type];
  const data: unknown = schema.parse(draft.data);
  const fact = {
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
  return { fact: fact as unknown as AnyFact, encoded: encodeData(data) };
};

/** Facts that are checked, written as text and folded, so that taking their places in the log costs little; to be appended once. */
export interface PreparedBatch {
  facts: AnyFact[];
  encoded: Encoded[];
  /** What they change; `by`: how much later in the log they come to stand than they were folded for. */
  place: (by: number) => Change[];
  /** Whether they were folded on what is pending now. */
  isCurrent: () => boolean;
}
