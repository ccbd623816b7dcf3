import { z } from 'zod';
import { uuid } from '../schema.ts';

const file = z.strictObject({ name: z.string(), bytes: z.int() });

export const configVersion = z.strictObject({
  position: z.int().meta({ description: 'Of the event that has it' }),
  at: z.string().meta({ format: 'date-time' }),
  by: z.string().meta({ description: 'Who had it collected' }),
  sha256: z.string(),
  files: z.array(file),
});

export const configContent = configVersion.extend({
  files: z.array(file.extend({ content: z.string() })),
  against: z
    .int()
    .nullable()
    .meta({ description: 'Position of the version that it is compared with; null: there is none' }),
  diff: z.string().meta({ description: 'What is different, as diff -u writes it; empty: nothing' }),
});

export const collectBody = z.strictObject({
  nodes: z.array(uuid).max(10_000).exactOptional().meta({ description: 'Absent: all that keep a configuration' }),
});

export const collected = z.strictObject({
  node_id: uuid,
  name: z.string(),
  position: z.int().nullable().meta({ description: 'Of its new version; null: it has not changed, or there is none' }),
  files: z.array(z.string()),
  problem: z.string().nullable().meta({ description: 'Why it could not be read' }),
});

export const against = z.object({
  against: z.coerce
    .number()
    .int()
    .positive()
    .exactOptional()
    .meta({ description: 'Position of another version. Absent: the one before' }),
});
