import { field, type Fields, tableOf, word } from '../kit/fields.ts';

/** `port:dlci` to `port:dlci`. */
export const fields: Fields = { mappings: field(tableOf(word, word), {}) };
