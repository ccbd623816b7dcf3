import { z } from 'zod';
import { TopologError } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { debugText } from './debug-text.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import type { ComputeRecord } from '../../../projections/records.ts';
import { computeStatistics, statistics } from '../computes/schema.ts';

/** The server as a whole. */
export const serviceRoutes = (api: Api): Route[] => [
  route('GET', '/v2/statistics', {
    summary: 'How busy each compute is',
    success: { code: 200, schema: z.array(computeStatistics) },
    handler: async () => {
      const others = Promise.all(api.records.ofServer('compute').map((record) => statisticsOf(api, record)));
      const own = { compute_id: api.computeId, compute_name: api.computeId, statistics: await api.host.statistics() };
      return json([own, ...(await others).filter((found) => found !== null)]);
    },
  }),
  route('POST', '/v2/reload', {
    summary: 'Open every project that is to be open; settings are those of the start',
    body: anyObject,
    success: { code: 200, description: 'Done' },
    errors: [400],
    handler: () => done(api.control.reload()),
  }),
  route('POST', '/v2/handover', {
    group: 'server',
    summary: 'Let another server of the cell write; answered when this one does not any more',
    errors: [403, 409],
    localOnly: true,
    handler: () => done(api.control.handOver()),
  }),
  route('POST', '/v2/shutdown', {
    anyServer: true,
    summary: 'End the server cleanly, as a signal does',
    localOnly: true,
    body: anyObject,
    success: { code: 201, description: 'It ends after this answer' },
    errors: [400, 403],
    handler: ({ caller: { by } }) => {
      const from = by.address === null ? '' : ` at ${by.address}`;
      api.control.shutdown(`${by.principal}${from}, by POST /v2/shutdown,`);
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

/** One that has not answered by then is left out. Milliseconds. */
const ANSWER_MS = 2_000;

/** What computes say beyond this is not shown. */
const told = z.object(statistics.shape);

/** null: it is away, or is too slow. */
const statisticsOf = async (
  { computes }: Api,
  { compute_id, name }: ComputeRecord,
): Promise<z.output<typeof computeStatistics> | null> => {
  const compute = computes.find(compute_id)?.compute;
  if (compute === undefined || compute.problem !== null) return null;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const found = told.safeParse(await compute.client.request('GET', '/statistics', { signal }));
    return found.success ? { compute_id, compute_name: name, statistics: found.data } : null;
  } catch (error) {
    if (error instanceof TopologError) return null;
    throw error;
  }
};
