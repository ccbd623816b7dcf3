import { z } from 'zod';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { known } from './routes.ts';
import { entriesPage, entriesQuery, namedObject, objectsQuery, overview, overviewQuery } from './timeline-schema.ts';

const PROJECT = '/v2/projects/{project_id}';
const BUCKETS = 400;
const SINGLE = 300;
const PAGE = 100;
const OBJECTS = 1000;

/** What happened in a project, for a bar of time: the log itself is not walked for it, however long it is. */
export const timeLineRoutes = (api: Api): Route[] => [
  route('GET', `${PROJECT}/timeline`, {
    anyServer: true,
    summary: 'What happened in a span of time, counted by lanes; one by one where it is little',
    query: overviewQuery,
    success: { code: 200, schema: overview },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => {
      await known(api, project_id);
      return json(await api.timeReader.overview(project_id, { buckets: BUCKETS, single: SINGLE, ...query }));
    },
  }),
  route('GET', `${PROJECT}/timeline/entries`, {
    anyServer: true,
    summary: 'What happened, entry by entry, with the names of that time; pages by `offset` and `limit`',
    query: entriesQuery,
    success: { code: 200, schema: entriesPage },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => {
      await known(api, project_id);
      return json(await api.timeReader.entries(project_id, { order: 'asc', offset: 0, limit: PAGE, ...query }));
    },
  }),
  route('GET', `${PROJECT}/timeline/objects`, {
    anyServer: true,
    summary: 'Nodes, links, drawings and snapshots that anything happened to, deleted ones as well, the newest first',
    query: objectsQuery,
    success: { code: 200, schema: z.array(namedObject) },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => {
      await known(api, project_id);
      return json(await api.timeReader.objects(project_id, query.limit ?? OBJECTS));
    },
  }),
];
