import { z } from 'zod';
import { MOST_STEPS } from '../../../common/bounds.ts';
import { drawingRecord } from '../drawings/schema.ts';
import { linkRecord } from '../links/schema.ts';
import { nodeRecord } from '../nodes/schema.ts';
import { omit, uuid } from '../schema.ts';

/** Bytes: a lab of some thousand nodes with their links. */
export const BATCH_LIMIT = 16 << 20;

const type = z.enum(['node', 'link', 'drawing']);
/** As the routes of that type take it, by which it is checked. */
const record = z.record(z.string(), z.unknown());

export const batchStep = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('create'), type, record }),
  z.strictObject({ action: z.literal('update'), type, id: uuid, record }),
  z.strictObject({ action: z.literal('delete'), type, id: uuid }),
]);
export type Step = z.output<typeof batchStep>;
/** A step as the document has it: each is checked in its turn, not all of them in one piece. */
const unchecked = z.unknown().meta(omit({ ...z.toJSONSchema(batchStep, { io: 'input' }) }, ['$schema']));

export const batchBody = z.strictObject({ steps: z.array(unchecked).max(MOST_STEPS) });
export const batchResult = z.strictObject({
  results: z.array(z.union([nodeRecord, linkRecord, drawingRecord, z.null()])),
});
