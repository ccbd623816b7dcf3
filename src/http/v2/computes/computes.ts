import { z } from 'zod';
import type { ComputeChanges } from '../../../actors/commands.ts';
import { AUTO } from '../../../actors/compute/placing.ts';
import { MOST_ITEMS } from '../../../common/bounds.ts';
import { conflict } from '../../../common/errors.ts';
import type { Kind, NodeOperation } from '../../../emulators/kit/contract.ts';
import { line, name, uuid, word } from '../../../model/types.ts';
import type { Api } from '../../api.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { validate } from '../../server/validate.ts';
import { callOf, successOf } from '../compute/kinds.ts';
import { engine, enginesHere, portsInUse, portsOf } from '../compute/machine.ts';
import { anyObject, filledLine } from '../schema.ts';
import {
  checkWhere,
  computeNow,
  computeRecord,
  enginesAt,
  farCompute,
  farRecord,
  localCompute,
} from './compute-record.ts';
import { operateAlone, operateAloneElsewhere } from './operate-alone.ts';

const computeFields = {
  protocol: z.enum(['http', 'https']),
  host: filledLine,
  port: z.int().min(1).max(65535),
};
const optionalFields = {
  compute_id: name.nullable().exactOptional(),
  name: word.nullable().exactOptional(),
  user: word.nullable().exactOptional(),
  password: line.nullable().exactOptional(),
  certificate: z.string().max(65_536).nullable().exactOptional().meta({ description: 'PEM; it alone is trusted' }),
  take: z.boolean().exactOptional().meta({ description: 'Take it from the controller that has it' }),
};
const computeCreate = z.strictObject({ ...computeFields, ...optionalFields });
export const computeUpdate = z.strictObject({
  protocol: computeFields.protocol.exactOptional(),
  host: computeFields.host.exactOptional(),
  port: computeFields.port.exactOptional(),
  ...optionalFields,
});
export type ComputeWish = z.output<typeof computeUpdate>;

const endpoint = z.strictObject({ endpoint: z.string() });
const restart = z
  .boolean()
  .exactOptional()
  .meta({ description: 'Those that run are stopped, moved and started there; absent: they stay' });
const to = name.meta({ description: 'A compute_id; auto: the best one for each node' });
const moveWish = { to: to.exactOptional(), restart };
const moveNodes = z.strictObject({
  to,
  nodes: z.array(uuid).min(1).max(MOST_ITEMS).exactOptional().meta({ description: 'Absent: all of the project' }),
  restart,
});
const movedNode = { project_id: z.string(), node_id: z.string(), name: z.string() };
export const moved = z.strictObject({
  moved: z
    .array(z.strictObject({ ...movedNode, compute_id: z.string(), reason: z.string(), started: z.boolean() }))
    .meta({ description: 'Those that were there already are in neither list' }),
  left: z.array(z.strictObject({ ...movedNode, reason: z.string() })),
});

/** Nodes that are put on other computes. */
const movingRoutes = (api: Api): Route[] => [
  route('POST', '/v2/computes/{compute_id}/drain', {
    summary: 'Put every node of a compute on others, one after another; those that run stay unless restart is true',
    body: z.strictObject(moveWish),
    success: { code: 200, schema: moved },
    errors: [400, 404, 409],
    handler: async ({ caller, params: { compute_id: id }, body: { to = AUTO, ...wish } }) => {
      if (id !== api.computeId) farRecord(api, id);
      checkWhere(api, 'to', to);
      return json(await api.commands.drainCompute(caller, id, { to, ...wish }));
    },
  }),
  route('POST', '/v2/projects/{project_id}/nodes/move', {
    summary: 'Put nodes of a project on another compute, one after another; those that run stay unless restart is true',
    body: moveNodes,
    success: { code: 200, schema: moved },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params: { project_id }, body: { to, nodes, ...wish } }) => {
      for (const node of nodes ?? []) api.find.node(project_id, node);
      checkWhere(api, 'to', to);
      return json(await api.commands.moveNodes(caller, project_id, nodes ?? null, { to, ...wish }));
    },
  }),
];

const ONE = '/v2/computes/{compute_id}';

/** Computes of the controller group: this server, and those that were added. */
export const computeRoutes = (api: Api): Route[] => [
  ...reads(api),
  ...writes(api),
  ...movingRoutes(api),
  ...services(api),
];

const local = async (api: Api) => localCompute(api, await api.host.statistics());

const reads = (api: Api): Route[] => [
  route('GET', '/v2/computes', {
    summary: 'The computes: this server, and those that were added',
    success: { code: 200, schema: z.array(computeRecord) },
    handler: async () =>
      json([await local(api), ...api.records.ofServer('compute').map((record) => computeNow(api, record))]),
  }),
  route('GET', ONE, {
    summary: 'Read a compute',
    success: { code: 200, schema: computeRecord },
    errors: [404],
    handler: async ({ params: { compute_id: id } }) =>
      json(id === api.computeId ? await local(api) : computeNow(api, farRecord(api, id))),
  }),
];

const writes = (api: Api): Route[] => [
  route('POST', '/v2/computes', {
    summary: 'Add a compute: another Topolog, or a GNS3 2.2 server; this server answers with itself',
    body: computeCreate,
    success: { code: 201, schema: computeRecord },
    errors: [400, 409],
    handler: async ({ caller, body }) =>
      json(
        body.compute_id === api.computeId || isHere(api, body)
          ? await local(api)
          : computeNow(api, await api.commands.addCompute(caller, body)),
      ),
  }),
  route('PUT', ONE, {
    summary: 'Change a compute; of this server itself what it is already may be sent, nothing else',
    body: computeUpdate,
    success: { code: 200, schema: computeRecord },
    errors: [400, 404, 409],
    handler: async ({ caller, params: { compute_id: id }, body }) => {
      if (id !== api.computeId) {
        farRecord(api, id);
        return json(computeNow(api, await api.commands.updateCompute(caller, id, changesOf(body))));
      }
      const now: ComputeWish = { ...(await local(api)), protocol: 'http', password: null };
      const given = Object.entries(body) as [keyof ComputeWish, unknown][];
      const changed = given.find(([key, value]) => value !== null && value !== now[key] && !isSame(api, key, value));
      if (changed) throw conflict(`${changed[0]} of this server is set when it is started`, { field: changed[0] });
      return json(await local(api));
    },
  }),
  route('DELETE', ONE, {
    summary:
      'Remove a compute: what runs there is stopped; one that is not there is removed already, this server stays',
    body: anyObject,
    errors: [400, 409],
    handler: ({ caller, params }) => done(api.commands.removeCompute(caller, params.compute_id)),
  }),
  route('POST', `${ONE}/connect`, {
    summary: 'Connect to a compute now; 409 with the reason where that cannot be',
    body: anyObject,
    success: { code: 200, schema: computeRecord },
    errors: [400, 404, 409],
    handler: async ({ caller, params: { compute_id: id } }) => {
      if (id === api.computeId) return json(await local(api));
      farRecord(api, id);
      return json(computeNow(api, await api.commands.connectCompute(caller, id)));
    },
  }),
];

/** `null` of existing tools leaves a field as it is; only a user can be taken away. */
const changesOf = ({
  compute_id: _,
  protocol,
  host,
  port,
  name,
  certificate,
  ...rest
}: ComputeWish): ComputeChanges => ({
  ...rest,
  ...(protocol === undefined ? {} : { protocol }),
  ...(host === undefined ? {} : { host }),
  ...(port === undefined ? {} : { port }),
  ...(name == null ? {} : { name }),
  ...(certificate == null ? {} : { certificate }),
});

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
    handler: ({ params: { compute_id: id, emulator, action } }) => {
      const { protocol, host, port } =
        id === api.computeId ? { protocol: 'http', ...api.address() } : farRecord(api, id);
      const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
      return json({ endpoint: `${protocol}://${authority}/v2/compute/${emulator}/${action}` });
    },
  }),
  route('GET', `${ONE}/ports`, {
    summary: 'Ports of a compute that consoles and NIOs may take, and those that they have',
    success: { code: 200, schema: portsInUse },
    errors: [404, 409],
    handler: async ({ params: { compute_id: id }, signal }) =>
      json(
        id === api.computeId
          ? portsOf(api)
          : await farCompute(api, id).client.request('GET', '/network/ports', { signal }),
      ),
  }),
  route('GET', `${ONE}/engines`, {
    summary: 'What a compute can run: every engine of every kind; none of a GNS3 server, which does not say',
    success: { code: 200, schema: z.array(engine) },
    errors: [404, 409],
    handler: async ({ params: { compute_id: id } }) =>
      json(id === api.computeId ? await enginesHere(api) : enginesAt(api, id)),
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
      handler: async ({ params: { compute_id: computeId }, caller, body: wish, signal }) => {
        const call = callOf(operation, {}, signal);
        const properties = validate(kind.properties, wish);
        return json(
          computeId === api.computeId
            ? await operateAlone(api, caller, { name, kind: kind.name, properties }, call)
            : await operateAloneElsewhere(api, { computeId, kind, node: { name, ...wish }, call }),
        );
      },
    }),
  ];
};
