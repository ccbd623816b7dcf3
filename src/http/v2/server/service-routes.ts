import { z } from 'zod';
import type { Api } from '../../api.ts';
import { debugText } from './debug-text.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { computeStatistics } from '../computes/schema.ts';

/** The server as a whole. */
export const serviceRoutes = (api: Api): Route[] => [
  route('GET', '/v2/statistics', {
    summary: 'How busy each compute is',
    success: { code: 200, schema: z.array(computeStatistics) },
    handler: async () =>
      json([{ compute_id: api.computeId, compute_name: api.computeId, statistics: await api.host.statistics() }]),
  }),
  route('POST', '/v2/reload', {
    summary: 'Open every project that is to be open; settings are those of the start',
    body: anyObject,
    success: { code: 200, description: 'Done' },
    errors: [400],
    handler: () => done(api.control.reload()),
  }),
  route('POST', '/v2/shutdown', {
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
  route('POST', '/v2/debug', {
    summary: 'Write a text for those who look for a fault into debug/ of the data directory',
    localOnly: true,
    body: anyObject,
    success: { code: 201, description: 'It is written' },
    errors: [400, 403],
    handler: () => done(debugText(api).then((text) => api.control.writeDebug(text))),
  }),
];
