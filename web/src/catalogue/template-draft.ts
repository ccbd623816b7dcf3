import type { TemplateSpecs } from '../inspector/edit/forms.ts';
import type { Drafts } from '../inspector/form/drafts.ts';
import type { Spec } from '../inspector/form/spec.ts';
import { valueOf } from '../inspector/form/values.ts';
import type { Template } from '../map/palette/templates.ts';
import { sentenceOf } from '../store/notices.ts';
import type { Node } from '../store/records.ts';

/** Subject of the form: a new template, an existing one, or a node. */
export type TemplateSubject =
  | { readonly what: 'new' }
  | { readonly what: 'template'; readonly template: Template }
  | { readonly what: 'node'; readonly node: Node };

type Bag = Readonly<Record<string, unknown>>;

/** Request made from the drafts, or the problems with them by key. */
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

/** Values that a template takes from a node: not those that each node has of its own. */
export const templateOfNode = ({ own, ofKind }: TemplateSpecs, node: NodeLike): Record<string, unknown> => {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  const pick = (specs: readonly Spec[], from: Bag): [string, unknown][] =>
    specs.filter(({ key, isUnique }) => !isUnique && isGiven(from[key])).map(({ key }) => [key, from[key]]);
  return Object.fromEntries([...pick(own, node), ...pick(ofKind, node.properties)].filter(([key]) => key !== 'name'));
};
