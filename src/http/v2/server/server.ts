import { z } from 'zod';
import { conflict, TopologError } from '../../../common/errors.ts';
import type { ComputeRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { CONTENT_TYPE, exposition, families } from '../../metrics/exposition.ts';
import { done, json, type Payload, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { debugText } from './debug-text.ts';
import { statistics } from '../compute/machine.ts';
import { line } from '../../../model/types.ts';

export const computeStatistics = z.strictObject({
  compute_id: z.string(),
  compute_name: z.string(),
  statistics,
});

export const versionRecord = z.strictObject({ version: z.string(), local: z.boolean() });
const versionCheck = z.strictObject({ version: line, local: z.boolean().exactOptional() });
const role = z.enum(['writer', 'standby']).meta({
  description: 'What the server is in its cell; with a log of its own it is the writer',
});
export const health = z.looseObject({
  status: z.enum(['ok', 'read_only', 'damaged']),
  role,
  version: z.string(),
  read_only: z
    .looseObject({
      reason: z.string(),
      remedy: z.string(),
      heals: z.boolean().meta({ description: 'It writes by itself once that is possible' }),
      damage: z.looseObject({
        missing: z.array(z.strictObject({ first: z.int(), last: z.int() })),
        projects: z.array(z.string()),
        records: z.array(z.strictObject({ collection: z.string(), id: z.string() })),
      }),
    })
    .exactOptional()
    .meta({ description: 'Only of a server that only reads: positions, projects and records that are damaged' }),
  log: z.looseObject({
    position: z.int(),
    writable: z.boolean(),
    reason: z.string().nullable(),
    damage: z
      .array(z.looseObject({ position: z.int().nullable(), where: z.string(), message: z.string() }))
      .meta({ description: 'What reads have found damaged since the start' }),
  }),
  cell: z
    .looseObject({
      name: z.string(),
      place: z.string().meta({ description: 'Of the log' }),
      survived: z.string().meta({ description: 'What an answered write has survived, as the database is set now' }),
      problem: z
        .string()
        .nullable()
        .meta({ description: 'Why nobody writes, or nothing is answered, where that is known' }),
      owner: z.string().meta({ description: 'This server among the others' }),
      behind: z.int().meta({ description: 'Events that this server does not know yet' }),
      epoch: z.int().nullable(),
      writer: z.looseObject({ owner: z.string(), url: z.string(), lease_ms: z.int() }).nullable(),
      standbys: z.array(z.looseObject({ owner: z.string(), url: z.string(), position: z.int(), behind: z.int() })),
    })
    .exactOptional()
    .meta({ description: 'Only of a server that shares its log with others' }),
  fabric: z
    .looseObject({
      state: z.enum(['ok', 'hung', 'replacing', 'unused']).meta({ description: 'unused: this server only reads' }),
      pid: z.int(),
      answered_ms: z.int().meta({ description: 'Milliseconds since it answered a heartbeat' }),
      sockets: z.string().meta({ description: 'By which means it reaches UDP' }),
    })
    .meta({ description: 'The process that moves frames and consoles' }),
  public_key: z.string().meta({ description: 'With which exported sessions are signed' }),
});

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

/** Milliseconds after which a compute that has not answered is left out. */
const ANSWER_MS = 2_000;

/** Statistics of a compute without keys that this version does not know. */
const knownStatistics = z.object(statistics.shape);

/** Statistics of a compute; null: it is away, or is too slow. */
const statisticsOf = async (
  { computes }: Api,
  { compute_id, name }: ComputeRecord,
): Promise<z.output<typeof computeStatistics> | null> => {
  const compute = computes.find(compute_id)?.compute;
  if (compute === undefined || compute.problem !== null) return null;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const found = knownStatistics.safeParse(await compute.client.request('GET', '/statistics', { signal }));
    return found.success ? { compute_id, compute_name: name, statistics: found.data } : null;
  } catch (error) {
    if (error instanceof TopologError) return null;
    throw error;
  }
};

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

/** `document`: the OpenAPI document, made when it is first asked for. */
export const serverRoutes = (api: Api, document: () => Payload): Route[] => [
  version(api, '/v2/version'),
  version(api, '/v2/compute/version'),
  route('POST', '/v2/version', {
    anyServer: true,
    summary: 'Check that a client expects this very version',
    body: versionCheck,
    success: { code: 200, schema: versionRecord },
    errors: [400, 409],
    handler: ({ body }) => {
      if (body.version !== api.shownVersion)
        throw conflict(`The client expects version ${body.version.slice(0, 64)}, this server is ${api.shownVersion}`);
      return json({ version: api.shownVersion, local: api.local });
    },
  }),
  route('GET', '/v2/health', {
    anyServer: true,
    group: 'server',
    summary: 'How the server is',
    success: { code: 200, schema: health },
    handler: () => json(api.health()),
  }),
  route('GET', '/v2/openapi.json', {
    anyServer: true,
    group: 'server',
    summary: 'This interface as an OpenAPI 3.1 document',
    success: { code: 200, schema: z.looseObject({ openapi: z.string() }) },
    handler: document,
  }),
];

const version = (api: Api, path: string): Route => {
  const answer = json({ version: api.shownVersion, local: api.local });
  return route('GET', path, {
    anyServer: true,
    summary: 'Version of the server, and whether it is the local one',
    success: { code: 200, schema: versionRecord },
    handler: () => answer,
  });
};
