import { type Document, isMap, isSeq } from 'yaml';
import type { CheckForm } from '../../../common/forms/check.ts';
import { reverseFilters } from '../../../common/forms/filters.ts';
import { labKeyOf } from '../../../model/derive.ts';
import { LINK } from '../../../model/link.ts';
import { endOf } from '../ends.ts';
import type { Lab, LabDrawing, LabLink, LabNode } from '../model.ts';
import { rewritten } from './rewrite.ts';
import { checkText, drawingForm, linkForm, nodeForm, styled, withTimes } from './write.ts';

interface Of<T extends string, L> {
  type: T;
  /** `add`: the text has it, and the lab does not. `remove`: the other way round. */
  action: 'add' | 'change' | 'remove';
  /** Where the text says it, or would. */
  path: readonly PropertyKey[];
  fields: readonly { field: string; from: unknown }[];
  /** As the lab has it; null: it does not. */
  is: L | null;
}

/** Lists beside the settings. */
export type Lessons<T> = Record<'checks' | 'stages' | 'weather', readonly T[]>;

/** How a text differs from the lab, as what it would take to make the lab what it says. */
export type Difference =
  /** `kept`: where the text says what each of the lab's lists has; null: it does not. */
  | (Of<'project', Omit<Lab['settings'], keyof Lessons<unknown>> & Lessons<unknown>> & { kept: Lessons<number | null> })
  | Of<'node', LabNode>
  | Of<'link', LabLink>
  | Of<'drawing', LabDrawing>;

/** The text with what the lab has instead of what it says; all else in it stays, comments and order too. */
export const updateLabText = (text: string, differences: readonly Difference[]): string =>
  rewritten(text, (document) => {
    for (const one of differences) if (one.action === 'change') change(document, one);
    // From the end on, so that the places in lists stay right; what comes is put behind.
    for (const one of differences.toReversed())
      if (one.action === 'add' && one.type !== 'project') document.deleteIn(one.path);
    for (const one of differences) if (one.action === 'remove') add(document, one);
  });

const change = (document: Document, one: Difference): void => {
  if (one.type === 'project') {
    const settings: Readonly<Record<string, unknown>> = { ...one.is };
    for (const { field, from } of one.fields)
      if (isLesson(field)) putList(document, field, one);
      else put(document, ['settings', field], settings[field] ?? from);
  }
  if (one.type === 'node' && one.is !== null) changeNode(document, one, one.is);
  if (one.type === 'link' && one.is !== null) changeLink(document, one, one.is);
};

const isLesson = (field: string): field is keyof Lessons<unknown> => ['checks', 'stages', 'weather'].includes(field);

/** What the text says already stays as it says it. */
const putList = (document: Document, field: keyof Lessons<unknown>, { is, kept }: ProjectDifference): void => {
  const said = is?.[field] ?? [];
  const values =
    field === 'weather'
      ? (withTimes(said) as unknown[])
      : field === 'checks'
        ? said.map((one) => checkText(one as CheckForm))
        : said;
  const list: unknown = document.get(field);
  if (!isSeq(list) || values.length === 0) return put(document, [field], values);
  const items = [...list.items];
  list.items = values.map((value, i) => items[kept[field][i] ?? -1] ?? styledNode(document, value, 2));
};
type ProjectDifference = Extract<Difference, { type: 'project' }>;

const put = (document: Document, path: readonly PropertyKey[], value: unknown): void => {
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, styledNode(document, value, path.length));
};

/** `depth`: how deep it stands in the text. */
const styledNode = (document: Document, value: unknown, depth: number): unknown => {
  const node = document.createNode(value);
  styled(node, depth);
  return node;
};

/** Parts of a node's start-up text, which is one text to the lab. */
const TEXTS = ['address', 'gateway', 'startup'];

/** Fields of the lab that the text has under another name. */
const KEYS: Readonly<Record<string, string>> = { x: 'at', y: 'at', template_id: 'template' };

const changeNode = (document: Document, { path, fields }: Difference, node: LabNode): void => {
  const form = nodeForm(node);
  for (const { field, from } of fields) {
    const key = KEYS[field] ?? field;
    if (field.startsWith('files.')) put(document, [...path, 'files', field.slice('files.'.length)], from);
    else if (Object.hasOwn(form, key) || document.hasIn([...path, key]))
      put(document, [...path, key], form[key] ?? from);
    else if (document.hasIn([...path, 'properties', field]))
      put(document, [...path, 'properties', field], node.properties[field] ?? from);
    else for (const text of TEXTS) put(document, [...path, text], form[text]);
  }
};

const changeLink = (document: Document, { path, fields }: Difference, link: LabLink): void => {
  const item = document.getIn(path);
  const ends: unknown = isMap(item) ? item.get('ends') : item;
  const said = isSeq(ends) ? (ends.toJSON() as string[]) : [];
  const isTurned = endOf(said[0] ?? '').node !== link.ends[0].node;
  const form = linkForm({ ...link, filters: isTurned ? reverseFilters(link.filters) : link.filters });
  const { ends: _, ...rest } = Array.isArray(form) ? { ends: form } : (form as Record<string, unknown>);
  if (!isMap(item)) return put(document, path, { ends: said, ...rest });
  for (const { field } of fields) {
    const key = labKeyOf(LINK, field);
    put(document, [...path, key], (rest as Readonly<Record<string, unknown>>)[key]);
  }
};

const add = (document: Document, one: Difference): void => {
  if (one.type === 'project' || one.is === null) return;
  if (one.type === 'node') put(document, ['nodes', one.is.name], nodeForm(one.is));
  else if (one.type === 'link') push(document, 'links', linkForm(one.is));
  else push(document, 'drawings', drawingForm(one.is));
};

const push = (document: Document, key: string, value: unknown): void => {
  const list = document.get(key);
  if (isSeq(list)) list.add(styledNode(document, value, 2));
  else document.set(key, document.createNode([value]));
};
