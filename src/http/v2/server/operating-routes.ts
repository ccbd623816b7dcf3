import { z } from 'zod';
import { TopologError } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { CONTENT_TYPE, exposition } from '../../metrics/exposition.ts';
import { families } from '../../metrics/families.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { role } from './schema.ts';

const readyQuery = z.object({ role: role.exactOptional() });
const ready = z.strictObject({ ready: z.literal(true), role });

/** For those who run the server: what load balancers and monitoring ask. */
export const operatingRoutes = (api: Api): Route[] => [
  route('GET', '/v2/ready', {
    anyServer: true,
    group: 'server',
    summary: 'Whether a load balancer may send requests here, or those for a server of this role only; for everybody',
    isPublic: true,
    query: readyQuery,
    success: { code: 200, schema: ready },
    errors: [400, 503],
    handler: ({ query }) => {
      const { role, refuses } = api.standing();
      const reason = refuses ?? (role === (query.role ?? role) ? null : `this server is the ${role} of its cell`);
      if (reason !== null) throw new TopologError('not_ready', { reason, ready: false, role, retry_after: 1 });
      return json({ ready: true, role });
    },
  }),
  route('GET', '/metrics', {
    anyServer: true,
    group: 'server',
    summary: 'Figures of the server in the text format of Prometheus (docs/reference/metrics.md)',
    success: { code: 200, type: 'text/plain', description: 'The figures' },
    handler: async () => ({ text: await exposition(await families(api)), type: CONTENT_TYPE }),
  }),
];
