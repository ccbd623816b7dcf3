import { z } from 'zod';

/** What a verdict was found by; each is there where it is known. */
export const evidence = z.object({
  /** When it happened that proves it: ISO time, by the clock of captures where frames do. */
  at: z.string().exactOptional(),
  /** What the console showed. */
  console: z.string().exactOptional(),
  /** On its link: its number among those that passed in its direction, and its first octets as hexadecimal digits. */
  frame: z
    .object({
      link_id: z.string(),
      from: z.string().nullable(),
      number: z.int(),
      octets: z.int(),
      head: z.string(),
    })
    .exactOptional(),
  /** Echo requests. `why`: what there was in place of the first answer that is missing. */
  probes: z
    .object({ to: z.string(), sent: z.int(), lost: z.int(), rtt_ms: z.number().nullable(), why: z.string().nullable() })
    .exactOptional(),
  state: z.string().exactOptional(),
  count: z.number().exactOptional(),
  /** Of a command: what it printed last, and its exit status; null: a signal ended it. */
  output: z.string().exactOptional(),
  code: z.int().nullable().exactOptional(),
});
export type Evidence = z.infer<typeof evidence>;

/** A check has begun to hold, or no longer does. `after_ms`: since the beginning of the run. `text`: what was found, as a sentence. */
export const verdict = z.object({
  check_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  after_ms: z.int(),
  text: z.string(),
  evidence,
});
