import type { Api } from '../api.ts';
import { json, type Route, route } from '../route.ts';
import { capabilities } from '../schemas/server.ts';

export const capabilityRoutes = (api: Api): Route[] => [
  route({
    method: 'GET',
    path: '/v2/compute/capabilities',
    group: 'compute',
    summary: 'What this machine can run: every engine of every kind, and what a missing one needs',
    success: { code: 200, schema: capabilities },
    errors: [],
    handler: async () => {
      const found = await api.engines();
      return json({
        version: api.wireVersion,
        platform: process.platform,
        node_types: api.kinds.all().map((kind) => api.kindNames.emit(kind.name)),
        engines: found.map(({ kind, ...engine }) => ({ node_type: api.kindNames.emit(kind), ...engine })),
      });
    },
  }),
];
