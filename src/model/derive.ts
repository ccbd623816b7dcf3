import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { part, type Texts, withTexts } from '../common/forms/property-text.ts';
import type { Field, Fields, LabValues, Later, Values } from './field.ts';

/** Schemas, texts and values that other rooms derive from the fields of a noun. */

type Bag = Readonly<Record<string, unknown>>;

const mapped = <T>(fields: Fields, make: (field: Field, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, make(field, key)]));

const only = <F extends Fields>(fields: F, isWanted: (field: Field) => boolean): Partial<F> =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => isWanted(field))) as Partial<F>;

export const keysOf = <F extends Fields>(fields: F): (keyof F & string)[] => Object.keys(fields);

/** Keys of fields that only change how the map looks. */
export const visualKeys = (fields: Fields): string[] => keysOf(only(fields, ({ visual }) => visual === true) as Fields);

/** Fields in records for existing tools. */
export const knownInRecords = <F extends Fields>(fields: F): F => only(fields, ({ own }) => own !== 'everywhere') as F;

/** Fields in project files. */
export const knownInFiles = <F extends Fields>(fields: F): F => only(fields, ({ own }) => own === undefined) as F;

/** Fields in the file beside the project file. */
export const besideFiles = (fields: Fields): Fields => only(fields, ({ own }) => own !== undefined) as Fields;

/** Title, help and widget by key. `first`: keys in the order of the form; others follow. */
export const textsOf = (fields: Fields, first: readonly string[] = []): Texts => {
  const texts: Texts = mapped(fields, ({ text }) => text);
  return { ...(picked(texts, first) as Texts), ...texts };
};

type Shape<F extends Fields> = {
  [K in keyof F]: F[K] extends { later: true }
    ? z.ZodExactOptional<z.ZodType<z.output<F[K]['type']>>>
    : z.ZodType<z.output<F[K]['type']>>;
};

/** Shape of events, records and answers. */
export const storedShape = <F extends Fields>(fields: F): Shape<F> =>
  mapped(fields, ({ stored, type, later }) =>
    later === true ? (stored ?? type).exactOptional() : (stored ?? type),
  ) as Shape<F>;

/** Shape of answers; fields unknown to existing tools may be absent. */
export const answerShape = <F extends Fields>(fields: F): { [K in keyof F]: z.ZodType } =>
  mapped(fields, ({ stored, type, own }) =>
    own === 'everywhere' ? (stored ?? type).exactOptional() : (stored ?? type),
  ) as { [K in keyof F]: z.ZodType };

type Requested<F extends Fields> = { [K in keyof F]: z.ZodExactOptional<F[K]['type']> };

/** Shape of requests, with the texts of its form. `texts`: of the whole noun, in the order of the form. */
export const requestShape = <F extends Fields>(fields: F, texts: Texts): Requested<F> =>
  withTexts(mapped(fields, ({ type }) => type.exactOptional()) as Requested<F>, texts);

/** Values of the fields of the noun; other members are left out. */
export const pick = <F extends Fields, T extends Partial<Values<F>>>(from: T, fields: F): Pick<T, keyof T & keyof F> =>
  picked(from, keysOf(fields)) as Pick<T, keyof T & keyof F>;

/** Members with these keys that are defined. */
export const picked = (from: object, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.flatMap((key) => ((from as Bag)[key] === undefined ? [] : [[key, (from as Bag)[key]]])));

/** All values, with initial ones where absent. */
export const withInitial = <F extends Fields>(fields: F, given: Partial<Values<F>>): Values<F> =>
  mapped(fields, ({ initial }, key) => (given as Bag)[key] ?? initial) as Values<F>;

/** Values of a new record; later fields only where given. */
export const newValues = <F extends Fields>(fields: F, given: Partial<Values<F>>): Values<F> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { initial, later }]) => {
      const value = (given as Bag)[key] ?? (later === true ? undefined : initial);
      return value === undefined ? [] : [[key, value]];
    }),
  ) as Values<F>;

/** Values of later fields that a record lacks. */
export const valuesWhenAbsent = <F extends Fields>(fields: F): { [K in Later<F>]: z.output<F[K]['type']> } =>
  mapped(only(fields, ({ later }) => later === true) as Fields, ({ initial }) => initial) as {
    [K in Later<F>]: z.output<F[K]['type']>;
  };

/** Values that differ from the initial ones. */
export const changed = (fields: Fields, record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(withInitial(fields, record)).filter(
      ([key, value]) => !isDeepStrictEqual(value, fields[key]?.initial),
    ),
  );

export const labKeyOf = (fields: Fields, key: string): string => fields[key]?.labKey ?? key;

type LabShape<F extends Fields> = { [K in keyof LabValues<F>]-?: z.ZodExactOptional<z.ZodType<LabValues<F>[K]>> };

/** Shape of the noun in a lab text. */
export const labShape = <F extends Fields>(fields: F): LabShape<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, { type, text }]) => [
      labKeyOf(fields, key),
      part(type.exactOptional(), text.title, text.help, text.unit),
    ]),
  ) as unknown as LabShape<F>;

/** Values for a lab text: those that differ from the initial ones, under their keys there. */
export const toLab = <F extends Fields>(fields: F, record: Values<F>): LabValues<F> =>
  Object.fromEntries(
    Object.entries(changed(fields, record)).map(([key, value]) => [labKeyOf(fields, key), value]),
  ) as LabValues<F>;

/** Values of a lab text, under the keys of the noun. */
export const fromLab = <F extends Fields>(fields: F, said: LabValues<F>): Partial<Values<F>> =>
  Object.fromEntries(
    keysOf(fields).flatMap((key) => {
      const value = (said as Bag)[labKeyOf(fields, key)];
      return value === undefined ? [] : [[key, value]];
    }),
  ) as Partial<Values<F>>;
