import { z } from 'zod';
import { LENGTHS, MOST_ITEMS } from '../bounds.ts';

const value = z.union([z.number(), z.string().max(LENGTHS.line)]);

/** Filters of a link as people write them: by name, one value standing for a list of one. What comes out has lists. */
export const writtenFilters = z.record(
  z.string(),
  z
    .union([value, z.array(value).max(MOST_ITEMS)], 'must be a number, a text, or a list of such')
    .transform((given) => (Array.isArray(given) ? given : [given])),
);
