import { z } from 'zod';
import type { Api } from '../../api.ts';
import { debugText } from './debug-text.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { computeStatistics } from '../computes/schema.ts';

/** The server as a whole. */
export const serviceRoutes = (api: Api): Route[] => [
  route({
    method: 'GET',
    path: '/v2/statistics',
    group: 'controller',
    summary: 'How busy each compute is',
    success: { code: 200, schema: z.array(computeStatistics) },
    errors: [],
    handler: async () =>
      json([{ compute_id: api.computeId, compute_name: api.computeId, statistics: await api.host.statistics() }]),
  }),
  route({
    method: 'POST',
    path: '/v2/reload',
    group: 'controller',
    summary: 'Open every project that is to be open; settings are those of the start',
    body: anyObject,
    success: { code: 200, description: 'Done' },
    errors: [400],
    handler: async () => {
      await api.control.reload();
      return null;
    },
  }),
  route({
    method: 'POST',
    path: '/v2/shutdown',
    group: 'controller',
    summary: 'End the server cleanly, as a signal does',
    localOnly: true,
    body: anyObject,
    success: { code: 201, description: 'It ends after this answer' },
    errors: [400, 403],
    handler: () => {
      api.control.shutdown();
      return null;
    },
  }),
  route({
    method: 'POST',
    path: '/v2/debug',
    group: 'controller',
    summary: 'Write a text for those who look for a fault into debug/ of the data directory',
    localOnly: true,
    body: anyObject,
    success: { code: 201, description: 'It is written' },
    errors: [400, 403],
    handler: async () => {
      await api.control.writeDebug(await debugText(api));
      return null;
    },
  }),
];
