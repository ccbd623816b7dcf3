import { z } from 'zod';
import { MOST_STEPS } from '../../../common/bounds.ts';
import { filledLine, uuid } from '../schema.ts';

const type = z.enum(['project', 'node', 'link', 'drawing']);
const by = z.strictObject({ principal: z.string(), address: z.string().nullable(), agent: z.string().nullable() });
const name = z.string().nullable().meta({ description: 'null: it has none' });

const editObject = z.strictObject({
  type,
  id: z.string(),
  action: z.enum(['create', 'delete', 'move', 'rename', 'change']),
  name,
  was: z.string().nullable().meta({ description: 'Its former name, where it was renamed' }),
  fields: z.array(z.string()).meta({ description: 'What was changed of it' }),
});

export const edit = z.strictObject({
  position: z.int().meta({ description: 'Of its first event: names the edit' }),
  at: z.string(),
  by,
  action: z.enum(['create', 'delete', 'move', 'rename', 'change']),
  objects: z.array(editObject).meta({ description: 'The first ten that it touched, as they were called then' }),
  counts: z.strictObject({ project: z.int(), node: z.int(), link: z.int(), drawing: z.int() }),
  undone: z.boolean(),
  can_undo: z.boolean(),
  can_redo: z.boolean(),
  why_not: z.string().nullable().meta({ description: 'Why it can be neither undone nor redone' }),
});

export const edits = z.strictObject({
  undo: z.int().nullable().meta({ description: 'Position of the edit that is undone next' }),
  redo: z.int().nullable().meta({ description: 'Position of the edit that is redone next' }),
  edits: z.array(edit),
});

const most = z
  .string()
  .regex(/^\d{1,3}$/, 'must be digits only')
  .transform(Number)
  .pipe(z.int().min(1).max(200));
export const editsQuery = z.object({ limit: most.exactOptional() });

export const undoBody = z.strictObject({ position: z.int().positive().exactOptional() });

const planned = z.strictObject({
  type,
  id: z.string(),
  name,
  action: z.enum(['create', 'delete', 'change']),
  fields: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
const left = z.strictObject({
  type,
  id: z.string(),
  name,
  fields: z.array(z.string()),
  why: z.enum(['changed', 'deleted', 'exists', 'linked', 'no_end', 'not_kept']),
  by: by.nullable(),
});

export const undone = z.strictObject({
  edit: edit.omit({ undone: true, can_undo: true, can_redo: true, why_not: true }),
  changes: z.array(planned),
  left: z.array(left).meta({ description: 'What stays as it is, and why' }),
});

export const restoreBody = z.strictObject({
  at: z.union([filledLine, z.int().transform(String)]),
  objects: z
    .array(z.strictObject({ type, id: uuid }))
    .min(1)
    .max(MOST_STEPS)
    .exactOptional(),
  plan: z.boolean().exactOptional(),
});
export const restored = z.strictObject({
  position: z.int().meta({ description: 'The moment' }),
  changes: z.array(planned),
  left: z.array(left).meta({ description: 'What stays as it is, and why' }),
});
