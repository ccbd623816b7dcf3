import { z } from 'zod';
import { LENGTHS, MOST_ITEMS } from '../bounds.ts';
import { JSON_RULES } from './property-text.ts';

/**
 * Direction of a link's filter, at the end of its name: `delay>` acts from the link's first end to its second, `delay<` back, each in place
 * of the filter without one.
 */
export type Way = '>' | '<' | '';

/** Splits a name into that without its direction, and the direction. */
export const partsOf = (name: string): [string, Way] => {
  const way = /[<>]$/.exec(name)?.[0] ?? '';
  return [name.slice(0, name.length - way.length), way as Way];
};

export const isOneWay = (name: string): boolean => partsOf(name)[1] !== '';

/** Filters that existing tools do not know. */
const OURS = new Set(['jitter', 'reorder', 'duplicate', 'burst_loss', 'rate', 'seed']);

/** Whether existing tools would not start a link with it: a filter that they do not know, or one with a direction. */
export const isOurs = (name: string): boolean => isOneWay(name) || OURS.has(name);

/** Lays filters over others. One for both directions replaces the same filter below it in either direction. */
export const overlayFilters = <T>(
  below: Readonly<Record<string, T>>,
  above: Readonly<Record<string, T>>,
): Record<string, T> => {
  const isCovered = (name: string): boolean => Object.hasOwn(above, partsOf(name)[0]);
  return { ...Object.fromEntries(Object.entries(below).filter(([name]) => !isCovered(name))), ...above };
};

const REVERSED = { '>': '<', '<': '>', '': '' } as const;

/** Filters of a link whose ends are taken in the other order. */
export const reverseFilters = <T>(filters: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, values]) => {
      const [plain, way] = partsOf(name);
      return [`${plain}${REVERSED[way]}`, values];
    }),
  );

const value = z.union([z.number(), z.string().max(LENGTHS.line)]);

/** Filters of a link as people write them: by name, where one value stands for a list of one. Parsed, each has a list. */
export const writtenFilters = z
  .record(
    z.string(),
    z
      .union([value, z.array(value).max(MOST_ITEMS)], 'must be a number, a text, or a list of such')
      .transform((given) => (Array.isArray(given) ? given : [given])),
  )
  .register(JSON_RULES, { $ref: '#/$defs/filters' });
