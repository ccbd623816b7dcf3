import { z } from 'zod';
import { LENGTHS, MOST_ITEMS, MOST_JSON } from '../common/bounds.ts';

/** Types of values that several nouns share. */

/** A path, an address, the options of one setting. */
export const line = z.string().max(LENGTHS.line);

/** An object that is kept as it came. */
export const bag = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= MOST_JSON, `must have at most ${MOST_JSON} characters as JSON`);

/** Any object, of whatever size: what is in the log already. */
export const anyBag = z.record(z.string(), z.unknown());

/** Filter name to its parameters, in the order of `available_filters`: `{delay: [50, 5]}`. Units in fabric/filters. */
export const filters = z.record(z.string(), z.array(z.union([z.number(), line])).max(MOST_ITEMS));
