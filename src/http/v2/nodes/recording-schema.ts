import { z } from 'zod';

export const recordingFile = z.strictObject({
  name: z.string(),
  bytes: z.int(),
  started_at: z.string().meta({ format: 'date-time' }),
  seconds: z.number().nullable().meta({ description: 'null while it goes on' }),
  recording: z.boolean(),
});
