import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { whyAnswer, whyQuery } from './why-schema.ts';

/** Follows a packet through the lab as the server knows it, now or at a moment of the past; sends none. */
export const whyRoutes = (api: Api): Route[] => [
  route('GET', '/v2/projects/{project_id}/why', {
    anyServer: true,
    summary: 'Why a node does not reach another: where the packet ends, and the event that made it so',
    query: whyQuery,
    success: { code: 200, schema: whyAnswer },
    errors: [400, 404],
    handler: async ({ params: { project_id }, query }) => json(await api.why(project_id, query)),
  }),
];
