import { z } from 'zod';
import { invalid, messageOf, type TopologError } from '../errors.ts';

const MOST_TYPOS = 2;
/** Characters of a word for each typo: two letters are like too many words. */
const CHARS_PER_TYPO = 3;

/** Known words that are like a word but for case and one or two typos, nearest first. */
export const suggestionsFor = (word: string, known: readonly string[]): string[] => {
  const most = Math.min(MOST_TYPOS, Math.floor(word.length / CHARS_PER_TYPO));
  return known
    .map((one) => ({ one, steps: stepsBetween(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ steps }) => steps <= most)
    .toSorted((a, b) => a.steps - b.steps)
    .map(({ one }) => one);
};

/** Edit distance: insertions, deletions, changes and swaps of neighbours (optimal string alignment). */
const stepsBetween = (a: string, b: string): number => {
  if (Math.abs(a.length - b.length) > MOST_TYPOS) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, isSwapped ? at(i - 2, j - 2) + 1 : Infinity));
    }
  }
  return at(a.length, b.length);
};

/** Replaces zod's message about an unknown key by the keys that the form knows. A form with a message of its own keeps that. */
export const tellKnownKeys: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject
    ? MARK + Object.keys(issue.inst.shape).join(' ')
    : undefined;

const MARK = 'Known keys: ';

/** Known keys in a message of `tellKnownKeys`. */
export const knownKeysIn = (message: string): string[] =>
  message.startsWith(MARK) ? message.slice(MARK.length).split(' ') : [];

/** End of a sentence about an unknown key, with the nearest known one: `; did you mean gateway?`; empty where none is near. */
export const suggestionText = (key: string, known: readonly string[]): string => {
  const [nearest] = suggestionsFor(key, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
};

/**
 * Converts an error of `parseArgs`, and suggests flags for an unknown one. `isOfFlags` in its details: the help of the command says more.
 */
export const flagError = (error: unknown, options: object): TopologError => {
  // Drops Node's advice about arguments that begin with a dash.
  const message = messageOf(error).replace(/\. To specify a positional [^]*$/, '');
  const [, flag = ''] = /^Unknown option '--(.+)'$/.exec(message) ?? [];
  const meant = suggestionsFor(flag, Object.keys(options)).map((name) => `--${name}`);
  if (meant.length > 0) return invalid(`${message}; did you mean ${meant.join(' or ')}?`);
  return invalid(message, { isOfFlags: true });
};
