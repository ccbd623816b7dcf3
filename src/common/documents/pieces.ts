import type { Steps } from '../slices.ts';
import { BOUNDS, checkJson, endOfText, TooMuch, type Bounds } from './json.ts';

/** Characters that are parsed in one step: some milliseconds where each few of them are a key that nothing else has. */
const PIECE = 32 * 1024;
/** Members of one object. */
const MOST_KEYS = 20_000;

/** A text of JSON and how far it has been read. */
interface Reading {
  text: string;
  at: number;
}

/**
 * Parses JSON in steps. Throws `TooMuch`, or a SyntaxError. Keys named `__proto__` are keys of the objects themselves, as `JSON.parse`
 * has them.
 */
export function* parsePieces(text: string, bounds: Bounds = BOUNDS.body): Steps<unknown> {
  yield* checkJson(text, bounds);
  if (text.length <= PIECE) return JSON.parse(text) as unknown;
  const reading = { text, at: 0 };
  skipSpace(reading);
  const value = yield* valueOf(reading);
  skipSpace(reading);
  if (reading.at < text.length) throw new SyntaxError('there is more behind the value');
  return value;
}

/** The value that begins here; a large list or object member by member. */
function* valueOf(reading: Reading): Steps<unknown> {
  const { text, at } = reading;
  const end = endOfValue(text, at);
  if (end !== null) {
    reading.at = end;
    return JSON.parse(text.slice(at, end)) as unknown;
  }
  return text[at] === '[' ? yield* listOf(reading) : yield* objectOf(reading);
}

function* listOf(reading: Reading): Steps<unknown[]> {
  const list: unknown[] = [];
  for (;;) {
    const run = takeRun(reading, (from) => endOfValue(reading.text, from));
    if (run !== '') for (const item of JSON.parse(`[${run}]`) as unknown[]) list.push(item);
    else list.push(yield* valueOf(reading));
    yield;
    if (!goesOn(reading, ']')) return list;
  }
}

function* objectOf(reading: Reading): Steps<Record<string, unknown>> {
  const object: Record<string, unknown> = {};
  const set = (key: string, value: unknown): unknown =>
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  let keys = 0;
  for (;;) {
    const run = takeRun(reading, (from) => endOfMember(reading.text, from));
    if (run !== '')
      for (const [key, value] of Object.entries(JSON.parse(`{${run}}`) as object)) {
        set(key, value);
        keys++;
      }
    else {
      const key = reading.text.slice(reading.at, (reading.at = endOfText(reading.text, reading.at)));
      skipSpace(reading);
      if (reading.text[reading.at++] !== ':') throw new SyntaxError('a colon is missing');
      skipSpace(reading);
      set(JSON.parse(key) as string, yield* valueOf(reading));
      keys++;
    }
    if (keys > MOST_KEYS) throw new TooMuch(`has an object with more than ${MOST_KEYS} keys`);
    yield;
    if (!goesOn(reading, '}')) return object;
  }
}

/** Small members that follow one another, with the commas between them; empty: the next one is large. */
const takeRun = (reading: Reading, endOf: (from: number) => number | null): string => {
  const { text } = reading;
  // It is read on at the bracket, or at the comma.
  let at = behindSpace(text, reading.at + 1);
  const from = at;
  let end = from;
  for (let next = endOf(at); next !== null; next = endOf(at)) {
    end = next;
    at = behindSpace(text, end);
    if (text[at] !== ',' || end - from >= PIECE) break;
    at = behindSpace(text, at + 1);
  }
  reading.at = end;
  return text.slice(from, end);
};

/** Whether another member follows; its comma is where it is read on. */
const goesOn = (reading: Reading, close: string): boolean => {
  skipSpace(reading);
  const found = reading.text[reading.at];
  if (found === ',') return true;
  if (found !== close) throw new SyntaxError('a comma or a bracket is missing');
  reading.at++;
  return false;
};

const skipSpace = (reading: Reading): void => void (reading.at = behindSpace(reading.text, reading.at));
const behindSpace = (text: string, from: number): number => {
  let at = from;
  while (SPACE.has(text.charCodeAt(at))) at++;
  return at;
};
const SPACE = new Set(Buffer.from(' \t\r\n'));

const endOfMember = (text: string, from: number): number | null => {
  const colon = behindSpace(text, endOfText(text, from));
  if (text[from] !== '"' || text[colon] !== ':') throw new SyntaxError('a key is missing');
  return endOfValue(text, behindSpace(text, colon + 1));
};

const [QUOTE, BRACKET, END_BRACKET, BRACE, END_BRACE, COMMA] = Buffer.from('"[]{},');

/** Behind the value that begins here; null: it is a list or an object of more than a piece. Whether it is JSON, its parser says. */
const endOfValue = (text: string, from: number): number | null => {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return endOfText(text, from);
  const isNested = first === BRACKET || first === BRACE;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (isNested && at - from > PIECE) return null;
    if (c === QUOTE) at = endOfText(text, at) - 1;
    else if (c === BRACKET || c === BRACE) depth++;
    else if (c === END_BRACKET || c === END_BRACE) {
      if (--depth < 0) return at;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (c === COMMA || SPACE.has(c))) return at;
  }
  return text.length;
};
