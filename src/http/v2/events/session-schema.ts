import { z } from 'zod';
import { yesNo } from '../projects/archive-schema.ts';
import { uuid } from '../schema.ts';

const version = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a version: digits, from 1')
  .transform(Number);

/** `redact=console` leaves out what recorded consoles showed. */
export const sessionQuery = z.object({
  from: version.exactOptional(),
  to: version.exactOptional(),
  redact: z.enum(['console']).exactOptional(),
});

/** `files=yes` reads the files whose content the log knows as well. */
export const verifyQuery = z.object({ project_id: uuid.exactOptional(), files: yesNo });

const problem = z.strictObject({ position: z.int().nullable(), where: z.string(), message: z.string() });

export const storeVerdict = z.strictObject({
  ok: z.boolean(),
  facts: z.int(),
  records: z.int(),
  lost: z.int().meta({ description: 'Events that an earlier repair has left out' }),
  problem: problem.nullable().meta({ description: 'What was found first; null when all is well' }),
  problems: z.array(problem).meta({ description: 'All that does not fit, up to 1000' }),
});
