import { conflict } from '../../../common/errors.ts';

/**
 * Words of a line as a POSIX shell makes them of blanks, quotes and backslashes; nothing is expanded and no shell is run. Throws a
 * conflict that names `field` when a quote has no end.
 */
export const splitWords = (line: string, field: string): string[] => {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at++) {
    const c = line.charAt(at);
    if (quote === "'" || (quote === '"' && c !== '\\')) {
      if (c === quote) quote = null;
      else word = (word ?? '') + c;
    } else if (c === '\\') {
      const next = line.charAt(++at);
      // Inside double quotes a backslash stays before what it does not protect.
      word = (word ?? '') + (quote === '"' && !'"\\$`'.includes(next) ? `\\${next}` : next);
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= '';
    } else if (/\s/.test(c)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + c;
  }
  if (quote !== null) throw conflict(`${field} has a ${quote} without its end`, { field });
  if (word !== null) words.push(word);
  return words;
};

/** A command line that a shell would take apart into these words again. */
export const joinWords = (words: readonly string[]): string => words.map(quoted).join(' ');

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
