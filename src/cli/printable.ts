/**
 * Characters that control a terminal or disguise text: control characters (C0, DEL, C1), line and paragraph separators, marks, embeddings,
 * overrides and isolates of bidirectional text, and halves of surrogate pairs (Unicode 15, 23.2, 5.8 and 23.3).
 */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a text to one printable line: names and messages come from others. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => SHORT[character] ?? escaped(character));

/** Escapes a message; only the indented lines of a stack stay lines. */
export const printableMessage = (text: string): string =>
  text
    .split(/\n(?= {4}at )/)
    .map(printable)
    .join('\n');

/** Escapes such characters in JSON without changing its value. */
export const printableJson = (json: string): string => json.replace(UNPRINTABLE, (c) => (c === '\n' ? c : escaped(c)));

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
