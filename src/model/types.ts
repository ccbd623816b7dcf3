import { z } from 'zod';
import { LENGTHS, MOST_ITEMS, MOST_JSON } from '../common/bounds.ts';
import { isOneLine, ONE_LINE } from '../common/forms/one-line.ts';

/** Types of values that several nouns share. */

/** Hexadecimal digits grouped 8-4-4-4-12, as RFC 9562 writes them. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const UUID_PROBLEM = 'must be a UUID: hexadecimal digits grouped 8-4-4-4-12';
export const uuid = z.string().regex(UUID, UUID_PROBLEM).meta({ format: 'uuid' });

/** A text of at most the length of a name, with any characters. */
export const shortText = z.string().max(LENGTHS.name);

/** A name, or another text of at most that length, in one line. */
export const word = shortText.refine(isOneLine, ONE_LINE);
export const name = word.min(1);

/** A path, an address, the options of one setting. */
export const line = z.string().max(LENGTHS.line);

/** An object that is stored as it came. */
export const bag = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= MOST_JSON, `must have at most ${MOST_JSON} characters as JSON`);

/** Any object, of any size: for events that are in the log already. */
export const anyBag = z.record(z.string(), z.unknown());

/** Filter name to its parameters, in the order of `available_filters`: `{delay: [50, 5]}`. Units in fabric/filters. */
export const filters = z.record(z.string(), z.array(z.union([z.number(), line])).max(MOST_ITEMS));
export type Filters = z.infer<typeof filters>;
