import { z } from 'zod';
import { field, type Fields, text } from '../fields.ts';

/** `port:vpi` to `port:vpi` (a whole path) or `port:vpi:vci` to `port:vpi:vci` (one channel). */
export const fields: Fields = { mappings: field(z.record(text, text), {}) };
