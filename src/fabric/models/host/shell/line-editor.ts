import type { Key, KeyName } from './keys.ts';

/** The line being typed and the lines before it. Never changed in place. */
export interface EditorState {
  /** Code points. */
  readonly chars: readonly string[];
  /** 0..chars.length. */
  readonly cursor: number;
  /** Oldest first. */
  readonly history: readonly string[];
  /** Index in `history` of the line shown; `history.length` while it is a new one. */
  readonly shown: number;
  /** The new line, kept while an old one is shown. */
  readonly draft: string;
}

export interface EditorOptions {
  prompt: string;
  /** Command names with this prefix. */
  complete(prefix: string): string[];
}

interface Edit {
  state: EditorState;
  /** Text for the terminal. */
  output: string;
  /** A finished line, or `interrupt` for Ctrl-C. */
  event?: { line: string } | 'interrupt';
}

/** Longest line in code points; further input is ignored. */
const MAX_LINE = 512;
const MAX_HISTORY = 50;
const BELL = '\x07';
const CLEAR_SCREEN = '\x1b[H\x1b[2J';

export const EMPTY_EDITOR: EditorState = { chars: [], cursor: 0, history: [], shown: 0, draft: '' };

/** Applies a key: returns the new state, the output and the event. */
export function edit(state: EditorState, key: Key, options: EditorOptions): Edit {
  return 'text' in key ? insert(state, [key.text]) : NAMED[key.name](state, options);
}

const NAMED: Record<KeyName, (state: EditorState, options: EditorOptions) => Edit> = {
  enter: (s) => ({ ...finish(s), event: { line: s.chars.join('') } }),
  interrupt: (s) => ({ state: fresh(s, s.history), output: '^C\r\n', event: 'interrupt' }),
  // Ending the node by a stray Ctrl-D would be a nasty surprise: on an empty line it does nothing.
  end_of_input: (s) => remove(s, s.cursor, s.cursor + 1),
  delete: (s) => remove(s, s.cursor, s.cursor + 1),
  backspace: (s) => remove(s, s.cursor - 1, s.cursor),
  erase_to_start: (s) => remove(s, 0, s.cursor),
  erase_to_end: (s) => remove(s, s.cursor, s.chars.length),
  erase_word: (s) => remove(s, wordStart(s), s.cursor),
  left: (s) => move(s, s.cursor - 1),
  right: (s) => move(s, s.cursor + 1),
  home: (s) => move(s, 0),
  end: (s) => move(s, s.chars.length),
  up: (s) => recall(s, s.shown - 1),
  down: (s) => recall(s, s.shown + 1),
  redraw: (s, o) => ({ state: s, output: CLEAR_SCREEN + redraw(s, o.prompt) }),
  tab: complete,
};

/** The prompt with the line after it, cursor in its place. */
export function redraw(state: EditorState, prompt: string): string {
  return prompt + state.chars.join('') + back(state.chars.slice(state.cursor));
}

function finish(state: EditorState): Edit {
  const line = state.chars.join('');
  const repeats = line.trim() === '' || line === state.history.at(-1);
  const history = repeats ? state.history : [...state.history, line].slice(-MAX_HISTORY);
  return { state: fresh(state, history), output: '\r\n' };
}

const fresh = (state: EditorState, history: readonly string[]): EditorState => ({
  ...state,
  chars: [],
  cursor: 0,
  draft: '',
  history,
  shown: history.length,
});

function insert(state: EditorState, text: readonly string[]): Edit {
  const room = text.slice(0, Math.max(0, MAX_LINE - state.chars.length));
  const chars = state.chars.toSpliced(state.cursor, 0, ...room);
  return change(state, chars, state.cursor + room.length);
}

function remove(state: EditorState, from: number, to: number): Edit {
  const start = Math.max(0, from);
  return change(state, state.chars.toSpliced(start, Math.max(0, to - start)), start);
}

function move(state: EditorState, to: number): Edit {
  const cursor = Math.min(Math.max(0, to), state.chars.length);
  const output =
    cursor < state.cursor
      ? back(state.chars.slice(cursor, state.cursor))
      : state.chars.slice(state.cursor, cursor).join('');
  return { state: { ...state, cursor }, output };
}

/** Shows a line of the history; one past the newest is the line that was being typed. */
function recall(state: EditorState, shown: number): Edit {
  if (shown < 0 || shown > state.history.length) return { state, output: BELL };
  const draft = state.shown === state.history.length ? state.chars.join('') : state.draft;
  const chars = Array.from(state.history[shown] ?? draft);
  return change({ ...state, shown, draft }, chars, chars.length);
}

/** Completes the command's name; when there are several, what they share, or else the list of them. */
function complete(state: EditorState, options: EditorOptions): Edit {
  const typed = state.chars.join('');
  if (state.cursor !== state.chars.length || typed.includes(' ')) return { state, output: BELL };
  const names = options.complete(typed);
  const [only] = names;
  if (only === undefined) return { state, output: BELL };
  if (names.length === 1) return insert(state, Array.from(`${only.slice(typed.length)} `));
  const shared = sharedStart(names).slice(typed.length);
  if (shared !== '') return insert(state, Array.from(shared));
  return { state, output: `\r\n${names.join('  ')}\r\n${redraw(state, options.prompt)}` };
}

function sharedStart(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** Start of the word left of the cursor: over spaces, then over what is none. */
function wordStart(state: EditorState): number {
  let at = state.cursor;
  while (at > 0 && state.chars[at - 1] === ' ') at -= 1;
  while (at > 0 && state.chars[at - 1] !== ' ') at -= 1;
  return at;
}

/** Prints from the first difference on, blanks what the old line leaves over, and goes back to the cursor. */
function change(state: EditorState, chars: readonly string[], cursor: number): Edit {
  let same = 0;
  while (same < state.cursor && same < chars.length && chars[same] === state.chars[same]) same += 1;
  // A combining mark shares the cell of the character before it: that one is printed again, with or without the mark.
  while (same > 0 && (isMark(chars[same]) || isMark(state.chars[same]))) same -= 1;
  const tail = chars.slice(same);
  const leftOver = ' '.repeat(Math.max(0, width(state.chars.slice(same)) - width(tail)));
  const output =
    back(state.chars.slice(same, state.cursor)) +
    tail.join('') +
    leftOver +
    '\b'.repeat(leftOver.length) +
    back(chars.slice(cursor));
  return { state: { ...state, chars, cursor }, output };
}

const back = (chars: readonly string[]): string => '\b'.repeat(width(chars));

/** Columns that a terminal gives these characters: 0 for combining marks, 2 for East Asian wide ones and emoji. */
function width(chars: readonly string[]): number {
  let columns = 0;
  for (const char of chars) columns += isMark(char) ? 0 : DOUBLE_WIDTH.test(char) ? 2 : 1;
  return columns;
}

const isMark = (char: string | undefined): boolean => char !== undefined && ZERO_WIDTH.test(char);

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const DOUBLE_WIDTH =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]$/u;
