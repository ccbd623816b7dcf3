import { isDeepStrictEqual } from 'node:util';
import { type Document, isCollection, isNode, isScalar, type Node, type Scalar, visit } from 'yaml';
import { readDocument } from './document.ts';
import { textOf } from './write.ts';

/** The text with changes to what it says; all else in it stays, comments and order too. */
export const rewritten = (text: string, change: (document: Document) => void): string => {
  const { document } = readDocument(text);
  const anchored = keepBehindKeys(document, text);
  change(document);
  return inItsWay(text, withAnchors(document, anchored));
};

/** Values whose anchor stands behind their key and before a comment, by their keys. */
type Anchored = ReadonlyMap<unknown, Node>;

/** The package takes a comment behind `key:` for the first one above the value, which it would write a line below. */
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

/** Before a comment that is written as it is. */
const AS_IT_IS = '\0';

/** The package writes an anchor a line below the comment behind its key, so that here the comment has it. */
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

/** A line without the spaces inside its brackets. */
const plainLine = (line: string): string => line.replace(/([[{]) +/g, '$1').replace(/(?<! ) +(?=[\]}])/g, '');

/** Lines that say the same are as they were written, where the text is the same with them. */
const inItsWay = (before: string, after: string): string => {
  const lines = new Map(before.split('\n').map((line) => [plainLine(line), line]));
  const text = after
    .split('\n')
    .map((line) => lines.get(plainLine(line)) ?? line)
    .join('\n');
  return isSame(text, after) ? text : after;
};
