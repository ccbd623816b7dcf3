import { z } from 'zod';
import { notFound } from '../../errors.ts';
import type { Api } from '../api.ts';
import { jsonList, type Payload, type Route, route } from '../route.ts';
import { eventsQuery, fact } from '../schemas/server.ts';

const NDJSON = 'application/x-ndjson';
const PAGE = 100;
const success = {
  code: 200,
  schema: z.array(fact),
  description: `Facts as stored; with Accept: ${NDJSON} a line each`,
} as const;

export const eventRoutes = ({ readLog, records }: Api): Route[] => [
  route({
    method: 'GET',
    path: '/v2/projects/{project_id}/events',
    group: 'controller',
    summary: 'Facts of a project, oldest first; also of a deleted one',
    params: ['project_id'],
    query: eventsQuery,
    success,
    errors: [400, 404],
    handler: async ({ params: { project_id }, query, accept }) => {
      const facts = await readLog.page(project_id, { limit: PAGE, ...query });
      const known = facts.length > 0 || records.get('project', project_id) !== undefined;
      if (!known && (await readLog.page(project_id, { limit: 1 })).length === 0) throw notFound('Project', project_id);
      return page(facts, accept);
    },
  }),
  route({
    method: 'GET',
    path: '/v2/events',
    group: 'server',
    summary: 'Facts of the whole server, oldest first',
    query: eventsQuery,
    success,
    errors: [400],
    handler: async ({ query, accept }) => page(await readLog.page(null, { limit: PAGE, ...query }), accept),
  }),
];

/** The stored texts themselves, so that a reader can check their hashes. */
const page = (facts: string[], accept: string): Payload =>
  accept.includes(NDJSON) ? { text: facts.map((f) => `${f}\n`).join(''), type: NDJSON } : jsonList(facts);
