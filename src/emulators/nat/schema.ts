import { z } from 'zod';
import { field, type Fields, listOf, word } from '../kit/fields.ts';

/** A port towards the outside; what is left out is filled in. */
const portMapping = z.strictObject({
  name: word.optional(),
  port_number: z.int().min(0).optional(),
  type: word.optional(),
  interface: word.optional(),
});

export const fields: Fields = { ports_mapping: field(listOf(portMapping), [{}]) };
