import { encodeData } from './encoding.ts';
import { type AnyDraft, FACTS } from './facts.ts';
import { inTurns, type Steps } from '../turns.ts';

/** A draft that is checked and written as text, so that taking its place in the log costs little. */
export interface Prepared {
  draft: AnyDraft;
  data: unknown;
  encoded: { text: string; sha256: string };
}

/** Throws when the draft has not the shape of its type. */
export const prepare = (draft: AnyDraft): Prepared => {
  const data: unknown = FACTS[draft.type].data.parse(draft.data);
  return { draft, data, encoded: encodeData(data) };
};

/** Many, without holding up the event loop: for a batch of thousands. */
export const prepareAll = (drafts: readonly AnyDraft[]): Promise<Prepared[]> => inTurns(steps(drafts));

function* steps(drafts: readonly AnyDraft[]): Steps<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const draft of drafts) {
    prepared.push(prepare(draft));
    yield;
  }
  return prepared;
}
