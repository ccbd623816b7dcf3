import type { CheckForms } from '../inspector/edit/forms.ts';
import { type Drafts, shownIn, valuesOf } from '../inspector/form/drafts.ts';
import type { Spec } from '../inspector/form/spec.ts';
import type { Draft } from '../inspector/form/values.ts';
import { DraftProblem } from '../store/notices.ts';
import type { Check, CheckBody } from './checks.ts';

/** Subjects of a check; each check has exactly one. */
export const SUBJECTS = [
  'reach',
  'loss',
  'console',
  'capture',
  'state',
  'counter',
  'exec',
  'ospf',
  'bgp',
  'vlan',
  'vrrp',
] as const;
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

/** Settings that the check had for the chosen subject. */
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

const SENTENCE = /^(.+?) (reaches|does not reach) (.+?)((?: (?:first|every|for|within|before|during) \S+)*)$/;

/** The check that a sentence says: `PC1 reaches PC2 within 10s`. Throws a sentence for who has typed it. */
export const checkOfSentence = (sentence: string): CheckBody => {
  const [, from, verb, to, times = ''] = SENTENCE.exec(sentence.trim().replace(/\s+/g, ' ')) ?? [];
  if (from === undefined || to === undefined)
    throw new DraftProblem('Say something like: PC1 reaches PC2 within 10s, or: PC1 does not reach 10.0.9.1');
  const pairs = [...times.matchAll(/(?<!\w)(\w+) (\S+)/g)].map(([, key = '', value = '']) => [key, value] as const);
  return { reach: { from, to, ...(verb === 'reaches' ? {} : { not: true }) }, ...Object.fromEntries(pairs) };
};
