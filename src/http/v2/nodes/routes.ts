import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { withoutNulls } from '../../../actors/node/fields.ts';
import { checkPrecondition } from '../../../actors/runtime/precondition.ts';
import type { NodeChanges, NodeInput } from '../../../actors/commands.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { NodeRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { badField } from '../../server/parameters.ts';
import { readRoute } from '../../routing/reading.ts';
import { done, jsonList, recordList, type Payload, recordText, type Route, route } from '../../routing/route.ts';
import { anyObject, omit } from '../schema.ts';
import { linkRecord } from '../links/schema.ts';
import { nodeCreate, nodeDuplicate, nodeRecord, nodeUpdate } from './schema.ts';
import { validate } from '../../server/validate.ts';

const LIST = '/v2/projects/{project_id}/nodes';
export const NODE = `${LIST}/{node_id}` as const;

export const nodeRoutes = (api: Api): Route[] => [...collection(api), ...reads(api), ...writes(api)];

const collection = (api: Api): Route[] => [
  readRoute(api, LIST, {
    summary: 'Nodes of a project',
    success: { code: 200, schema: z.array(nodeRecord) },
    errors: [400, 404],
    read: ({ records, find }, { project_id }) => {
      find.project(project_id);
      return recordList(records.ofProject('node', project_id), api.json.node);
    },
  }),
  route('POST', LIST, {
    summary: 'Create a node; a taken name gets a number',
    body: nodeCreate(api.kindNames),
    success: { code: 201, schema: nodeRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) => {
      const input = nodeInput(api, body);
      return answer(api, await api.commands.createNode(caller, params.project_id, input, 'make_unique'));
    },
  }),
];

const reads = (api: Api): Route[] => [
  readRoute(api, NODE, {
    summary: 'Read a node',
    success: { code: 200, schema: nodeRecord },
    errors: [400, 404],
    read: ({ find }, { project_id, node_id }) => answer(api, find.node(project_id, node_id)),
  }),
  readRoute(api, `${NODE}/links`, {
    summary: 'Links of a node',
    success: { code: 200, schema: z.array(linkRecord) },
    errors: [400, 404],
    read: ({ records, find }, { project_id, node_id }) => {
      find.node(project_id, node_id);
      return jsonList(records.linksOf(node_id), api.json.link);
    },
  }),
];

const writes = (api: Api): Route[] => [
  route('PUT', NODE, {
    summary: 'Change a node; fields not sent keep their value',
    body: nodeUpdate,
    success: { code: 200, schema: nodeRecord },
    errors: [400, 403, 404, 409, 412],
    handler: async ({ caller, params, body }) => {
      const record = api.find.node(params.project_id, params.node_id);
      const changes = nodeChanges(api, record, body);
      const unchanged = Object.keys(changes).length === 0;
      const after = unchanged
        ? checkPrecondition(caller, record.name, record)
        : await api.commands.updateNode(caller, params, changes, 'make_unique');
      return answer(api, after);
    },
  }),
  route('DELETE', NODE, {
    summary: 'Delete a node with its links and files',
    body: anyObject,
    errors: [400, 403, 404, 409, 412],
    handler: ({ caller, params }) => done(api.commands.deleteNode(caller, params)),
  }),
  route('POST', `${NODE}/duplicate`, {
    summary: 'Copy a node to another place',
    body: nodeDuplicate,
    success: { code: 201, schema: nodeRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) => answer(api, await api.commands.duplicateNode(caller, params, body)),
  }),
];

const answer = (api: Api, record: NodeRecord): Payload => recordText(api.json.node(record), record);

/** What a create of a node asks for. Throws what names the field that is wrong. */
export const nodeInput = (
  api: Api,
  { node_type, ...given }: z.output<ReturnType<typeof nodeCreate>>,
  prefix: PropertyKey[] = [],
): NodeInput => {
  const kind = api.kindNames.kind(node_type);
  if (!kind) throw badField('node_type', `must be one of ${api.kindNames.accepted.join(', ')}`);
  return { ...given, kind: kind.name, ...properties(kind, given.properties, prefix) };
};

/** What an update of a node changes. */
export const nodeChanges = (
  api: Api,
  record: NodeRecord,
  body: z.output<typeof nodeUpdate>,
  prefix: PropertyKey[] = [],
): NodeChanges => ({
  ...asStored(record, body),
  ...properties(api.kindNames.kind(record.kind), ownProperties(api, record, body.properties), prefix),
});

type Bag = Record<string, unknown>;

const properties = (kind: Kind | undefined, given: Bag | undefined, prefix: PropertyKey[]): { properties?: Bag } => {
  if (given === undefined) return {};
  if (kind === undefined) return { properties: given };
  return { properties: validate(kind.properties, withoutNulls(kind, given), [...prefix, 'properties']) };
};

/** Answers say `none` for a node without a console; sent back it is no change, as is the compute that it is at. */
const asStored = <B extends { console_type?: string | null; compute_id?: string }>(record: NodeRecord, body: B): B =>
  omit(body, [
    ...(body.console_type === 'none' && record.console_type === null ? ['console_type'] : []),
    ...(body.compute_id === record.compute_id ? ['compute_id'] : []),
  ]) as B;

/** What answers add to the properties. */
const ADDED = new Set(['failure', 'warnings', 'unreachable']);

/**
 * Properties that are news. What is stored already need not be checked again: it may come from a project file with keys
 * that we only keep. What answers add is no property, unless the client set it to something else.
 */
const ownProperties = (api: Api, record: NodeRecord, given: Bag | undefined): Bag | undefined => {
  const instead = api.kindNames.kind(record.kind)?.standIn?.properties(record.properties) ?? {};
  return (
    given &&
    Object.fromEntries(
      Object.entries(given).filter(([key, value]) => {
        if (Object.hasOwn(record.properties, key)) return !isDeepStrictEqual(value, record.properties[key]);
        if (Object.hasOwn(instead, key)) return !isDeepStrictEqual(value, instead[key]);
        return !(ADDED.has(key) || (key === 'engine' && value === record.engine));
      }),
    )
  );
};
