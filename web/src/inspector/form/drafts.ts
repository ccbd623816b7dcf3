import { sentenceOf } from '../../store/notices.ts';
import { t, told } from '../../words/words.ts';
import type { Editing } from '../edit/use-edit.ts';
import type { Spec } from './spec.ts';
import { type Draft, draftOf, valueOf } from './values.ts';

type Bag = Readonly<Record<string, unknown>>;

/** Drafts by key, only for fields that somebody has edited. */
export type Drafts = Readonly<Record<string, Draft>>;

/** Text or value to show in a field: its draft, or the given value; null: empty, and the server says what that means. */
export const shownIn = (spec: Spec, drafts: Drafts, given: Bag): Draft | null => {
  const typed = drafts[spec.key];
  if (typed !== undefined) return typed;
  const value = given[spec.key];
  if (value !== undefined) return draftOf(spec, value);
  return spec.widget === 'switch' || spec.widget === 'select' ? null : draftOf(spec, spec.widget === 'row' ? {} : null);
};

/** Everything that the fields have, or what is wrong with it, by key; what is empty is left out. */
export const valuesOf = (
  specs: readonly Spec[],
  drafts: Drafts,
  given: Bag,
): { readonly values: Record<string, unknown>; readonly problems: Record<string, string> } => {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const spec of specs) {
    const draft = shownIn(spec, drafts, given);
    if (draft === null || draft === false || draft === '') {
      if (spec.isRequired) problems[spec.key] = t('{title} is missing', { title: told(spec.title) });
      continue;
    }
    try {
      values[spec.key] = valueOf(spec, draft);
    } catch (problem) {
      problems[spec.key] = sentenceOf(problem);
    }
  }
  return { values, problems };
};

const nothing = (): void => undefined;

/** A field whose value is sent with the others. */
export const draftEditing = (draft: Draft | null, problem: string | null, set: (draft: Draft) => void): Editing => ({
  agreed: { isMixed: false, value: undefined },
  draft,
  problem,
  isDirty: false,
  isBusy: false,
  isReadOnly: false,
  conflict: null,
  mustStop: false,
  change: set,
  commit: (given) => given !== undefined && set(given),
  commitStopped: nothing,
  commitOver: nothing,
  revert: nothing,
  restore: nothing,
});
