import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { NodeChanges, NodeInput } from '../../../actors/commands.ts';
import { customAdapters, portsOf } from '../../../actors/kinds.ts';
import { withoutNulls } from '../../../actors/node/fields.ts';
import { checkPrecondition } from '../../../actors/runtime/precondition.ts';
import { withTexts } from '../../../common/forms/property-text.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { Kinds } from '../../../emulators/registry.ts';
import { answerShape, requestShape } from '../../../model/derive.ts';
import { NODE } from '../../../model/node.ts';
import { line, name, uuid, word } from '../../../model/types.ts';
import type { NodeRecord } from '../../../projections/records.ts';
import { shownStatus } from '../../../projections/states.ts';
import type { Api } from '../../api.ts';
import type { KindNames } from '../../kind-names.ts';
import { readRoute } from '../../routing/read-route.ts';
import { done, type Payload, recordList, recordText, type Route, route, taggedList } from '../../routing/route.ts';
import { badField } from '../../server/parameters.ts';
import { isObject } from '../../server/request-body.ts';
import { validate } from '../../server/validate.ts';
import { linkRecord } from '../links/schema.ts';
import { anyObject, type Body, dropNulls, input, label, labelRecord, omit, once, tcpPort } from '../schema.ts';
import { NODE_TEXTS } from '../texts.ts';

const consoleType = z.enum(['vnc', 'telnet', 'http', 'https', 'spice', 'spice+agent', 'none']);

const told = <S extends z.ZodRawShape>(shape: S): S => withTexts(shape, NODE_TEXTS);

/** A node that runs cannot take a change. */
const NEEDS_STOP = { 'x-needs-stop': true };

/** Fields that are given at creation and can be changed afterwards. */
const changes = told({
  console: tcpPort.nullable().exactOptional().meta(NEEDS_STOP),
  console_type: consoleType.nullable().exactOptional().meta(NEEDS_STOP),
  /** Checked by the kind's own schema. */
  properties: z.record(z.string(), z.unknown()).exactOptional(),
  label: label.exactOptional(),
  symbol: line.nullable().exactOptional(),
  ...requestShape(NODE, NODE_TEXTS),
  port_name_format: word.exactOptional(),
  port_segment_size: z.int().nonnegative().exactOptional(),
  first_port_name: word.nullable().exactOptional(),
  custom_adapters: customAdapters.exactOptional(),
});
const READ_ONLY = [
  'project_id',
  'status',
  'ports',
  'width',
  'height',
  'node_directory',
  'command_line',
  'console_host',
] as const;

/** Fields of a node that existing clients also send among its properties. */
const BESIDE = ['console', 'console_type', 'custom_adapters'];

/** With these fields beside the properties, where they are not there already. */
const withBeside = (body: Body): Body => {
  const { properties } = body;
  if (!isObject(properties)) return body;
  const beside = BESIDE.filter((key) => (properties[key] ?? null) !== null);
  if (beside.length === 0) return body;
  const moved = beside.map((key) => [key, body[key] ?? properties[key]]);
  return { ...body, properties: omit(properties, beside), ...(Object.fromEntries(moved) as Body) };
};

export const nodeCreate = once((names: KindNames) =>
  input(
    {
      ...told({ name, node_type: z.enum(names.accepted), compute_id: word.exactOptional() }),
      node_id: uuid.exactOptional(),
      template_id: uuid.nullable().exactOptional(),
      ...changes,
    },
    READ_ONLY,
    { before: (body) => withBeside(dropNulls(body, ['node_id'])), error: misplaced(names) },
  ),
);

/** Settings of a kind that stand beside its properties instead of in them. */
const misplaced =
  (names: KindNames): z.core.$ZodErrorMap =>
  (issue) => {
    if (issue.code !== 'unrecognized_keys') return undefined;
    const { node_type } = issue.input as { node_type?: unknown };
    const shape = typeof node_type === 'string' ? names.kind(node_type)?.properties.shape : undefined;
    const found = issue.keys.filter((key) => shape !== undefined && Object.hasOwn(shape, key));
    return found.length === 0 ? undefined : `; send ${found.map((key) => `properties.${key}`).join(', ')}`;
  };

export const nodeUpdate = input(
  { ...told({ name: name.exactOptional(), compute_id: word.exactOptional() }), ...changes },
  [...READ_ONLY, 'node_id', 'node_type', 'template_id'],
  { before: withBeside },
);

const nodeDuplicate = z.strictObject({ x: z.int(), y: z.int(), z: z.int().exactOptional() });

export const portRecord = z.object({
  name: z.string(),
  short_name: z.string(),
  adapter_number: z.int(),
  port_number: z.int(),
  link_type: z.enum(['ethernet', 'serial']),
  data_link_types: z.record(z.string(), z.string()),
  adapter_type: z.string().optional(),
  mac_address: z.string().optional(),
});

/** Closed: existing clients build objects from it and fail on a key they do not know. */
export const nodeRecord = z.strictObject(
  told({
    compute_id: z.string(),
    project_id: z.string(),
    node_id: z.string(),
    template_id: z.string().nullable(),
    node_type: z.string(),
    node_directory: z.string().nullable(),
    name: z.string(),
    command_line: z.string().nullable(),
    console: z.int().nullable(),
    console_host: z.string(),
    console_type: consoleType,
    properties: z.record(z.string(), z.unknown()),
    status: z.enum(['stopped', 'started', 'suspended']),
    label: labelRecord,
    symbol: z.string().nullable(),
    width: z.number(),
    height: z.number(),
    ...answerShape(NODE),
    port_name_format: z.string(),
    port_segment_size: z.number(),
    first_port_name: z.string().nullable(),
    custom_adapters: z.array(
      z.object({
        adapter_number: z.int(),
        port_name: z.string().optional(),
        adapter_type: z.string().optional(),
        mac_address: z.string().optional(),
      }),
    ),
    ports: z.array(portRecord),
  }),
);

export interface NodeJsonOptions {
  /** Address of this server's consoles. */
  console_host: string;
  /** Hosts of the other computes by compute_id. */
  hosts: ReadonlyMap<string, string>;
  /** This server runs nodes with this compute_id itself. */
  isHere(computeId: string): boolean;
  kinds: Kinds;
  /** Name of a kind as answers carry it. */
  emit(token: string): string;
  /** Answers are for clients of GNS3. */
  gns3Compat: boolean;
}

/** The controller's record. It has no key beyond those of v2, so what we add stands under `properties`. */
export const nodeToJson = (n: NodeRecord, options: NodeJsonOptions) => ({
  compute_id: n.compute_id,
  project_id: n.project_id,
  node_id: n.node_id,
  template_id: n.template_id,
  node_type: options.emit(n.kind),
  node_directory: n.node_directory,
  name: n.name,
  command_line: n.command_line,
  console: n.console,
  console_host: consoleHostOf(n, options),
  // Browser clients call string methods on it.
  console_type: n.console_type ?? 'none',
  console_auto_start: n.console_auto_start,
  properties: {
    ...n.properties,
    ...(options.gns3Compat ? options.kinds.get(n.kind)?.standIn?.properties(n.properties) : {}),
    ...(n.engine === 'simulated' ? { engine: n.engine } : {}),
    ...(n.failure ? { failure: n.failure } : {}),
    ...warningsOf(n, options),
    ...(n.unreachable === undefined || options.gns3Compat ? {} : { unreachable: n.unreachable }),
  },
  status: shownStatus(n.state),
  label: {
    text: n.label.text,
    style: n.label.style ?? null,
    x: n.label.x ?? null,
    y: n.label.y ?? 0,
    rotation: n.label.rotation ?? 0,
  },
  symbol: n.symbol,
  width: n.width,
  height: n.height,
  x: n.x,
  y: n.y,
  z: n.z,
  locked: n.locked,
  port_name_format: n.port_name_format,
  port_segment_size: n.port_segment_size,
  first_port_name: n.first_port_name,
  custom_adapters: n.custom_adapters,
  ports: portsOf(options.kinds, n),
});

/** Labs from elsewhere name computes that are not here. */
const warningsOf = (n: NodeRecord, options: NodeJsonOptions): { warnings?: string[] } => {
  const isKnown = options.hosts.has(n.compute_id) || options.isHere(n.compute_id);
  const absent = isKnown ? [] : [`there is no compute ${n.compute_id}: add it, or put ${n.name} on another one`];
  const warnings = [...(n.warnings ?? []), ...absent];
  return warnings.length === 0 ? {} : { warnings };
};

/** Addresses for all interfaces: programs that say them mean the machine that they are on. */
const ANY = new Set(['0.0.0.0', '::', '[::]']);

const consoleHostOf = ({ compute_id }: NodeRecord, { hosts, console_host }: NodeJsonOptions): string => {
  const host = hosts.get(compute_id);
  if (host === undefined) return console_host;
  return ANY.has(host) ? '127.0.0.1' : host;
};

const LIST = '/v2/projects/{project_id}/nodes';
export const NODE_PATH = `${LIST}/{node_id}` as const;

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
  readRoute(api, NODE_PATH, {
    summary: 'Read a node',
    success: { code: 200, schema: nodeRecord },
    errors: [400, 404],
    read: ({ find }, { project_id, node_id }) => answer(api, find.node(project_id, node_id)),
  }),
  readRoute(api, `${NODE_PATH}/links`, {
    summary: 'Links of a node',
    success: { code: 200, schema: z.array(linkRecord) },
    errors: [400, 404],
    read: ({ records, find }, { project_id, node_id }) => {
      find.node(project_id, node_id);
      return taggedList(records.linksOf(node_id), api.json.link);
    },
  }),
];

const writes = (api: Api): Route[] => [
  route('PUT', NODE_PATH, {
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
  route('DELETE', NODE_PATH, {
    summary: 'Delete a node with its links and files',
    body: anyObject,
    errors: [400, 403, 404, 409, 412],
    handler: ({ caller, params }) => done(api.commands.deleteNode(caller, params)),
  }),
  route('POST', `${NODE_PATH}/duplicate`, {
    summary: 'Copy a node to another place',
    body: nodeDuplicate,
    success: { code: 201, schema: nodeRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body }) => answer(api, await api.commands.duplicateNode(caller, params, body)),
  }),
];

const answer = (api: Api, record: NodeRecord): Payload => recordText(api.json.node(record), record);

/** Input of a create. Throws `invalid_request` that names the wrong field. */
export const nodeInput = (
  api: Api,
  { node_type, ...given }: z.output<ReturnType<typeof nodeCreate>>,
  prefix: PropertyKey[] = [],
): NodeInput => {
  const kind = api.kindNames.kind(node_type);
  if (!kind) throw badField('node_type', `must be one of ${api.kindNames.accepted.join(', ')}`);
  return { ...given, kind: kind.name, ...properties(kind, given.properties, prefix) };
};

/** Changes of an update; fields that repeat the record are left out. */
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

/** Keys that answers add to the properties. */
const ADDED = new Set(['failure', 'warnings', 'unreachable']);

/**
 * Properties that differ from the record. Stored ones are not checked again, as they may come from a project file with keys that are only
 * kept. Keys that answers add are left out, unless the client has set them to something else.
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
