import { MATCH, programOf, type State } from './program.ts';

/** States that are tried in one piece: some tenths of a millisecond. */
const PIECE = 10_000;

const LINE_ENDS = new Set([0x0a, 0x0d, 0x2028, 0x2029]);
/** Before the first and behind the last character. */
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
 * Looks for a regular expression in a text as it comes: all that can match is followed at once, so that every character costs as many
 * steps as the pattern has states at most, and none is looked at again.
 */
export class Search {
  readonly #states: readonly State[];
  readonly #start: number;
  /** Those that the last character has led to, and those that take the next one; each once. */
  readonly #reached: Int32Array;
  #reachedCount = 0;
  readonly #takers: Int32Array;
  /** A state leads to two others at most. */
  readonly #open: Int32Array;
  /** By state: the turn in which it was tried last. */
  readonly #tried: Int32Array;
  #turn = 0;
  #before = NOTHING;
  #isFound = false;
  /** States that were tried so far. */
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

  /** It is in what was read, if no more follows. */
  isFound(): boolean {
    return this.#isFound || this.#follow(NOTHING) === null;
  }

  /** Reads the next piece of `text`, from `at` on; answers where it ended. */
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

  /** Finds the states that take a character between the last one and `behind`, and answers how many; null: here a match ends. */
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
