import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { LENGTHS, MOST_ITEMS } from '../../common/bounds.ts';
import { withoutEmpty } from '../../emulators/ports/ports.ts';
import type { CustomAdapter, Label } from '../../events/fields.ts';
import type { Fields as NounFields, FileValue, Values } from '../../model/field.ts';
import { type Bag, isBag, quoted, without } from './json.ts';

/**
 * Tolerant reading of an object by a table of its fields. A wrong value is replaced by the field's fallback and kept
 * in `extra` under its own key, so that writing can give it back as long as nobody has set the field.
 */
export interface Field<T> extends FileValue<T> {
  /** Replaces an absent, null or wrong value. */
  fallback: T;
  required?: true;
  /** Filled by the kind, so that a record never has the fallback. */
  filled?: true;
}
export type Fields<T> = { [K in keyof T]: Field<T[K]> };

/** Readers for the fields of a noun. */
export const readersOf = <F extends NounFields>(fields: F): Fields<Values<F>> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, { type, stored, inFile, initial, fileDefault = initial, neededInFile }]) => [
      key,
      {
        ...(inFile ?? readerOf(stored ?? type, type)),
        fallback: fileDefault,
        ...(neededInFile === true ? { required: true } : {}),
      },
    ]),
  ) as Fields<Values<F>>;

/** Reads by the stored type; the maximum length of a text is that of requests. */
const readerOf = (stored: z.ZodType, type: z.ZodType): FileValue<unknown> => {
  if (stored instanceof z.ZodBoolean) return flag(false);
  if (stored instanceof z.ZodNumber) return integer(0);
  if (stored instanceof z.ZodString)
    return text('', (type instanceof z.ZodString ? type.maxLength : null) ?? LENGTHS.line);
  if (stored instanceof z.ZodRecord) return bag();
  throw new Error(`a field of the type ${stored.def.type} says itself how it is read from a file`);
};

export interface ReadFields<T> {
  values: T;
  /** One sentence for each wrong value. */
  wrong: string[];
  extra: Bag;
}

/** `derived`: known keys that are dropped, because they are computed. */
export const readFields = <T extends object>(
  raw: Bag,
  fields: Fields<T>,
  derived: readonly string[],
): ReadFields<T> => {
  const wrong: string[] = [];
  const values: [string, unknown][] = [];
  const unread: [string, unknown][] = [];
  const table = Object.entries<Field<unknown>>(fields);
  for (const [key, field] of table) {
    const given = raw[key];
    const absent = given === undefined || given === null;
    const value = absent ? undefined : field.read(given);
    values.push([key, value === undefined ? structuredClone(field.fallback) : value]);
    if (value !== undefined || (absent && field.required === undefined)) continue;
    wrong.push(absent ? `${key} is missing` : `${key} must be ${field.expected}, not ${quoted(given)}`);
    unread.push([key, given ?? null]);
  }
  const known = [...table.map(([key]) => key), ...derived];
  return {
    values: Object.fromEntries(values) as T,
    wrong,
    extra: { ...without(raw, known), ...Object.fromEntries(unread) },
  };
};

/**
 * Values in `extra` for fields that still have what reading gave them. `broken`: the kind has not filled its fields.
 */
export const unreadValues = <T extends object>(fields: Fields<T>, extra: Bag, values: Bag, broken: boolean): Bag =>
  Object.fromEntries(
    Object.entries<Field<unknown>>(fields)
      .filter(([key]) => Object.hasOwn(extra, key))
      .filter(([key, f]) => (f.filled === true ? broken : isDeepStrictEqual(values[key], f.fallback)))
      .map(([key]) => [key, extra[key]]),
  );

/** The same field; absent and wrong values get the kind's default. */
export const filledByKind = <T>(field: Field<T>): Field<T | null> => ({ ...field, fallback: null, filled: true });

/** The same field with null as its fallback. */
export const orNull = <T>(field: Field<T>): Field<T | null> => ({ ...field, fallback: null });

export const required = <T>(field: Field<T>): Field<T> => ({ ...field, required: true });

/** Bound of coordinates and sizes: the integers of 32-bit clients. */
const LIMIT = 2 ** 31 - 1;

/** + 0 because the rounding of a small negative number is -0, which JSON cannot carry. */
const rounded = (value: number): number => Math.round(value) + 0;

/** Rounds fractions, as some tools stored coordinates as they came from the mouse. */
export const integer = (fallback: number, min = -LIMIT, max = LIMIT): Field<number> => ({
  read(value) {
    if (typeof value !== 'number') return undefined;
    const whole = rounded(value);
    return whole >= min && whole <= max ? whole : undefined;
  },
  expected: `a whole number from ${min} to ${max}`,
  fallback,
});

const upTo = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;

export const text = (fallback: string, most: number = LENGTHS.line): Field<string> => ({
  read: (value) => (upTo(value, most) ? value : undefined),
  expected: `a text of at most ${most} characters`,
  fallback,
});

export const word = (fallback: string): Field<string> => ({
  read: (value) => (upTo(value, LENGTHS.name) && value !== '' ? value : undefined),
  expected: `a text of 1 to ${LENGTHS.name} characters`,
  fallback,
});

const flag = (fallback: boolean): Field<boolean> => ({
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  expected: 'true or false',
  fallback,
});

export const bag = (): Field<Bag> => ({
  read: (value) => (isBag(value) ? value : undefined),
  expected: 'an object',
  fallback: {},
});

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isWord = (value: unknown): value is string => upTo(value, LENGTHS.name);
const isLine = (value: unknown): value is string => upTo(value, LENGTHS.line);
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
/** In optional keys of small objects null counts as absent. */
const given = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

export const label = (): Field<Label | null> => ({
  read(value) {
    if (!isBag(value) || !isLine(value.text)) return undefined;
    const { style, x, y, rotation } = value;
    if (given(style) && !isLine(style)) return undefined;
    if ([x, y, rotation].some((n) => given(n) && !isNumber(n))) return undefined;
    return {
      text: value.text,
      ...(isLine(style) || style === null ? { style } : {}),
      ...(isNumber(x) ? { x: rounded(x) } : x === null ? { x } : {}),
      ...(isNumber(y) ? { y: rounded(y) } : {}),
      ...(isNumber(rotation) ? { rotation: rounded(rotation) } : {}),
    };
  },
  expected: 'an object with a text and, if wanted, style, x, y and rotation',
  fallback: null,
  filled: true,
});

export const customAdapters = (): Field<CustomAdapter[]> => ({
  read(value) {
    if (!Array.isArray(value) || value.length > MOST_ITEMS) return undefined;
    const adapters = value.map(customAdapter).filter((adapter) => adapter !== undefined);
    return adapters.length === value.length ? adapters : undefined;
  },
  expected: 'a list of objects with an adapter_number and, if wanted, port_name, adapter_type and mac_address',
  fallback: [],
});

const customAdapter = (value: unknown): CustomAdapter | undefined => {
  if (!isBag(value) || !isIndex(value.adapter_number)) return undefined;
  const { port_name, adapter_type, mac_address } = value;
  if ([port_name, adapter_type, mac_address].some((v) => given(v) && !isWord(v))) return undefined;
  return withoutEmpty({
    adapter_number: value.adapter_number,
    ...(isWord(port_name) ? { port_name } : {}),
    ...(isWord(adapter_type) ? { adapter_type } : {}),
    ...(isWord(mac_address) ? { mac_address } : {}),
  });
};
