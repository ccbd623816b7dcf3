import { z } from 'zod';
import { field, type Fields, text } from '../fields.ts';

/** A port towards the outside; what is left out is filled in. */
const portMapping = z.strictObject({
  name: text.optional(),
  port_number: z.int().min(0).optional(),
  type: text.optional(),
  interface: text.optional(),
});

export const fields: Fields = { ports_mapping: field(z.array(portMapping), [{}]) };
