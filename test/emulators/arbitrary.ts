import fc from 'fast-check';
import { z } from 'zod';

/** Values that a schema accepts, made from the schema itself, so that no field is forgotten. */
export const arbitraryOf = (schema: z.ZodType): fc.Arbitrary<unknown> => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional)
    return fc.option(inner(schema), { nil: undefined });
  if (schema instanceof z.ZodNullable) return fc.option(inner(schema), { nil: null });
  if (schema instanceof z.ZodDefault) return inner(schema);
  if (schema instanceof z.ZodUnknown) return fc.jsonValue();
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodNumber) return integer(schema);
  if (schema instanceof z.ZodString) return text(schema);
  if (schema instanceof z.ZodIPv4) return fc.ipV4();
  if (schema instanceof z.ZodCIDRv4)
    return fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, prefix]) => `${address}/${prefix}`);
  if (schema instanceof z.ZodCIDRv6)
    return fc.tuple(fc.nat(0xffff), fc.nat(128)).map(([part, prefix]) => `fd00::${part.toString(16)}/${prefix}`);
  if (schema instanceof z.ZodArray) return list(schema);
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(
      arbitraryOf(schema.keyType as z.ZodString) as fc.Arbitrary<string>,
      arbitraryOf(schema.valueType as z.ZodType),
      { maxKeys: 4 },
    );
  if (schema instanceof z.ZodUnion)
    return fc.oneof(...schema.options.map((option) => arbitraryOf(option as z.ZodType)));
  if (schema instanceof z.ZodObject) return object(schema);
  if (schema instanceof z.ZodPipe) return arbitraryOf(schema.out as z.ZodType);
  throw new Error(`No values for a schema of type ${schema.def.type}`);
};

const inner = (schema: z.ZodOptional | z.ZodExactOptional | z.ZodNullable | z.ZodDefault): fc.Arbitrary<unknown> =>
  arbitraryOf(schema.unwrap() as z.ZodType);

/** Often small, so that lists of ports stay short; the bounds come up too. */
const integer = ({ minValue, maxValue }: z.ZodNumber): fc.Arbitrary<number> => {
  const min = Math.max(minValue ?? 0, -1_000_000);
  const max = Math.min(maxValue ?? 1_000_000, 1_000_000);
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 20) }), fc.constantFrom(min, max));
};

const text = (schema: z.ZodString): fc.Arbitrary<string> => {
  const checks = (schema.def.checks ?? []) as unknown as { _zod: { def: { pattern?: RegExp } } }[];
  const pattern = checks.map((check) => check._zod.def.pattern).find((found) => found !== undefined);
  const texts = pattern === undefined ? fc.string({ maxLength: 20 }) : fc.stringMatching(pattern);
  return texts.filter((value) => schema.safeParse(value).success);
};

const list = (schema: z.ZodArray): fc.Arbitrary<unknown[]> =>
  fc
    .array(arbitraryOf(schema.element as z.ZodType), { maxLength: 6 })
    .filter((value) => schema.safeParse(value).success);

const object = (schema: z.ZodObject): fc.Arbitrary<Record<string, unknown>> => {
  const shape = Object.entries<z.ZodType>(schema.shape);
  return fc
    .record(Object.fromEntries(shape.map(([key, value]) => [key, arbitraryOf(value)])))
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)));
};
