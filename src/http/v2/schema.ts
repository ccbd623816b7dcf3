import { z } from 'zod';
import { ERRORS } from '../../common/errors.ts';
import { line } from '../../model/types.ts';
import { isObject } from '../server/request-body.ts';

/** Shapes that several nouns share. Inputs are closed; `exactOptional` because JSON has no undefined. */

export const filledLine = line.min(1);
export const tcpPort = z.int().min(1).max(65535);
/** A whole number in a query, of at most so many digits. */
export const digits = (most: number, minimum: number, maximum: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${most}}$`), 'must be digits only')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));

/** A key of a record that clients may send back as they read it; it is taken and ignored. */
const ignored = z.unknown().exactOptional().meta({ readOnly: true });

export type Body = Readonly<Record<string, unknown>>;

interface InputOptions {
  /** Changes an object before it is checked. The OpenAPI document does not show it, as forms are made of that. */
  before?: (body: Body) => Body;
  /** Text of zod's issues where the schema has none. */
  error?: z.core.$ZodErrorMap;
}

/** An input whose read-only keys are dropped. */
export const input = <S extends z.ZodRawShape>(
  shape: S,
  readOnly: readonly string[] = [],
  { before, error = () => undefined }: InputOptions = {},
) => {
  const schema = z
    .strictObject({ ...shape, ...Object.fromEntries(readOnly.map((key) => [key, ignored])) }, { error })
    .transform((body) => omit(body, readOnly) as z.output<z.ZodObject<S>>);
  return before === undefined ? schema : z.preprocess((body) => (isObject(body) ? before(body) : body), schema);
};

/** Existing clients send null for these where they mean nothing. */
export const dropNulls = (body: Body, keys: readonly string[]): Body =>
  omit(
    body,
    keys.filter((key) => body[key] === null),
  );

export const omit = (body: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> => {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(body)) if (!keys.includes(key)) kept[key] = body[key];
  return kept;
};

/** Browsers send the fractions of a drag. */
const rounded = z.number().transform((n) => Math.round(n) + 0);

/** v2: only `text` is needed; `x` null lets the client centre it. */
export const label = z.strictObject({
  text: line,
  style: line.nullable().exactOptional(),
  x: rounded.nullable().exactOptional(),
  y: rounded.exactOptional(),
  rotation: z
    .number()
    .min(-359)
    .max(360)
    .transform((n) => Math.round(n) + 0)
    .exactOptional(),
});

export const labelRecord = z.strictObject({
  text: z.string(),
  style: z.string().nullable().optional(),
  x: z.number().nullable().optional(),
  y: z.number().optional(),
  rotation: z.number().optional(),
});

/** Bodies that are accepted and have no say, as that of a project-wide start. */
export const anyObject = z.looseObject({});

export const errorReply = z
  .looseObject({
    message: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(ERRORS) as (keyof typeof ERRORS)[]),
    errors: z.array(z.object({ field: z.string(), problem: z.string() })).optional(),
  })
  .meta({ description: 'What is wrong, in a sentence; more keys depend on the code' });

/** The same schema for the same argument: by which it is known again. */
export const once = <K extends object, S>(make: (key: K) => S): ((key: K) => S) => {
  const made = new WeakMap<K, S>();
  return (key) => {
    const schema = made.get(key) ?? make(key);
    made.set(key, schema);
    return schema;
  };
};
