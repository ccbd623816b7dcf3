import type { TemplateSpecs } from '../../inspector/edit/document.ts';
import type { Spec } from '../../inspector/form/spec.ts';
import { type Draft, draftOf, valueOf } from '../../inspector/form/values.ts';
import { sentenceOf } from '../../store/notices.ts';

type Bag = Readonly<Record<string, unknown>>;

/** What was typed, by key; what nobody touched is not there. */
export type Drafts = Readonly<Record<string, Draft>>;

/** What stands in a field: what was typed, or what the template has; null: the default of the kind, which is not known here. */
export const shownDraft = (spec: Spec, drafts: Drafts, given: Bag): Draft | null => {
  const typed = drafts[spec.key];
  if (typed !== undefined) return typed;
  const value = given[spec.key];
  if (value !== undefined) return draftOf(spec, value);
  return spec.widget === 'switch' || spec.widget === 'select' ? null : draftOf(spec, spec.widget === 'row' ? {} : null);
};

/** What is sent of what was typed, or what is wrong with it, by key. */
export const bodyOf = (
  { own, ofKind }: TemplateSpecs,
  drafts: Drafts,
): { readonly body: Record<string, unknown>; readonly problems: Readonly<Record<string, string>> } => {
  const body: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const spec of [...own, ...ofKind]) {
    const draft = drafts[spec.key];
    if (draft === undefined) continue;
    try {
      body[spec.key] = valueOf(spec, draft);
    } catch (problem) {
      problems[spec.key] = sentenceOf(problem);
    }
  }
  return { body, problems };
};

interface NodeLike extends Bag {
  readonly name: string;
  readonly properties: Bag;
}

/** What a template takes of a node: not what each node has of its own. */
export const templateOfNode = ({ own, ofKind }: TemplateSpecs, node: NodeLike): Record<string, unknown> => {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  const pick = (specs: readonly Spec[], from: Bag): [string, unknown][] =>
    specs.filter(({ key, isUnique }) => !isUnique && isGiven(from[key])).map(({ key }) => [key, from[key]]);
  return Object.fromEntries([...pick(own, node), ...pick(ofKind, node.properties)].filter(([key]) => key !== 'name'));
};
