import { z } from 'zod';
import { field, type Fields, text } from '../fields.ts';

/** `port:dlci` to `port:dlci`. */
export const fields: Fields = { mappings: field(z.record(text, text), {}) };
