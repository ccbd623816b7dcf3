import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { part, type Texts, withTexts } from '../common/forms/property-text.ts';
import type { Field, Fields, LabValues, Later, Values } from './field.ts';

/** What the rooms make of the fields of a noun. */

type Bag = Readonly<Record<string, unknown>>;

const mapped = <T>(fields: Fields, make: (field: Field, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, make(field, key)]));

const only = <F extends Fields>(fields: F, isWanted: (field: Field) => boolean): Partial<F> =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => isWanted(field))) as Partial<F>;

export const keysOf = <F extends Fields>(fields: F): (keyof F & string)[] => Object.keys(fields);

/** Keys of fields that only change how the map looks. */
export const visualKeys = (fields: Fields): string[] => keysOf(only(fields, ({ visual }) => visual === true) as Fields);

/** Fields that records for existing tools have. */
export const knownInRecords = <F extends Fields>(fields: F): F => only(fields, ({ own }) => own !== 'everywhere') as F;

/** Fields that project files have. */
export const knownInFiles = <F extends Fields>(fields: F): F => only(fields, ({ own }) => own === undefined) as F;

/** Fields that stand beside the project file. */
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

/** Shape of what events carry, records keep and answers have. */
export const storedShape = <F extends Fields>(fields: F): Shape<F> =>
  mapped(fields, ({ stored, type, later }) =>
    later === true ? (stored ?? type).exactOptional() : (stored ?? type),
  ) as Shape<F>;

/** Shape of what answers have; fields that existing tools' records lack may be absent. */
export const answerShape = <F extends Fields>(fields: F): { [K in keyof F]: z.ZodType } =>
  mapped(fields, ({ stored, type, own }) =>
    own === 'everywhere' ? (stored ?? type).exactOptional() : (stored ?? type),
  ) as { [K in keyof F]: z.ZodType };

type Requested<F extends Fields> = { [K in keyof F]: z.ZodExactOptional<F[K]['type']> };

/** Shape of what a request may say, with what its form says of it. `texts`: of the whole noun, in the order of the form. */
export const requestShape = <F extends Fields>(fields: F, texts: Texts): Requested<F> =>
  withTexts(mapped(fields, ({ type }) => type.exactOptional()) as Requested<F>, texts);

/** Values of fields that `from` has; its other members are left out. */
export const pick = <F extends Fields, T extends Partial<Values<F>>>(from: T, fields: F): Pick<T, keyof T & keyof F> =>
  picked(from, keysOf(fields)) as Pick<T, keyof T & keyof F>;

/** Members of these keys that are there. */
const picked = (from: object, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.flatMap((key) => ((from as Bag)[key] === undefined ? [] : [[key, (from as Bag)[key]]])));

/** All values: what is given, or else the initial ones. */
export const withInitial = <F extends Fields>(fields: F, given: Partial<Values<F>>): Values<F> =>
  mapped(fields, ({ initial }, key) => (given as Bag)[key] ?? initial) as Values<F>;

/** Values of a new record: later fields only where they are given. */
export const newValues = <F extends Fields>(fields: F, given: Partial<Values<F>>): Values<F> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { initial, later }]) => {
      const value = (given as Bag)[key] ?? (later === true ? undefined : initial);
      return value === undefined ? [] : [[key, value]];
    }),
  ) as Values<F>;

/** What is so where a record does not say it. */
export const valuesWhenAbsent = <F extends Fields>(fields: F): { [K in Later<F>]: z.output<F[K]['type']> } =>
  mapped(only(fields, ({ later }) => later === true) as Fields, ({ initial }) => initial) as {
    [K in Later<F>]: z.output<F[K]['type']>;
  };

/** Values that are not the initial ones. */
export const changed = (fields: Fields, record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(withInitial(fields, record)).filter(
      ([key, value]) => !isDeepStrictEqual(value, fields[key]?.initial),
    ),
  );

export const labKeyOf = (fields: Fields, key: string): string => fields[key]?.labKey ?? key;

type LabShape<F extends Fields> = { [K in keyof LabValues<F>]-?: z.ZodExactOptional<z.ZodType<LabValues<F>[K]>> };

/** Shape of what the text of a lab may say. */
export const labShape = <F extends Fields>(fields: F): LabShape<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, { type, text }]) => [
      labKeyOf(fields, key),
      part(type.exactOptional(), text.title, text.help, text.unit),
    ]),
  ) as unknown as LabShape<F>;

/** Values as the text of a lab has them: those that are not the initial ones. */
export const toLab = <F extends Fields>(fields: F, record: Values<F>): LabValues<F> =>
  Object.fromEntries(
    Object.entries(changed(fields, record)).map(([key, value]) => [labKeyOf(fields, key), value]),
  ) as LabValues<F>;

/** Values that the text of a lab says, by their own keys. */
export const fromLab = <F extends Fields>(fields: F, said: LabValues<F>): Partial<Values<F>> =>
  Object.fromEntries(
    keysOf(fields).flatMap((key) => {
      const value = (said as Bag)[labKeyOf(fields, key)];
      return value === undefined ? [] : [[key, value]];
    }),
  ) as Partial<Values<F>>;
