import { z } from 'zod';
import { conflict, notFound } from '../../../common/errors.ts';
import type { Kind, NodeOperation } from '../../../actors/kinds.ts';
import type { Api } from '../../api.ts';
import { portsOf } from './ports-in-use.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { validate } from '../../server/validate.ts';
import { callOf, successOf } from '../compute/kind-operations.ts';
import { anyObject } from '../schema.ts';
import { computeCreate, computeUpdate, type ComputeWish, endpoint, portsInUse } from './schema.ts';
import { computeRecord } from '../server/schema.ts';
import { operateAlone } from './operate-alone.ts';
import { localCompute } from './json.ts';

const ONE = '/v2/computes/{compute_id}';

/** Computes of the controller group: this server is the only one, and stays it. */
export const computeRoutes = (api: Api): Route[] => [...reads(api), ...writes(api), ...services(api)];

const local = async (api: Api) => localCompute(api, await api.host.statistics());

const check = (api: Api, id: string): void => {
  if (id !== api.computeId) throw notFound('Compute', id);
};

const reads = (api: Api): Route[] => [
  route('GET', '/v2/computes', {
    summary: 'The computes: this server is the only one',
    success: { code: 200, schema: z.array(computeRecord) },
    handler: async () => json([await local(api)]),
  }),
  route('GET', ONE, {
    summary: 'Read a compute',
    success: { code: 200, schema: computeRecord },
    errors: [404],
    handler: async ({ params }) => {
      check(api, params.compute_id);
      return json(await local(api));
    },
  }),
];

const writes = (api: Api): Route[] => [
  route('POST', '/v2/computes', {
    summary: 'Name a compute: this server answers with itself, others cannot be added',
    body: computeCreate,
    success: { code: 201, schema: computeRecord },
    errors: [400, 409],
    handler: async ({ body }) => {
      if (body.compute_id !== api.computeId && !isHere(api, body))
        throw conflict('this server runs every node itself: other computes cannot be added', { field: 'host' });
      return json(await local(api));
    },
  }),
  route('PUT', ONE, {
    summary: 'Change a compute: what this server is already may be sent, nothing else',
    body: computeUpdate,
    success: { code: 200, schema: computeRecord },
    errors: [400, 404, 409],
    handler: async ({ params, body }) => {
      check(api, params.compute_id);
      const now: ComputeWish = { ...(await local(api)), protocol: 'http', password: null };
      const given = Object.entries(body) as [keyof ComputeWish, unknown][];
      const changed = given.find(([key, value]) => value !== null && value !== now[key] && !isSame(api, key, value));
      if (changed) throw conflict(`${changed[0]} of this server is set when it is started`, { field: changed[0] });
      return json(await local(api));
    },
  }),
  route('DELETE', ONE, {
    summary: 'Remove a compute: one that is not there is removed already, this server stays',
    body: anyObject,
    errors: [400, 409],
    handler: ({ params }) => {
      if (params.compute_id === api.computeId) throw conflict('this server itself cannot be removed');
      return null;
    },
  }),
];

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

const isHere = (api: Api, { host, port }: ComputeWish): boolean =>
  port === api.address().port && host !== undefined && isSame(api, 'host', host);

/** A loopback address by another name. */
const isSame = (api: Api, key: keyof ComputeWish, value: unknown): boolean => {
  const { host } = api.address();
  return key === 'host' && (value === host || (LOOPBACK.test(String(value)) && /^(?:127\.|0\.0\.0\.0|::)/.test(host)));
};

const services = (api: Api): Route[] => [
  route('GET', '/v2/computes/endpoint/{compute_id}/{emulator}/{action}', {
    summary: 'Where a compute itself is asked',
    success: { code: 200, schema: endpoint },
    errors: [404],
    handler: ({ params: { compute_id, emulator, action } }) => {
      check(api, compute_id);
      const { host, port } = api.address();
      const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
      return json({ endpoint: `http://${authority}/v2/compute/${emulator}/${action}` });
    },
  }),
  route('GET', `${ONE}/ports`, {
    summary: 'Ports of a compute that consoles and NIOs may take, and those that they have',
    success: { code: 200, schema: portsInUse },
    errors: [404],
    handler: ({ params }) => {
      check(api, params.compute_id);
      return json(portsOf(api));
    },
  }),
  ...api.kinds.all().flatMap((kind) => (kind.nodeOperations ?? []).flatMap((operation) => alone(api, kind, operation))),
];

/** Done at a node that is there for it only. */
const alone = (api: Api, kind: Kind, operation: NodeOperation): Route[] => {
  if (operation.alone === undefined) return [];
  const { path, summary, body, name } = operation.alone;
  return [
    route('POST', `${ONE}/${path}` as const, {
      summary,
      body,
      success: successOf(operation),
      errors: [400, 404, 408, 409],
      handler: async ({ params, caller, body: wish, signal }) => {
        check(api, params.compute_id);
        const node = { name, kind: kind.name, properties: validate(kind.properties, wish) };
        return json(await operateAlone(api, caller, node, callOf(operation, {}, signal)));
      },
    }),
  ];
};
