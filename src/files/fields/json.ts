import { BOUNDS, checkJson, endOfText, TooMuch } from '../../common/json.ts';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import type { Steps } from '../../common/slices.ts';

export type Bag = Record<string, unknown>;

export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Number of characters from which a file is parsed member by member. */
const LARGE = 256 * 1024;

/** Parses the JSON text of a project file. Throws conflict. Keys named `__proto__` are dropped. */
export function* parseJson(given: string): Steps<unknown> {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  try {
    yield* checkJson(text, BOUNDS.projectFile);
  } catch (error) {
    throw error instanceof TooMuch ? conflict(`The project file ${error.message}`) : error;
  }
  if (text.length < LARGE) return harmless(parse(text));
  try {
    return yield* parseMembers(text);
  } catch {
    // Parsing the whole text gives the message of the error.
    return harmless(parse(text));
  }
}

/** Levels above a node, a link or a drawing: the file, its topology, its list. */
const LEVELS = 3;

/** Parses members separately: the text is valid if each of them is, and the text with placeholders for them. */
function* parseMembers(text: string): Steps<unknown> {
  const members: string[] = [];
  const frame = harmless(JSON.parse(yield* withoutMembers(text, members)));
  const bags = isBag(frame) ? Object.values(frame).filter(isBag) : [];
  for (const list of bags.flatMap((bag) => Object.values(bag)).filter((one) => Array.isArray(one)))
    for (const [i, item] of (list as unknown[]).entries()) {
      if (!isBag(item)) continue;
      (list as unknown[])[i] = harmless(JSON.parse(members[Number(item['member'])] ?? ''));
      yield;
    }
  return frame;
}

const [QUOTE, BRACKET, END_BRACKET, BRACE, END_BRACE] = Buffer.from('"[]{}');

/** The text with placeholders `{"member":0}` and so on for the objects in lists at that level. */
function* withoutMembers(text: string, members: string[]): Steps<string> {
  const parts: string[] = [];
  const open: (number | undefined)[] = [];
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === BRACE && open.length === LEVELS && open[0] === BRACE && open[1] === BRACE && open[2] === BRACKET) {
      const end = endOf(text, i);
      parts.push(text.slice(from, i), `{"member":${members.length}}`);
      members.push(text.slice(i, end));
      from = end;
      i = end - 1;
      yield;
    } else if (c === QUOTE) i = endOfText(text, i) - 1;
    else if (c === BRACE || c === BRACKET) open.push(c);
    else if (c === END_BRACE || c === END_BRACKET) open.pop();
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** Index after the object that begins with a brace at `begin`. */
const endOf = (text: string, begin: number): number => {
  let depth = 0;
  for (let i = begin; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = endOfText(text, i) - 1;
    else if (c === BRACE || c === BRACKET) depth++;
    else if ((c === END_BRACE || c === END_BRACKET) && --depth === 0) return i + 1;
  }
  return text.length;
};

/** Matches V8's excerpt around an unexpected character, with dots where it was cut. */
const QUOTED = /^[^"]*?(\.\.\.)?"([^]*)"(?:\.\.\.)? is not valid JSON$/;
/** Characters of the excerpt before that character. */
const BEFORE = 10;

/** Describes the error by its line, without quoting the file, which the client may not be allowed to read. */
const troubleIn = (text: string, message: string): string => {
  const [all, dots, near = ''] = QUOTED.exec(message) ?? [];
  if (all === undefined) return message;
  const at = text.indexOf(near) + (dots === undefined ? 0 : BEFORE);
  return `unexpected character near line ${text.slice(0, at).split('\n').length}`;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TopologError(
      'conflict',
      { reason: `The project file is not JSON: ${troubleIn(text, messageOf(error))}` },
      { cause: error },
    );
  }
};

/** Removes `__proto__` keys in place. */
const harmless = (root: unknown): unknown => {
  const waiting = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    Reflect.deleteProperty(value, '__proto__');
    for (const child of Object.values(value)) if (typeof child === 'object') waiting.push(child);
  }
  return root;
};

/**
 * Serialises as existing tools do, so that a file that both write changes only with its content: sorted keys, 4
 * spaces, ASCII, no line feed at the end. Values up to `depth` levels down are written in steps of their own.
 */
export function* stableJsonSteps(value: unknown, depth: number): Steps<string> {
  return yield* pretty(value, depth, '\n');
}

const plain = (value: unknown): string => ascii(JSON.stringify(sorted(value), null, INDENT) ?? 'null');
const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
const INDENT = 4;

/** `end`: line break with the indentation of the value. */
function* pretty(value: unknown, depth: number, end: string): Steps<string> {
  const isList = Array.isArray(value);
  if (depth === 0 || (!isList && !isBag(value))) return plain(value).replaceAll('\n', end);
  const parts: string[] = [];
  const inner = end + ' '.repeat(INDENT);
  for (const [key, item] of isList ? value.entries() : Object.entries(inOrder(value))) {
    if (!isList && item === undefined) continue;
    const text = yield* pretty(item, depth - 1, inner);
    parts.push(isList ? text : `${plain(key)}: ${text}`);
    yield;
  }
  const [open, close] = isList ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}${inner}${parts.join(`,${inner}`)}${end}${close}`;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isBag(value)) return value;
  return Object.fromEntries(Object.entries(inOrder(value)).map(([key, item]) => [key, sorted(item)]));
};

const inOrder = (bag: Bag): Bag => {
  const keys = Object.keys(bag).filter((key) => key !== '__proto__');
  return Object.fromEntries(keys.sort().map((key) => [key, bag[key]]));
};

/** A copy without some keys. */
export const without = (bag: Bag, keys: Iterable<string>): Bag => {
  const left = new Set(keys);
  return Object.fromEntries(Object.entries(bag).filter(([key]) => !left.has(key)));
};

/** A value as part of a sentence. */
export const quoted = (value: unknown): string => {
  const text = JSON.stringify(sorted(value)) ?? 'nothing';
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
};

/** Error for a file that cannot be read. */
export const refused = (reason: string): Error => conflict(`This is not a project file that can be read: ${reason}`);

/** A list of the topology; absent and null count as empty. Throws for other types, and for more than `most` items. */
export const listOf = (topology: Bag, key: string, most: number): unknown[] => {
  const list = topology[key] ?? [];
  if (!Array.isArray(list)) throw refused(`topology.${key} must be a list`);
  if (list.length > most) throw refused(`it has ${list.length} ${key}; ${most} are the most`);
  return list;
};
