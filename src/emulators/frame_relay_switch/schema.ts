import { field, type Fields } from '../fields.ts';
import { mappingsSchema } from '../circuit-mappings.ts';

/** `port:dlci` to `port:dlci`. */
export const fields: Fields = { mappings: field(mappingsSchema(/^\d{1,4}:\d{1,4}$/, '1:101 (port:dlci)'), {}) };

/** The DLCI has ten bits (ITU-T Q.922). */
export const within = ([, dlci = 0]: number[]): string | null => (dlci > 1023 ? 'a DLCI is 0 to 1023' : null);
