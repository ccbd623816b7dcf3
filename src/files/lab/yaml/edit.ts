import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
} from 'yaml';
import { invalid } from '../../../common/errors.ts';
import { type CheckForm, renamedSentence } from '../../../common/forms/check.ts';
import { reverseFilters } from '../../../common/forms/filters.ts';
import { labKeyOf } from '../../../model/derive.ts';
import { LINK } from '../../../model/link.ts';
import { endOf, endText } from '../ends.ts';
import type { Lab, LabDrawing, LabLink, LabNode } from '../model.ts';
import { readDocument } from './document.ts';
import { isExpandable } from './expand.ts';
import { checkText, drawingForm, linkForm, nodeForm, styled, textOf, withTimes } from './write.ts';

interface ObjectDifference<T extends string, L> {
  type: T;
  /** `add`: in the text, but not in the lab. `remove`: in the lab, but not in the text. */
  action: 'add' | 'change' | 'remove';
  /** Place in the text, existing or new. */
  path: readonly PropertyKey[];
  fields: readonly { field: string; from: unknown }[];
  /** Value in the lab; null: it has none. */
  is: L | null;
}

/** Lists beside the settings. */
export type Lessons<T> = Record<'checks' | 'stages' | 'weather', readonly T[]>;

/** A difference between text and lab, as the change that would make the lab what the text says. */
export type Difference =
  /** `kept`: index in the text of each item of the lab's lists; null: not there. */
  | (ObjectDifference<'project', Omit<Lab['settings'], keyof Lessons<unknown>> & Lessons<unknown>> & {
      kept: Lessons<number | null>;
    })
  | ObjectDifference<'node', LabNode>
  | ObjectDifference<'link', LabLink>
  | ObjectDifference<'drawing', LabDrawing>;

/** Updates a text to what the lab has, keeping its comments and order. */
export const updateLabText = (text: string, differences: readonly Difference[]): string =>
  rewriteText(text, (document) => {
    for (const one of differences) if (one.action === 'change') change(document, one);
    // Deleted from the end on, so that indexes stay valid; new items are appended.
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

/** Items that the text has already are kept as written. */
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

/** `depth`: nesting depth in the text. */
const styledNode = (document: Document, value: unknown, depth: number): unknown => {
  const node = document.createNode(value);
  styled(node, depth);
  return node;
};

/** Keys of which the lab makes one start-up text. */
const TEXTS = ['address', 'gateway', 'startup'];

/** Keys in the text of fields with another name. */
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

/** Renames nodes wherever the text names them, keeping its comments and order. */
export const renamedInText = (text: string, names: ReadonlyMap<string, string>): string => {
  if (names.size === 0) return text;
  return rewriteText(text, (document) => rename(document, names));
};

const rename = (document: Document, names: ReadonlyMap<string, string>): void => {
  const node = (name: string): string => names.get(name) ?? name;
  const end = (given: string): string => {
    const { node: name, ...port } = endOf(given);
    return names.has(given) ? node(given) : names.has(name) ? endText({ ...port, node: node(name) }) : given;
  };
  const nodes = document.get('nodes');
  for (const { key, value } of isMap(nodes) ? nodes.items : []) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!isScalar(key) || !names.has(name)) continue;
    key.value = node(name);
    if (isMap(value)) value.delete('was');
  }
  /** Renaming function for a scalar, by its key. */
  const named = (key: string | null): ((given: string) => string) | null => {
    if (key === null || NODES.has(key)) return key === null ? (given) => renamedSentence(given, node) : node;
    return LINKS.has(key) ? end : null;
  };
  for (const part of ['links', 'checks', 'weather'])
    visit(document.get(part) as Scalar | null, {
      Scalar(place, scalar, path) {
        if (place === 'key' || typeof scalar.value !== 'string') return;
        const pair = path.findLast(isPair);
        const key = pair === undefined ? null : String((pair.key as Scalar).value);
        const change = part === 'links' && (key === null || key === 'ends') ? end : named(key);
        if (change !== null) scalar.value = change(scalar.value);
      },
    });
};

/** Keys of checks and weather whose values name nodes, or links. */
const NODES = new Set(['from', 'to', 'node', 'crash']);
const LINKS = new Set(['link', 'links']);

/** Changes a text by its document, keeping its comments and order. */
export const rewriteText = (text: string, change: (document: Document) => void): string => {
  const { document } = readDocument(text);
  if (isExpandable(document))
    throw invalid('the text has variables, loops or includes: it is not rewritten; change it by hand', {
      field: 'text',
    });
  const anchored = keepBehindKeys(document, text);
  change(document);
  return withOriginalLines(text, withAnchors(document, anchored));
};

/** Values with an anchor between their key and a comment, by their keys. */
type Anchored = ReadonlyMap<unknown, Node>;

/**
 * Attaches a comment after `key:` to the key. The package attaches it to the value, and would write it a line below.
 */
const keepBehindKeys = (document: Document, text: string): Anchored => {
  const anchored = new Map<Scalar, Node>();
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isNode(value) || typeof value.commentBefore !== 'string') return;
      const end = key.range?.[1] ?? 0;
      const line = text.slice(end, text.indexOf('\n', end));
      const [, anchor, behind] = /^[ \t]*:[ \t]+(&\S+[ \t]+)?#([^\r\n]*)/.exec(line) ?? [];
      const [first, ...rest] = value.commentBefore.split('\n');
      if (behind === undefined || first !== behind.trimEnd()) return;
      key.comment = first;
      value.commentBefore = rest.some((one) => one !== '') ? rest.join('\n') : null;
      if (rest.length > 0 && value.commentBefore === null) value.spaceBefore = true;
      if (anchor !== undefined) anchored.set(key, value);
    },
  });
  return anchored;
};

/** Prefix of a comment that is written literally. */
const AS_IT_IS = '\0';

/** Moves anchors into the comments after their keys, as the package would write them a line below. */
const withAnchors = (document: Document, anchored: Anchored): string => {
  const plain = textOf(document);
  if (anchored.size === 0) return plain;
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || anchored.get(key) !== value) return;
      if (!(isScalar(value) || isCollection(value)) || value.anchor === undefined) return;
      key.comment = `${AS_IT_IS}&${value.anchor} #${key.comment ?? ''}`;
      delete value.anchor;
    },
  });
  const commentString = (comment: string): string =>
    comment.startsWith(AS_IT_IS) ? comment.slice(AS_IT_IS.length) : comment.replace(/^(?!$)(?: $)?/gm, '#');
  const after = textOf(document, { commentString, verifyAliasOrder: false });
  return isSame(plain, after) ? after : plain;
};

const isSame = (one: string, other: string): boolean => {
  try {
    return isDeepStrictEqual(readDocument(one).value, readDocument(other).value);
  } catch {
    return false;
  }
};

/** A line without spaces inside brackets. */
const plainLine = (line: string): string => line.replace(/([[{]) +/g, '$1').replace(/(?<! ) +(?=[\]}])/g, '');

/** Restores lines that are equal but for such spaces, if the text keeps its meaning. */
const withOriginalLines = (before: string, after: string): string => {
  const lines = new Map(before.split('\n').map((line) => [plainLine(line), line]));
  const text = after
    .split('\n')
    .map((line) => lines.get(plainLine(line)) ?? line)
    .join('\n');
  return isSame(text, after) ? text : after;
};
