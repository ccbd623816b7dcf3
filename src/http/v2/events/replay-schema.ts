import { z } from 'zod';

const position = z.int().positive();

/** How a recording is replayed. `from` and `to` are positions of the log. */
export const replayCreate = z.strictObject({
  speed: z
    .number()
    .min(0.01)
    .max(10_000)
    .meta({ description: 'Times as fast as it was recorded; 1 when absent' })
    .exactOptional(),
  as_fast: z.boolean().meta({ description: 'Without the recorded gaps' }).exactOptional(),
  engine: z.enum(['auto', 'simulated']).exactOptional(),
  from: position.exactOptional(),
  to: position.exactOptional(),
  keep: z.boolean().meta({ description: 'Whether the replay’s own project stays afterwards' }).exactOptional(),
});

const difference = z.strictObject({
  step: z.int().nullable(),
  request: z.string().nullable(),
  what: z.string(),
  recorded: z.unknown(),
  now: z.unknown(),
});

export const replayRecord = z.strictObject({
  replay_id: z.string(),
  source_project_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  progress: z.strictObject({
    step: z.int(),
    of: z.int(),
    current: z.string(),
    left_ms: z.int().nullable(),
  }),
  performed: z.int().nullable(),
  differences: z.array(difference).nullable(),
  notes: z.array(z.string()),
  failure: z.string().nullable(),
});
