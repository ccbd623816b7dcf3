import type { Random } from '../faults/prng.ts';
import type { Schema, Schemas } from './document.ts';
import { junk, junkNumber, junkString } from './junk.ts';

/** Values that a schema takes, but for the few that only the server can know of. */
export interface Fitting {
  random: Random;
  schemas: Schemas;
  /** What a property of this name should have, where the schema alone would never be enough; undefined: no idea. */
  guess: (key: string, schema: Schema) => unknown;
}

export const fit = (fitting: Fitting, given: Schema, key = ''): unknown => {
  const { random, schemas } = fitting;
  const schema = schemas.resolve(given);
  const guessed = fitting.guess(key, schema);
  if (guessed !== undefined) return guessed;
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices !== undefined) return fit(fitting, random.pick(choices) ?? {}, key);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as unknown[]);
  const types = schema['type'];
  switch (Array.isArray(types) ? random.pick(types as string[]) : types) {
    case 'object':
      return object(fitting, schema);
    case 'array':
      return array(fitting, schema, key);
    case 'string':
      return text(random, schema);
    case 'integer':
      return Math.round(number(random, schema));
    case 'number':
      return number(random, schema);
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    default:
      return random.below(3) === 0 ? junk(random) : undefined;
  }
};

const object = (fitting: Fitting, schema: Schema): Record<string, unknown> => {
  const { random } = fitting;
  const required = new Set((schema['required'] ?? []) as string[]);
  // A few of many: with all of them, one that does not fit the others would refuse nearly everything.
  const chance = random.pick([0, 0.1, 0.3, 0.7]) ?? 0;
  const made: Record<string, unknown> = {};
  for (const [key, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    if (!required.has(key) && random.next() >= chance) continue;
    const value = fit(fitting, property, key);
    if (value !== undefined) made[key] = value;
  }
  const more = schema['additionalProperties'];
  if (typeof more === 'object' && more !== null && random.below(3) === 0)
    made[junkString(random).slice(0, 20)] = fit(fitting, more as Schema);
  return made;
};

const array = (fitting: Fitting, schema: Schema, key: string): unknown[] => {
  const places = schema['prefixItems'] as Schema[] | undefined;
  if (places !== undefined) return places.map((place) => fit(fitting, place, key) ?? null);
  const least = Number(schema['minItems'] ?? 0);
  const most = Math.min(Number(schema['maxItems'] ?? 6), least + 6);
  const length = least + fitting.random.below(most - least + 1);
  return Array.from({ length }, () => fit(fitting, (schema['items'] ?? {}) as Schema, key) ?? null);
};

const number = (random: Random, schema: Schema): number => {
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? -1000);
  const most = Number(schema['maximum'] ?? 1000);
  if (random.below(6) === 0) return random.pick([least, most]) ?? 0;
  if (random.below(10) === 0) return Math.min(most, Math.max(least, junkNumber(random)));
  return Math.min(most, Math.max(least, 0) + random.below(20));
};

const text = (random: Random, schema: Schema): string => {
  const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : '';
  if (schema['format'] === 'uuid' || pattern.includes('{12}$')) return random.uuid();
  if (schema['format'] === 'date-time') return new Date(1.8e12 + random.below(1e9)).toISOString();
  if (/^\^\\d/.test(pattern)) return String(random.below(1000));
  if (pattern.includes('[:-]')) return `02:00:00:00:00:${String(10 + random.below(90))}`;
  const least = Number(schema['minLength'] ?? 0);
  const plain = random.below(3) > 0 ? `n${String(random.below(1000))}` : junkString(random);
  return plain.length < least ? 'n'.repeat(least) : plain;
};
