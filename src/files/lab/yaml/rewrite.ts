import { isDeepStrictEqual } from 'node:util';
import { type Document, isNode, isScalar, visit } from 'yaml';
import { readDocument } from './document.ts';
import { textOf } from './write.ts';

/** The text with changes to what it says; all else in it stays, comments and order too. */
export const rewritten = (text: string, change: (document: Document) => void): string => {
  const { document } = readDocument(text);
  keepBehindKeys(document, text);
  change(document);
  return inItsWay(text, textOf(document));
};

/** The package takes a comment behind `key:` for the first one above the value, which it would write a line below. */
const keepBehindKeys = (document: Document, text: string): void =>
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isNode(value) || typeof value.commentBefore !== 'string') return;
      const end = key.range?.[1] ?? 0;
      const [, behind] = /^[ \t]*:[ \t]+#([^\r\n]*)/.exec(text.slice(end, text.indexOf('\n', end))) ?? [];
      const [first, ...rest] = value.commentBefore.split('\n');
      if (behind === undefined || first !== behind.trimEnd()) return;
      key.comment = first;
      value.commentBefore = rest.some((line) => line !== '') ? rest.join('\n') : null;
      if (rest.length > 0 && value.commentBefore === null) value.spaceBefore = true;
    },
  });

/** A line without the spaces inside its brackets. */
const plainLine = (line: string): string => line.replace(/([[{]) +/g, '$1').replace(/ +([\]}])/g, '$1');

/** Lines that say the same are as they were written, where the text is the same with them. */
const inItsWay = (before: string, after: string): string => {
  const lines = new Map(before.split('\n').map((line) => [plainLine(line), line]));
  const text = after
    .split('\n')
    .map((line) => lines.get(plainLine(line)) ?? line)
    .join('\n');
  return isDeepStrictEqual(readDocument(text).value, readDocument(after).value) ? text : after;
};
