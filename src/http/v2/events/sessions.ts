import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { uuid } from '../../../model/types.ts';
import type { VerifyOptions } from '../../../session/sessions.ts';
import type { Api } from '../../api.ts';
import { json, LINES, type Route, route } from '../../routing/route.ts';
import { yesNo } from '../projects/archives.ts';

const version = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a version: digits, from 1')
  .transform(Number);

/** `redact=console` leaves out what recorded consoles showed, `redact=secrets` data of events of earlier versions that has secrets. */
const sessionQuery = z.object({
  from: version.exactOptional(),
  to: version.exactOptional(),
  redact: z.enum(['console', 'secrets', 'console,secrets']).exactOptional(),
});

/** `files=yes` reads the files whose content the log knows as well. */
const verifyQuery = z.object({ project_id: uuid.exactOptional(), files: yesNo });

const problem = z.strictObject({ position: z.int().nullable(), where: z.string(), message: z.string() });

export const storeVerdict = z.strictObject({
  ok: z.boolean(),
  facts: z.int(),
  records: z.int(),
  lost: z.int().meta({ description: 'Events that an earlier repair has left out' }),
  secrets: z
    .array(z.strictObject({ project_id: z.string().nullable(), name: z.string(), events: z.int() }))
    .exactOptional()
    .meta({ description: 'Labs whose events have secrets, as those of earlier versions do; null: templates' }),
  problem: problem.nullable().meta({ description: 'What was found first; null when all is well' }),
  problems: z.array(problem).meta({ description: 'All that does not fit, up to 1000' }),
});

/** How often the caller hears how far the check is. Milliseconds. */
const TICK_MS = 200;

type Progress = Parameters<NonNullable<VerifyOptions['onProgress']>>[0];

/** A check as lines: how far it is, again and again, and what it found. It ends with the caller. */
export async function* verifyLines(
  verify: (options: VerifyOptions) => Promise<object>,
  { tickMs = TICK_MS }: { tickMs?: number } = {},
): AsyncGenerator<string> {
  const ending = new AbortController();
  const { signal } = ending;
  let progress: Progress = { part: 'events', done: 0, of: 0 };
  const verdict = verify({ signal, onProgress: (now) => (progress = now) });
  // Aborted when the client has gone, which nobody needs to be told.
  verdict.catch(() => undefined);
  try {
    for (;;) {
      const tick = sleep(tickMs, null, { signal }).catch(() => null);
      const found = await Promise.race([verdict, tick]);
      if (found !== null) {
        yield `${JSON.stringify({ verdict: found })}\n`;
        return;
      }
      yield `${JSON.stringify({ progress })}\n`;
    }
  } finally {
    ending.abort();
  }
}

/** Proofs: a project's session as a signed file, and the check of the log. */
export const sessionRoutes = ({ sessions }: Api): Route[] => [
  route('GET', '/v2/projects/{project_id}/session', {
    summary: 'Signed session file of a project, also of a deleted one; versions `from` to `to` of its stream',
    query: sessionQuery,
    success: { code: 200, type: LINES, description: 'A line each: head, records before, events, recordings, files' },
    errors: [400, 404, 409],
    handler: async ({ params, query }) => ({
      stream: await sessions.export(params.project_id, query),
      type: LINES,
    }),
  }),
  route('GET', '/v2/verify', {
    anyServer: true,
    group: 'server',
    summary:
      'Walk every event, index and record of the log, or of one project, and name what does not fit; `files=yes`: and its files',
    query: verifyQuery,
    success: {
      code: 200,
      schema: storeVerdict,
      description: `The verdict; with Accept: ${LINES} first how far it is, as lines {"progress": {part, done, of}}, then {"verdict": …}`,
      lines: true,
    },
    errors: [400],
    handler: async ({ query: { project_id = null, files = false }, accept }) =>
      accept.includes(LINES)
        ? { stream: Readable.from(verifyLines((options) => sessions.verify(project_id, files, options))), type: LINES }
        : json(await sessions.verify(project_id, files)),
  }),
];
