import { LENGTHS } from './bounds.ts';
import { inSlices, type Steps } from './slices.ts';

/** Whether a UTF-16 code unit matches one element of a pattern. */
type Atom = (code: number) => boolean;

/** Syntax tree of a regular expression without features that need backtracking. */
type Tree =
  | { takes: Atom }
  | { asserts: string }
  | { all: Tree[] }
  | { either: Tree[] }
  | { repeats: Tree; least: number; most: number };

/** Start of a group, a class, an escape, or one character. */
const TOKEN =
  /\((?:\?(?:<?[=!]|:|<[^>]*>|[^])?)?|\[(?:\\[^]|[^\]\\])*\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|(?=c)|[0-7]{1,3}|[^])|[^]/giy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
const ASSERTIONS: readonly string[] = ['^', '$', String.raw`\b`, String.raw`\B`];
const GROUP = /^\((?:\?(?::|<[^=!]))?/;
const REFERENCE = /^\\[1-9k]/;

/** Parses a valid regular expression of JavaScript; null if it has lookahead, lookbehind, references to groups, or flags of groups. */
const readPattern = (pattern: string): Tree | null => {
  const open: Tree[][][] = [[[]]];
  const atoms = new Map<string, Atom>();
  for (let at = 0; at < pattern.length;) {
    TOKEN.lastIndex = at;
    const [token = ''] = TOKEN.exec(pattern) ?? [];
    at += token.length;
    const branches = open.at(-1) ?? [];
    const branch = branches.at(-1) ?? [];
    if (token.startsWith('(')) {
      if (GROUP.exec(token)?.[0].length === 1 && token !== '(') return null;
      open.push([[]]);
      continue;
    }
    if (token === '|') {
      branches.push([]);
      continue;
    }
    if (REFERENCE.test(token)) return null;
    let part: Tree;
    if (token === ')') {
      open.pop();
      part = joined(branches);
    } else if (ASSERTIONS.includes(token)) part = { asserts: token };
    else part = { takes: atomOf(token, atoms) };
    QUANTIFIER.lastIndex = at;
    const [quantifier = '', least, range, most] = QUANTIFIER.exec(pattern) ?? [];
    at += quantifier.length;
    (token === ')' ? (open.at(-1)?.at(-1) ?? []) : branch).push(
      quantifier === '' ? part : { repeats: part, ...timesOf(quantifier, least, range, most) },
    );
  }
  return joined(open[0] ?? []);
};

const joined = (branches: readonly Tree[][]): Tree => {
  const either = branches.map((all): Tree => (all.length === 1 && all[0] !== undefined ? all[0] : { all }));
  return either.length === 1 && either[0] !== undefined ? either[0] : { either };
};

const timesOf = (
  quantifier: string,
  least: string | undefined,
  range: string | undefined,
  most: string | undefined,
): { least: number; most: number } => {
  if (least === undefined)
    return { least: quantifier.startsWith('+') ? 1 : 0, most: quantifier.startsWith('?') ? 1 : Infinity };
  return { least: Number(least), most: range === undefined ? Number(least) : most === '' ? Infinity : Number(most) };
};

/** Number of code units of ASCII. */
const COMMON = 128;

const atomOf = (token: string, atoms: Map<string, Atom>): Atom => {
  const known = atoms.get(token);
  if (known !== undefined) return known;
  const made = token.length === 1 && token !== '.' ? plain(token.charCodeAt(0)) : oneOf(token);
  atoms.set(token, made);
  return made;
};

const plain =
  (wanted: number): Atom =>
  (code) =>
    code === wanted;

/** Asks JavaScript whether a class has a character, which is fast for a single one, and caches the answer for ASCII. */
const oneOf = (token: string): Atom => {
  const expression = new RegExp(`^${token}$`);
  const said = new Int8Array(COMMON);
  return (code) => {
    if (code >= COMMON) return expression.test(String.fromCharCode(code));
    if (said[code] === 0) said[code] = expression.test(String.fromCharCode(code)) ? 1 : -1;
    return said[code] === 1;
  };
};

/** Most states of a program: as many as for a line of plain characters. A repetition counts once for each copy. */
const MOST_STATES = LENGTHS.line;

/** A state that takes a character, asserts something of the position, or is a fork. */
interface State {
  takes: Atom | null;
  asserts: string | null;
  next: number;
  /** Second branch of a fork; otherwise the same as `next`. */
  or: number;
}

interface Program {
  states: readonly State[];
  start: number;
}

const MATCH = -1;

/** Thrown for a pattern that is not supported; its message follows the name of a field. */
class PatternError extends Error {}

/** Compiles a regular expression of JavaScript, in which `^` and `$` match at lines (flag m). Throws a PatternError. */
const programOf = (pattern: string): Program => {
  const tree = readTree(pattern);
  if (sizeOf(tree) > MOST_STATES)
    throw new PatternError(
      `must be a regular expression of at most ${MOST_STATES} characters, those of its repetitions counted each time`,
    );
  const states: State[] = [];
  const add = (next: number, or = next, takes: Atom | null = null, asserts: string | null = null): number =>
    states.push({ takes, asserts, next, or }) - 1;
  /** Adds the states of a part, followed by the state `next`; returns the first of them. */
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

/** Why a pattern is not supported, as text behind the name of its field; null if it is. */
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

/** States that are tried in one call of `read`: some tenths of a millisecond. */
const PIECE = 10_000;

const LINE_ENDS = new Set([0x0a, 0x0d, 0x2028, 0x2029]);
/** Stands for the character before the first and behind the last one. */
const NOTHING = -1;

const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || (code >= 0x61 && code <= 0x7a);
const isEdge = (code: number): boolean => code === NOTHING || LINE_ENDS.has(code);

const holds = (assertion: string, before: number, behind: number): boolean => {
  if (assertion === '^') return isEdge(before);
  if (assertion === '$') return isEdge(behind);
  return (isWord(before) !== isWord(behind)) === (assertion === String.raw`\b`);
};

/**
 * Searches for a regular expression in a text that arrives in parts. It follows all possible matches at once (Thompson's construction), so
 * each character is read once and costs at most as many steps as the pattern has states.
 */
export class Search {
  readonly #states: readonly State[];
  readonly #start: number;
  /** States reached by the last character, and those that take the next one; each once. */
  readonly #reached: Int32Array;
  #reachedCount = 0;
  readonly #takers: Int32Array;
  /** Stack of states to try: each leads to two others at most. */
  readonly #open: Int32Array;
  /** Turn in which each state was tried last. */
  readonly #tried: Int32Array;
  #turn = 0;
  #before = NOTHING;
  #isFound = false;
  /** States tried so far. */
  steps = 0;

  /** Throws a PatternError. */
  constructor(pattern: string) {
    const { states, start } = programOf(pattern);
    this.#states = states;
    this.#start = start;
    this.#reached = new Int32Array(states.length);
    this.#takers = new Int32Array(states.length);
    this.#open = new Int32Array(2 * states.length + 1);
    this.#tried = new Int32Array(states.length);
  }

  /** Whether the text read so far matches, if no more follows. */
  isFound(): boolean {
    return this.#isFound || this.#follow(NOTHING) === null;
  }

  /** Reads the next piece of `text` from `at` on; returns its end. */
  read(text: string, at: number): number {
    const until = this.steps + PIECE;
    let end = at;
    while (end < text.length && this.steps < until) {
      if (!this.#isFound) this.#take(text.charCodeAt(end));
      end = this.#isFound ? text.length : end + 1;
    }
    return end;
  }

  #take(code: number): void {
    const count = this.#follow(code);
    this.#isFound = count === null;
    this.#reachedCount = 0;
    for (let n = 0; n < (count ?? 0); n += 1) {
      const state = this.#states[this.#takers[n] as number];
      if (state?.takes?.(code) === true) this.#reached[this.#reachedCount++] = state.next;
    }
    this.#before = code;
  }

  /** Finds the states that take a character, given the character behind this position; returns their number, or null where a match ends. */
  #follow(behind: number): number | null {
    this.#turn += 1;
    const turn = this.#turn;
    const [states, open, tried, found] = [this.#states, this.#open, this.#tried, this.#takers];
    let [takers, steps] = [0, 0];
    for (let n = -1; n < this.#reachedCount; n += 1) {
      open[0] = n < 0 ? this.#start : (this.#reached[n] as number);
      for (let left = 1; left > 0;) {
        left -= 1;
        const at = open[left] as number;
        if (at === MATCH) return null;
        if (tried[at] === turn) continue;
        tried[at] = turn;
        steps += 1;
        const state = states[at] as State;
        if (state.takes !== null) found[takers++] = at;
        else if (state.asserts === null || holds(state.asserts, this.#before, behind)) {
          open[left++] = state.next;
          if (state.or !== state.next) open[left++] = state.or;
        }
      }
    }
    this.steps += steps;
    return takers;
  }
}

/** Steps of a search in a text as a whole: a fraction of a second, in slices. */
const MOST_STEPS = 10_000_000;

/** Whether a pattern is found in a text; null if that takes too many steps. Throws a PatternError. */
export const isFoundIn = (pattern: string, text: string): Promise<boolean | null> => {
  const search = new Search(pattern);
  const read = function* (): Steps<boolean | null> {
    for (let at = 0; at < text.length; yield) {
      at = search.read(text, at);
      if (search.steps > MOST_STEPS) return null;
    }
    return search.isFound();
  };
  return inSlices(read());
};
