import { type Range, positionOf } from '../store.ts';

/** `event` and `entry` (indexes) are append-only; a `record` is updated in place. */
export type Table = 'event' | 'entry' | 'record';

/** Table of each range of keys, from `from` up to but not including `to`; in the order of keys. */
const PARTS: readonly { table: Table; from: string; to: string | null }[] = [
  { table: 'record', from: '', to: 'f/' },
  { table: 'event', from: 'f/', to: 'f0' },
  { table: 'record', from: 'f0', to: 'o/' },
  { table: 'entry', from: 'o/', to: 'o0' },
  { table: 'record', from: 'o0', to: 'p/' },
  { table: 'entry', from: 'p/', to: 'p0' },
  { table: 'record', from: 'p0', to: null },
];

const EVENT_KEY = /^f\/\d{16}$/;

export const tableOf = (key: string): Table => {
  if (key.startsWith('f/')) {
    if (EVENT_KEY.test(key)) return 'event';
    throw new Error(`${key} is no key of an event`);
  }
  return key.startsWith('p/') || key.startsWith('o/') ? 'entry' : 'record';
};

/** Escapes octet 0, which PostgreSQL's texts cannot hold, and octet 1, keeping the order of keys. */
export const storedKey = (key: string): string =>
  /[\0\x01]/.test(key) ? key.replace(/[\0\x01]/g, (octet) => (octet === '\0' ? '\x01\x01' : '\x01\x02')) : key;

export const originalKey = (kept: string): string =>
  kept.includes('\x01') ? kept.replace(/\x01[\x01\x02]/g, (pair) => (pair[1] === '\x01' ? '\0' : '\x01')) : kept;

export interface Bound {
  key: string;
  isIn: boolean;
}

/** A range within one table. */
export interface Part {
  table: Table;
  lower: Bound;
  upper: Bound;
}

/** Splits a range into parts of one table each, in the order of reading. */
export const partsOf = ({ gt, gte, lte, reverse = false }: Range): Part[] => {
  const lower: Bound = gt === undefined ? { key: gte ?? '', isIn: true } : { key: gt, isIn: false };
  const parts = PARTS.filter(({ from, to }) => (to === null || lower.key < to) && lte >= from).map(
    ({ table, from, to }): Part => ({
      table,
      lower: lower.key < from ? { key: from, isIn: true } : lower,
      upper: to === null || lte < to ? { key: lte, isIn: true } : { key: to, isIn: false },
    }),
  );
  return reverse ? parts.reverse() : parts;
};

/** First position whose key is not before the bound, or after it when the bound is exclusive. */
const firstFrom = ({ key, isIn }: Bound): number => {
  if (EVENT_KEY.test(key)) return positionOf(key) + (isIn ? 0 : 1);
  const digits = /^f\/(\d{0,16})/.exec(key)?.[1] ?? '';
  const next = key.charAt(2 + digits.length);
  if (digits.length < 16 && next < '0') return Number(digits.padEnd(16, '0'));
  return Number(digits.padEnd(16, '9')) + 1;
};

/** First and last position of a part of the events, inclusive. */
export const positionsOf = ({ lower, upper }: Part): [first: number, last: number] => {
  const after = upper.key === 'f0' ? Infinity : firstFrom({ ...upper, isIn: !upper.isIn });
  return [Math.min(firstFrom(lower), Number.MAX_SAFE_INTEGER), Math.min(after - 1, Number.MAX_SAFE_INTEGER)];
};
