import { conflict, messageOf, TopologError } from '../errors.ts';
import type { Steps } from '../turns.ts';

export type Bag = Record<string, unknown>;

/** Far beyond what a lab needs, and well below what would exhaust the stack of code that walks values recursively. */
const MAX_DEPTH = 100;

export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON text of a project file to its value. Throws conflict. Keys named `__proto__` are left out. */
export const parseJson = (text: string): unknown => {
  const value = parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  return harmless(value);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TopologError(
      'conflict',
      { reason: `The project file is not JSON: ${messageOf(error)}` },
      { cause: error },
    );
  }
};

/** Iterative, because JSON.parse takes nesting of any depth and recursion does not. Works on the value it is given. */
const harmless = (root: unknown): unknown => {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { value, depth } = item;
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) throw conflict(`The project file is nested deeper than ${MAX_DEPTH} levels`);
    Reflect.deleteProperty(value, '__proto__');
    for (const child of Object.values(value)) waiting.push({ value: child, depth: depth + 1 });
  }
  return root;
};

/**
 * Keys sorted at every level, so that equal content gives equal bytes; 4 spaces, as the existing tools write.
 * In steps: what is at most `depth` levels down is written one by one.
 */
export function* stableJsonSteps(value: unknown, depth: number): Steps<string> {
  return `${yield* pretty(value, depth, '\n')}\n`;
}

const plain = (value: unknown): string => JSON.stringify(sorted(value), null, INDENT) ?? 'null';
const INDENT = 4;

/** `end`: a line break with the indentation that the value stands in. */
function* pretty(value: unknown, depth: number, end: string): Steps<string> {
  const isList = Array.isArray(value);
  if (depth === 0 || (!isList && !isBag(value))) return plain(value).replaceAll('\n', end);
  const parts: string[] = [];
  const inner = end + ' '.repeat(INDENT);
  for (const [key, item] of isList ? value.entries() : Object.entries(inOrder(value))) {
    if (!isList && item === undefined) continue;
    const text = yield* pretty(item, depth - 1, inner);
    parts.push(isList ? text : `${JSON.stringify(key)}: ${text}`);
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

/** `bag` without some of its keys. */
export const without = (bag: Bag, keys: Iterable<string>): Bag => {
  const left = new Set(keys);
  return Object.fromEntries(Object.entries(bag).filter(([key]) => !left.has(key)));
};

/** A value as it can stand in a sentence. */
export const quoted = (value: unknown): string => {
  const text = JSON.stringify(sorted(value)) ?? 'nothing';
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
};
