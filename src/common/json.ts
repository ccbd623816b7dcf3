import { atOnce, type Steps } from './slices.ts';

/** Limits of a document from outside. They are checked before it is parsed, which costs many times as much. */
interface Bounds {
  /** Characters. */
  size: number;
  /** Objects and lists within one another. */
  depth: number;
  /** Objects, lists, texts, numbers and so on, all together. */
  values: number;
}

export const BOUNDS = {
  /** Body of a request; its octets are bounded elsewhere. */
  body: { size: Infinity, depth: 64, values: 2_000_000 },
  /** Project file of a lab with the most nodes, links and drawings that there can be. */
  projectFile: { size: 64 * 1024 ** 2, depth: 100, values: 4_000_000 },
  /** Document beside a project file or in an archive. */
  besideIt: { size: 16 * 1024 ** 2, depth: 64, values: 500_000 },
  /** Answer of a compute: lists of all its nodes are the largest. */
  answer: { size: 64 * 1024 ** 2, depth: 64, values: 4_000_000 },
  /** Frame of a feed, or the body of an error. */
  message: { size: 1024 ** 2, depth: 64, values: 50_000 },
} as const;

/** Thrown for a document beyond its bounds. The message follows a name: "is nested deeper than 64 levels". */
export class TooMuch extends Error {}

/** Parses JSON. Throws `TooMuch`, or a SyntaxError. */
export const boundedJson = (text: string, bounds: Bounds): unknown => {
  atOnce(checkJson(text, bounds));
  return JSON.parse(text) as unknown;
};

/** Characters that are checked in one step. */
const STEP = 1 << 18;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [BRACKET, END_BRACKET, BRACE, END_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Checks the bounds of a text in steps, without parsing it: it need not be JSON. Throws `TooMuch`. */
export function* checkJson(text: string, bounds: Bounds): Steps<void> {
  if (text.length > bounds.size) throw new TooMuch(`has more than ${bounds.size} characters`);
  const reading = { at: 0, depth: 0, values: 1 };
  while (reading.at < text.length) {
    readOn(text, reading, bounds);
    yield;
  }
}

/** Checks the next `STEP` characters, and goes on to the end of a string that begins in them. */
const readOn = (
  text: string,
  reading: { at: number; depth: number; values: number },
  { depth: deepest, values: most }: Bounds,
): void => {
  let { at, depth, values } = reading;
  const end = Math.min(text.length, at + STEP);
  for (; at < end; at++) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) at = endOfText(text, at) - 1;
    else if (c === COMMA) values++;
    else if (c === BRACE || c === BRACKET) {
      values++;
      if (++depth > deepest) throw new TooMuch(`is nested deeper than ${deepest} levels`);
    } else if (c === END_BRACE || c === END_BRACKET) depth--;
    if (values > most) throw new TooMuch(`has more than ${most} values`);
  }
  Object.assign(reading, { at, depth, values });
};

/** Index behind the string that begins at a quotation mark. */
export const endOfText = (text: string, quote: number): number => {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let from = end;
    while (text.charCodeAt(from - 1) === BACKSLASH) from--;
    // An even number of backslashes escapes itself, not the quotation mark.
    if ((end - from) % 2 === 0) return end + 1;
  }
  return text.length;
};

/** Reads a stream of at most `most` octets as text. Throws `TooMuch`, and ends the stream then. */
export const boundedText = async (stream: AsyncIterable<Uint8Array>, most: number): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let octets = 0;
  for await (const piece of stream) {
    octets += piece.length;
    if (octets > most) throw new TooMuch(`has more than ${most} octets`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};

/** Yields lines of a stream of UTF-8, of at most `most` octets each; a last one without a line feed is dropped. Throws `TooMuch`. */
export async function* boundedLines(stream: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string> {
  let rest: Uint8Array[] = [];
  let octets = 0;
  for await (const piece of stream) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, end)]).toString();
      [rest, octets, from] = [[], 0, end + 1];
    }
    rest.push(piece.subarray(from));
    octets += piece.length - from;
    if (octets > most) throw new TooMuch(`has more than ${most} octets`);
  }
}

const LINE_FEED = 10;

/** Characters that are parsed in one step: some milliseconds in the worst case, where every few of them are another key. */
const PIECE = 32 * 1024;
/** Most keys of one object. */
const MOST_KEYS = 20_000;

/** A text of JSON and how far it has been read. */
interface Reading {
  text: string;
  at: number;
}

/**
 * Parses JSON in steps. Throws `TooMuch`, or a SyntaxError. A key named `__proto__` becomes an own property, as with `JSON.parse`.
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

/** Parses the value that begins here; a large list or object member by member. */
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
    if (!hasMore(reading, ']')) return list;
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
    if (!hasMore(reading, '}')) return object;
  }
}

/** Reads consecutive small members with the commas between them; empty where the next one is large. */
const takeRun = (reading: Reading, endOf: (from: number) => number | null): string => {
  const { text } = reading;
  // `reading.at` is at the opening bracket or at a comma.
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

/** Whether another member follows. Stays at its comma, and behind the closing bracket otherwise. */
const hasMore = (reading: Reading, close: string): boolean => {
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

/** Index behind the value that begins here, which need not be valid JSON; null for a list or an object of more than `PIECE` characters. */
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
