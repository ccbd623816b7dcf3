import { createHash } from 'node:crypto';
import { asOneLine, isOneLine } from '../../common/forms/one-line.ts';
import { UUID } from '../../model/types.ts';
import { quoted } from './json.ts';

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

export interface Identity {
  id: string;
  /** Why the id is new; null: it is the file's. */
  reason: string | null;
  /** An earlier element of the file has the same id. */
  duplicate: boolean;
}

/** Assigns unique ids to elements: the file's where it is a UUID that is not taken, otherwise a new one. */
export const identities = (key: string, newId: () => string): ((given: unknown) => Identity) => {
  const taken = new Set<string>();
  const take = (id: string, reason: string | null, duplicate = false): Identity => {
    taken.add(id);
    return { id, reason, duplicate };
  };
  return (given) => {
    if (given === undefined || given === null) return take(newId(), `it had no ${key} and got a new one`);
    if (!isUuid(given)) return take(newId(), `its ${key} ${quoted(given)} is not a UUID and was replaced`);
    if (!taken.has(given)) return take(given, null);
    return take(newId(), `its ${key} ${given} is that of an earlier one and was replaced`, true);
  };
};

/**
 * A UUID derived from names, for things without an id in the file: the same names give the same id (RFC 9562, version
 * 8, of a SHA-256).
 */
export const derivedId = (...names: readonly (string | number)[]): string => {
  const hex = createHash('sha256').update(JSON.stringify(names)).digest('hex');
  const variant = (8 + (Number.parseInt(hex.slice(16, 17), 16) % 4)).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
};

/** Warning about a name with line ends or control characters, which were replaced. */
export const renamed = (what: string, given: string): string[] =>
  isOneLine(given) ? [] : [`The name of ${what} had line ends or control characters; it is ${asOneLine(given)} now`];
