import { Readable } from 'node:stream';
import type { Api } from '../../api.ts';
import { json, LINES, type Route, route } from '../../routing/route.ts';
import { sessionQuery, storeVerdict, verifyQuery } from './session-schema.ts';
import { verifyLines } from './verify-lines.ts';

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
