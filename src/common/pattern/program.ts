import { LENGTHS } from '../bounds.ts';
import { type Atom, readPattern, type Tree } from './read.ts';

/** States of a program at most: as many as a line of plain characters has. A repetition has those of all its copies. */
const MOST_STATES = LENGTHS.line;

/** A state takes a character, says something of the place, or is a fork. */
export interface State {
  takes: Atom | null;
  asserts: string | null;
  next: number;
  /** The other way of a fork; else `next`. */
  or: number;
}

export interface Program {
  states: readonly State[];
  start: number;
}

export const MATCH = -1;

/** A pattern that nobody can look for here; its message goes on behind the name of a field. */
class PatternError extends Error {}

/** The states of a regular expression as JavaScript writes it, `^` and `$` being those of a line. Throws a PatternError. */
export const programOf = (pattern: string): Program => {
  const tree = readTree(pattern);
  if (sizeOf(tree) > MOST_STATES)
    throw new PatternError(
      `must be a regular expression of at most ${MOST_STATES} characters, those of its repetitions counted each time`,
    );
  const states: State[] = [];
  const add = (next: number, or = next, takes: Atom | null = null, asserts: string | null = null): number =>
    states.push({ takes, asserts, next, or }) - 1;
  /** The state to begin with, behind which `next` follows. */
  const entry = (part: Tree, next: number): number => {
    if ('takes' in part) return add(next, next, part.takes);
    if ('asserts' in part) return add(next, next, null, part.asserts);
    if ('all' in part) return part.all.reduceRight((at, one) => entry(one, at), next);
    if ('either' in part) return part.either.map((one) => entry(one, next)).reduceRight((or, one) => add(one, or));
    const { repeats, least, most } = part;
    let at = next;
    let copies = least;
    if (most === Infinity) {
      const loop = add(next);
      const body = entry(repeats, loop);
      Object.assign(states[loop] as State, { next: body });
      at = least === 0 ? loop : body;
      copies = Math.max(0, least - 1);
    } else for (let n = least; n < most; n += 1) at = add(entry(repeats, at), next);
    for (let n = 0; n < copies; n += 1) at = entry(repeats, at);
    return at;
  };
  return { start: entry(tree, MATCH), states };
};

/** What keeps a pattern from being looked for, as it goes on behind the name of its field; null: nothing. */
export const patternProblem = (pattern: string): string | null => {
  try {
    programOf(pattern);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
};

const readTree = (pattern: string): Tree => {
  try {
    void new RegExp(pattern, 'm');
  } catch {
    throw new PatternError('must be a regular expression');
  }
  const tree = readPattern(pattern);
  if (tree === null)
    throw new PatternError(
      'must be a regular expression without lookahead, lookbehind, flags of groups and references to groups such as \\1',
    );
  return tree;
};

const sizeOf = (part: Tree): number => {
  if ('all' in part) return part.all.reduce((sum, one) => sum + sizeOf(one), 1);
  if ('either' in part) return part.either.reduce((sum, one) => sum + sizeOf(one) + 1, 0);
  if (!('repeats' in part)) return 1;
  return Math.max(1, part.most === Infinity ? part.least : part.most) * (sizeOf(part.repeats) + 1);
};
