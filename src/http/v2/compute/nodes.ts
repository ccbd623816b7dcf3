import path from 'node:path';
import type { Caller, NamePolicy, NodeAction, NodeChanges, NodeInput } from '../../../actors/commands.ts';
import { withoutEmptyLists } from '../../../actors/node/fields.ts';
import { checkPrecondition } from '../../../actors/runtime/precondition.ts';
import { conflict, TopologError } from '../../../common/errors.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import { UUID, UUID_PROBLEM } from '../../../model/types.ts';
import type { NodeRecord } from '../../../projections/records.ts';
import { shownStatus } from '../../../projections/states.ts';
import type { Api } from '../../api.ts';
import { hasGns3Meaning, servesController } from '../../routing/controller.ts';
import { done, jsonText, recordText, type Route, route, socketRoute } from '../../routing/route.ts';
import { badField } from '../../server/parameters.ts';
import { anyObject } from '../schema.ts';

/** The compute group's record of a node, as its kind shapes it. */
export const computeNodeToJson = (kind: Kind, n: NodeRecord, gns3Compat: boolean): Record<string, unknown> =>
  (gns3Compat ? kind.asExisting : kind).record(kindNode(n));

const kindNode = (n: NodeRecord): Parameters<Kind['record']>[0] => ({
  node_id: n.node_id,
  project_id: n.project_id,
  name: n.name,
  status: shownStatus(n.state),
  console: n.console,
  console_type: n.console_type,
  command_line: n.command_line,
  node_directory: n.node_directory,
  properties: n.properties,
  port_name_format: n.port_name_format,
  port_segment_size: n.port_segment_size,
  first_port_name: n.first_port_name,
  custom_adapters: n.custom_adapters,
});

const nodesPath = (kind: Kind) => `/v2/compute/projects/{project_id}/${kind.name}/nodes` as const;
export const nodePath = (kind: Kind) => `${nodesPath(kind)}/{node_id}` as const;
export const portPath = (kind: Kind) => `${nodePath(kind)}/adapters/{adapter_number}/ports/{port_number}` as const;

/** Routes of one kind, from what the kind says of itself. */
export const computeNodeRoutes = (api: Api, kind: Kind): Route[] => [
  create(api, kind),
  ...single(api, kind),
  ...actions(api, kind),
  ...consoles(api, kind),
];

const create = (api: Api, kind: Kind): Route =>
  route('POST', nodesPath(kind), {
    summary: `Create a ${kind.name} node`,
    body: kind.create,
    success: { code: 201, schema: kind.output },
    errors: [400, 403, 404, 409],
    handler: async (call) => {
      const { caller, params, body } = call;
      const { names, ...identity } = identityOf(kind, body);
      const fromGns3 = hasGns3Meaning(api, call);
      const { properties = {}, ...shared } = changesOf(api, kind, { body, fromGns3 });
      const given = withoutEmptyLists(kind, properties);
      const input: NodeInput = { ...shared, ...identity, kind: kind.name, properties: given };
      const defaults = fromGns3 ? kind.asExisting.defaults(given) : {};
      const place = { caller, projectId: params.project_id, names, defaults };
      const record = servesController(api, call)
        ? await createForController(api, kind, place, input)
        : await api.commands.createNode(caller, params.project_id, input, names);
      return jsonText(api.json.computeNode(kind, record));
    },
  });

const single = (api: Api, kind: Kind): Route[] => [
  route('GET', nodePath(kind), {
    summary: `Read a ${kind.name} node`,
    success: { code: 200, schema: kind.output },
    errors: [400, 404],
    handler: ({ params }) => {
      const record = api.find.node(params.project_id, params.node_id, kind.name);
      return recordText(api.json.computeNode(kind, record), record);
    },
  }),
  route('PUT', nodePath(kind), {
    summary: `Change a ${kind.name} node; fields not sent keep their value`,
    body: kind.update,
    success: { code: 200, schema: kind.output },
    errors: [400, 403, 404, 409, 412],
    handler: async (call) => {
      const { caller, params, body } = call;
      const record = api.find.node(params.project_id, params.node_id, kind.name);
      const changes = changesOf(api, kind, { body, fromGns3: hasGns3Meaning(api, call) });
      const unchanged = Object.keys(changes).length === 0;
      const after = unchanged
        ? checkPrecondition(caller, record.name, record)
        : await api.commands.updateNode(caller, params, changes, 'conflict');
      return recordText(api.json.computeNode(kind, after), after);
    },
  }),
  route('DELETE', nodePath(kind), {
    summary: `Delete a ${kind.name} node with its files`,
    body: anyObject,
    errors: [400, 403, 404, 409, 412],
    handler: async ({ caller, params }) => {
      api.find.node(params.project_id, params.node_id, kind.name);
      return done(api.commands.deleteNode(caller, params));
    },
  }),
];

/** Path segment and what it does. A container is paused where others are suspended: both words work for every kind. */
const actionsOf = (kind: Kind): [string, NodeAction][] => [
  ['start', 'start'],
  ['stop', 'stop'],
  ['suspend', 'suspend'],
  ...(kind.capabilities.reload ? [['reload', 'reload'] satisfies [string, NodeAction]] : []),
  ...(kind.capabilities.suspend
    ? ([
        ['resume', 'resume'],
        ['pause', 'suspend'],
        ['unpause', 'resume'],
      ] satisfies [string, NodeAction][])
    : []),
];

const actions = (api: Api, kind: Kind): Route[] =>
  actionsOf(kind).map(([segment, action]) => {
    const answersRecord = action === 'start' && kind.capabilities.start_answers_record;
    return route('POST', `${nodePath(kind)}/${segment}`, {
      summary: `${segment.charAt(0).toUpperCase()}${segment.slice(1)} a ${kind.name} node`,
      body: action === 'start' ? kind.startBody : anyObject,
      success: answersRecord ? { code: 200, schema: kind.output } : { code: 204 },
      errors: [400, 403, 404, 408, 409],
      handler: async (call) => {
        const { caller, params, body } = call;
        api.find.node(params.project_id, params.node_id, kind.name);
        // Existing controllers send one to every node of a project, and go on to treat it as before.
        if (action === 'suspend' && hasGns3Meaning(api, call) && kind.asExisting.ignoresSuspend) return null;
        const args = action === 'start' ? body : undefined;
        const record = await api.commands.actOnNode(caller, params, action, args);
        return answersRecord ? jsonText(api.json.computeNode(kind, record)) : null;
      },
    });
  });

const consoles = ({ commands, find }: Api, kind: Kind): Route[] => {
  if (!kind.capabilities.console_types.some((type) => type !== 'none')) return [];
  return [
    socketRoute(`${nodePath(kind)}/console/ws`, {
      summary: `Console of a ${kind.name} node: raw bytes in binary frames, both ways`,
      success: { code: 101, description: 'A WebSocket' },
      errors: [400, 403, 404, 409],
      socket: ({ params }) => {
        find.node(params.project_id, params.node_id, kind.name);
        return commands.openConsole(params);
      },
    }),
    route('POST', `${nodePath(kind)}/console/reset`, {
      summary: `Reset the console of a ${kind.name} node`,
      body: anyObject,
      errors: [400, 403, 404, 409],
      handler: async ({ caller, params }) => {
        find.node(params.project_id, params.node_id, kind.name);
        return done(commands.resetConsole(caller, params));
      },
    }),
  ];
};

/** Fields of a compute body that every kind shares; its other fields are properties or read only. */
const SHARED = ['name', 'console', 'console_type', 'console_auto_start', 'custom_adapters'] as const;

/** The kind's schema has checked the body, so its shared fields have the types of `NodeChanges`. */
const changesOf = (
  { local }: Api,
  kind: Kind,
  { body, fromGns3 }: { body: Record<string, unknown>; fromGns3: boolean },
): NodeChanges => {
  const isGiven = (key: string): boolean => body[key] !== undefined && !(key === 'name' && body[key] === null);
  const shared = Object.fromEntries(SHARED.filter(isGiven).map((key) => [key, body[key]]));
  const given = Object.fromEntries(
    Object.entries(body).filter(
      ([key, value]) => value !== undefined && isProperty(kind, key) && !(SHARED as readonly string[]).includes(key),
    ),
  );
  const properties = fromGns3 ? kind.asExisting.here(given, local) : given;
  return { ...shared, ...(Object.keys(properties).length > 0 ? { properties } : {}) };
};

const isProperty = (kind: Kind, key: string): boolean => Object.hasOwn(kind.properties.shape, key);

/** A kind that lets its name be left out gets its usual one, numbered; a name that was asked for must be free. */
const identityOf = (
  kind: Kind,
  { name, node_id }: Record<string, unknown>,
): { name: string; node_id?: string; names: NamePolicy } => {
  if (node_id !== undefined && !(typeof node_id === 'string' && UUID.test(node_id)))
    throw badField('node_id', UUID_PROBLEM);
  return {
    ...(typeof name === 'string' ? { name, names: 'conflict' } : { name: kind.look.name, names: 'make_unique' }),
    ...(node_id === undefined ? {} : { node_id }),
  };
};

/** Arguments of a create; `defaults` stand for properties that the controller leaves out. */
interface Creation {
  caller: Caller;
  projectId: string;
  names: NamePolicy;
  defaults: Readonly<Record<string, unknown>>;
}

/**
 * Creates a node for a controller, which asks again whenever it opens a project: a node that is there already takes what it can of the body; a
 * taken console port is replaced by a free one; a missing image is refused at once, by an error after which the controller sends it.
 */
const createForController = async (
  api: Api,
  kind: Kind,
  { caller, projectId, names, defaults }: Creation,
  input: NodeInput,
): Promise<NodeRecord> => {
  const known = input.node_id === undefined ? undefined : api.records.get('node', input.node_id);
  if (known?.project_id === projectId && known.kind === kind.name) return adopt(api, caller, known, input);
  await checkImages(api, kind, input.properties ?? {});
  const create = (given: NodeInput): Promise<NodeRecord> => api.commands.createNode(caller, projectId, given, names);
  const full = { ...input, properties: { ...defaults, ...input.properties } };
  const { console: wished, ...free } = full;
  return wished == null
    ? create(full)
    : create(full).catch((error: unknown) => {
        if (isAbout(error, 'console')) return create(free);
        throw error;
      });
};

const isAbout = (error: unknown, field: string): boolean =>
  error instanceof TopologError && error.code === 'conflict' && error.details['field'] === field;

/** Updates a node that is there already; one that runs keeps what it cannot change now. */
const adopt = async (api: Api, caller: Caller, known: NodeRecord, input: NodeInput): Promise<NodeRecord> => {
  const { kind: _kind, node_id: _id, console: _console, ...changes } = input;
  try {
    return await api.commands.updateNode(caller, known, changes, 'make_unique');
  } catch (error) {
    if (known.state !== 'stopped' && error instanceof TopologError && error.code === 'conflict')
      return api.find.node(known.project_id, known.node_id);
    throw error;
  }
};

const checkImages = async (
  { images }: Api,
  kind: Kind,
  properties: Readonly<Record<string, unknown>>,
): Promise<void> => {
  for (const field of kind.images?.fields ?? []) {
    const name = properties[field];
    // The start of the node checks files elsewhere.
    if (typeof name !== 'string' || name === '' || path.isAbsolute(name)) continue;
    const image = await images.open(kind, name).catch((error: unknown) => {
      if (!(error instanceof TopologError && error.code === 'not_found')) throw error;
      throw conflict(`The image ${name} is missing`, { field, exception: 'ImageMissingError', image: name });
    });
    image.destroy();
  }
};
