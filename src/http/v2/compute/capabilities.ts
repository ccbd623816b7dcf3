import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { capabilities } from '../server/schema.ts';

export const capabilityRoutes = (api: Api): Route[] => [
  route('GET', '/v2/compute/capabilities', {
    summary: 'What this machine can run: every engine of every kind, and what a missing one needs',
    success: { code: 200, schema: capabilities },
    handler: async () => {
      // A controller that knows the existing server breaks on a key that it does not know.
      const found = api.asExisting ? null : await api.engines();
      const engines = found?.map(({ kind, ...engine }) => ({ node_type: api.kindNames.emit(kind), ...engine }));
      return json({
        version: api.shownVersion,
        platform: process.platform,
        node_types: api.kinds.all().map((kind) => api.kindNames.emit(kind.name)),
        ...(engines === undefined ? {} : { engines }),
      });
    },
  }),
];
