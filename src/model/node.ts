import { z } from 'zod';
import { field, type Values } from './field.ts';
import { placeFields } from './place.ts';

/** Fields of a node that do not depend on its kind. */
export const NODE = {
  console_auto_start: field(z.boolean(), false, {
    text: { title: 'Open the console', help: 'Clients open it when the node starts.', group: 'Console' },
  }),
  ...placeFields(1),
};
export type NodeSettings = Values<typeof NODE>;
