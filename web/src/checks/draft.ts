import type { CheckForms } from '../inspector/edit/document.ts';
import { type Drafts, shownIn, valuesOf } from '../inspector/form/drafts.ts';
import type { Spec } from '../inspector/form/spec.ts';
import type { Draft } from '../inspector/form/values.ts';
import type { Check, CheckBody } from './checks.ts';

/** What a check looks at: there is one of them in each. */
export const SUBJECTS = ['reach', 'loss', 'console', 'capture', 'state', 'counter', 'exec'] as const;
export type Subject = (typeof SUBJECTS)[number];

type Bag = Readonly<Record<string, unknown>>;

const subjectOf = (check: Bag): Subject => SUBJECTS.find((name) => check[name] !== undefined) ?? 'reach';

/** A check as it is edited: what it looks at, and what was typed of that and of the rest. */
export interface CheckDraft {
  readonly subject: Subject;
  readonly inner: Drafts;
  readonly outer: Drafts;
}

export const draftOfCheck = (check: Check | null): CheckDraft => ({
  subject: check === null ? 'reach' : subjectOf(check),
  inner: {},
  outer: {},
});

/** What the check had in the subject that is chosen. */
const innerOf = (check: Check | null, subject: Subject): Bag => ({
  ...(check?.[subject] ?? {}),
});

export const shownOuter = (spec: Spec, draft: CheckDraft, check: Check | null): Draft | null =>
  shownIn(spec, draft.outer, check ?? {});

export const shownInner = (spec: Spec, { inner, subject }: CheckDraft, check: Check | null): Draft | null =>
  shownIn(spec, inner, innerOf(check, subject));

/** The whole check, for the server, or what is wrong with its fields. */
export const bodyOf = (
  forms: CheckForms,
  draft: CheckDraft,
  check: Check | null,
): { readonly body: CheckBody; readonly problems: Readonly<Record<string, string>> } => {
  const { subject } = draft;
  const own = valuesOf(forms.own, draft.outer, check ?? {});
  const inner = valuesOf(forms.subjects[subject] ?? [], draft.inner, innerOf(check, subject));
  return {
    body: { ...own.values, [subject]: inner.values },
    problems: { ...own.problems, ...inner.problems },
  };
};
