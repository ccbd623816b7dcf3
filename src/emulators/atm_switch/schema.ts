import { field, type Fields, tableOf, word } from '../kit/fields.ts';

/** `port:vpi` to `port:vpi` (a whole path) or `port:vpi:vci` to `port:vpi:vci` (one channel). */
export const fields: Fields = { mappings: field(tableOf(word, word), {}) };
