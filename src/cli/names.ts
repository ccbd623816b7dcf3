import { invalid, notFound, TopologError } from '../common/errors.ts';
import { suggestionsFor } from '../common/forms/suggestions.ts';

/** An object that a command acts on. */
export interface Named {
  id: string;
  /** Names, the most exact first: `first-lab/PC1`, `PC1`. Only the first one is unique. */
  names: readonly [string, ...string[]];
}

/**
 * Finds an object by its exact name, else by a unique prefix, else by its id. The part before a slash must be whole. Throws `not_found`, with
 * similar names, or `invalid_request`, which lists all matches.
 */
export const pick = <T extends Named>(what: string, things: readonly T[], wanted: string): T => {
  const found = [
    things.filter(({ names }) => names.includes(wanted)),
    things.filter(({ names }) => names.some((name) => begins(name, wanted))),
    things.filter(({ id }) => id === wanted),
  ].find(({ length }) => length > 0);
  const [only, more] = found ?? [];
  if (found === undefined || only === undefined) throw missing(capital(what), wanted, nearTo(wanted, things));
  if (more === undefined) return only;
  const listed = found.map((thing) => (isAlone(found, thing) ? thing.names[0] : `${thing.names[0]} (${thing.id})`));
  throw invalid(`${wanted} matches several ${several(what)}: ${listed.join(', ')}`);
};

/** `projects or nodes` */
const several = (what: string): string =>
  what
    .split(' or ')
    .map((noun) => `${noun}s`)
    .join(' or ');

/** Whether a name begins with this text; the part before a slash must be whole. */
const begins = (name: string, wanted: string): boolean =>
  wanted !== '' && name.startsWith(wanted) && !name.slice(wanted.length).includes('/');

const MOST_NEAR = 3;

/** Finds names similar to a wrong one: with a typo, or a prefix in another case. */
const nearTo = (wanted: string, things: readonly Named[]): string[] => {
  const names = things.flatMap((thing) => thing.names);
  const slips = namesNear(wanted, names);
  const near = slips.length > 0 ? slips : names.filter((name) => begins(name.toLowerCase(), wanted.toLowerCase()));
  const meant = near.flatMap((name) => things.filter((thing) => thing.names.includes(name)));
  return [...new Set(meant.map((thing) => shortName(things, thing)))].slice(0, MOST_NEAR);
};

/** Names with a typo, but with the same numbers: PC9 is not taken for PC1. */
const namesNear = (wanted: string, names: readonly string[]): string[] => {
  const numbers = (name: string): string => name.replace(/\D+/g, ' ').trim();
  return suggestionsFor(
    wanted,
    names.filter((name) => numbers(name) === numbers(wanted)),
  );
};

/** Known words like this one: with a typo, or cut short. */
export const wordsNear = (word: string, known: readonly string[]): string[] => {
  const low = word.toLowerCase();
  return [...suggestionsFor(word, known), ...known.filter((one) => low !== '' && one.toLowerCase().startsWith(low))];
};

/** End of a sentence about an unknown word: `; did you mean start or status?`, or empty. */
export const didYouMean = (meant: readonly string[]): string =>
  meant.length === 0 ? '' : `; did you mean ${[...new Set(meant)].slice(0, MOST_NEAR).join(' or ')}?`;

/** Parses a word that a command or a flag takes. Throws `invalid_request`, which lists them. */
export const verbIn = <V extends string>(command: string, verbs: readonly V[], word: string): V => {
  const verb = verbs.find((one) => one === word);
  if (verb !== undefined) return verb;
  throw invalid(`${command} takes ${verbs.join(', ')}, not ${word}${didYouMean(wordsNear(word, verbs))}`);
};

const missing = (what: string, id: string, near: readonly string[]): TopologError => {
  if (near.length === 0) return notFound(what, id);
  return TopologError.saying('not_found', `${what} ${id} does not exist${didYouMean(near)}`, { what, id });
};

/** Shortest name that no other of these objects has. */
export const shortName = <T extends Named>(things: readonly T[], { id, names }: T): string => {
  const taken = new Set(things.filter((other) => other.id !== id).flatMap((other) => other.names));
  const free = names.filter((name) => !taken.has(name));
  return free.reduce((a, b) => (b.length < a.length ? b : a), free[0] ?? id);
};

const isAlone = (things: readonly Named[], { id, names }: Named): boolean =>
  things.every((other) => other.id === id || other.names[0] !== names[0]);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
