import { parse } from 'yaml';
import type { z } from 'zod';
import type { Client, Schemas } from '../../client/index.ts';
import { conflict, invalid, messageOf } from '../../common/errors.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { startUpOf } from '../../emulators/kit/text-files.ts';
import { createKinds } from '../../emulators/registry.ts';
import { freePlace } from '../../files/lab/layout.ts';
import { startUpText, withGateways } from '../../files/lab/start-up.ts';
import { nodeForm } from '../../files/lab/yaml/form.ts';
import { labCommandWith } from '../lab-command.ts';
import { nodeRows, nodesIn, projectNamed, refuseTaken } from '../objects.ts';
import { didYouMean, type Named, pick, wordsNear } from '../names.ts';
import { placeNamed } from '../server/computes.ts';

type Node = Schemas['Node'];

const NODES = '/v2/projects/{project_id}/nodes';

/** A kind or a template from which nodes are made. */
export interface NamedSource extends Named {
  kind: Kind;
  /** null for the kind itself. */
  template_id: string | null;
}

export const sourcesOf = async (client: Client): Promise<NamedSource[]> => {
  const kinds = createKinds();
  const templates = (await client.get('/v2/templates')).flatMap(
    ({ template_id, name, template_type }): NamedSource[] => {
      const kind = kinds.get(template_type);
      return kind === undefined ? [] : [{ id: template_id, names: [name], kind, template_id }];
    },
  );
  const own = kinds
    .all()
    .flatMap((kind) =>
      [...new Set([kind.name, kind.alias])].map((id): NamedSource => ({ id, names: [id], kind, template_id: null })),
    );
  return [...own, ...templates];
};

export const addCommand = labCommandWith(
  { set: { type: 'string', multiple: true }, compute: { type: 'string' } },
  {
    usage: 'add PROJECT KIND|TEMPLATE [NAME] [--set KEY=VALUE]... [--compute NAME|auto]',
    counts: [2, 3],
    does: `Adds a node to a project: of a kind, or of a template, as topolog templates lists them. Without a name it gets one with a number.
It is stopped, unless its kind always runs.

  KIND             ${createKinds()
    .all()
    .map(({ name }) => name)
    .join(', ')}
  --set KEY=VALUE  a property of its kind, or a key of a node in a lab's text (address, gateway, startup, at, symbol, ...); as often as needed
  --compute NAME   the compute that is to run it, or auto for the best

  topolog add lab simple_pc PC1 --set address=10.0.0.1/24 --set gateway=10.0.0.254`,
  },
  async ({ client, wanted: [wanted, made = '', name], flags: { set = [], compute } }) => {
    const project = await projectNamed(client, wanted);
    if (project.project.status !== 'opened') throw conflict(`${project.names[0]} is not opened: topolog open opens it`);
    const source = pick('kind or template', await sourcesOf(client), made);
    const present = (await nodesIn(client, project)).map(({ node }) => node);
    if (name !== undefined) refuseTaken(present, name);
    const place = freePlace(present);
    const settings = { ...place, ...settingsOf(source.kind, set) };
    const at = compute === undefined ? {} : { compute_id: await placeNamed(client, compute) };
    const wish: Wish = { project_id: project.id, settings, at, ...(name === undefined ? {} : { name }) };
    const node =
      source.template_id === null
        ? await ofKind(client, source.kind, wish)
        : await ofTemplate(client, source.template_id, wish);
    const names: Named['names'] = [node.name];
    return { records: node, rows: await nodeRows(client, [{ sort: 'node', id: node.node_id, names, node }]) };
  },
);

interface Wish {
  project_id: string;
  settings: NodeSettings & { x: number; y: number };
  at: { compute_id?: string };
  name?: string;
}

const ofKind = (client: Client, { name: node_type, template }: Kind, wish: Wish): Promise<Node> => {
  const { project_id, settings, at, name = template.nameFormat.replace('{name}', node_type) } = wish;
  // Each kind has its own properties, which the server checks.
  const body = { name, node_type, ...at, ...settings } as Schemas['NodeCreate'];
  return client.post(NODES, { path: { project_id }, body });
};

/** Makes a node of a template, then changes what was set, before it is printed; deletes it again if that fails. */
const ofTemplate = async (client: Client, template_id: string, wish: Wish): Promise<Node> => {
  const { project_id, settings, at, name } = wish;
  const { x, y, ...more } = settings;
  const body = { x, y, ...at, ...(name === undefined ? {} : { name }) };
  const path = { project_id, template_id };
  const node = await client.post('/v2/projects/{project_id}/templates/{template_id}', { path, body });
  const { properties, ...fields } = more;
  const changes = { ...fields, ...(Object.keys(properties).length === 0 ? {} : { properties }) };
  if (Object.keys(changes).length === 0) return node;
  const own = { path: { project_id, node_id: node.node_id } };
  try {
    return await client.put(`${NODES}/{node_id}`, { ...own, body: changes });
  } catch (error) {
    await client.delete(`${NODES}/{node_id}`, own);
    throw error;
  }
};

/** Keys of a node in a lab's text, without its kind, template, compute, properties and files. */
const {
  kind: _kind,
  template: _template,
  was: _was,
  compute: _compute,
  properties: _properties,
  files: _files,
  ...NODE
} = nodeForm.shape;

/** Fields of a node in the interface. */
interface NodeSettings {
  properties: Record<string, unknown>;
  [field: string]: unknown;
}

/** Reads `KEY=VALUE` for a node of this kind: keys of a node in a lab's text, and properties of the kind. Throws `invalid_request`. */
const settingsOf = (kind: Kind, given: readonly string[]): NodeSettings => {
  const node = new Map<string, unknown[]>();
  const properties: Record<string, unknown> = {};
  for (const text of given) {
    const [, key = '', value = ''] = /^([\w.-]+)=([^]*)$/.exec(text) ?? [];
    if (key === '') throw invalid(`--set takes KEY=VALUE, not ${text}`);
    if (isKey(NODE, key)) node.set(key, [...(node.get(key) ?? []), valueOf(key, value, NODE[key])]);
    else properties[key] = valueOf(key, value, propertyOf(kind, key));
  }
  const { at, address = [], gateway = [], startup, ...fields } = Object.fromEntries(node);
  const [x, y] = (at?.at(-1) ?? []) as number[];
  return {
    ...Object.fromEntries(Object.entries(fields).map(([key, values]) => [key, values?.at(-1)])),
    ...(x === undefined ? {} : { x, y }),
    properties: { ...properties, ...startUp(kind, address.flat(), gateway.flat(), startup?.at(-1)) },
  };
};

const isKey = <T extends object>(shape: T, key: string): key is keyof T & string => Object.hasOwn(shape, key);

const propertyOf = ({ name: kind, properties: { shape } }: Kind, key: string): z.core.$ZodType => {
  const schema = (Object.entries(shape) as [string, z.core.$ZodType][]).find(([name]) => name === key)?.[1];
  if (schema !== undefined) return schema;
  const meant = didYouMean(wordsNear(key, [...Object.keys(shape), ...Object.keys(NODE)]));
  throw invalid(`${kind} has no ${key}${meant === '' ? `; its properties: ${Object.keys(shape).join(', ')}` : meant}`);
};

/** A value as text if the schema accepts that, otherwise parsed as YAML. */
const valueOf = (key: string, text: string, schema: z.core.$ZodType): unknown => {
  const check = schema as z.ZodType;
  if (check.safeParse(text).success) return text;
  const value = yamlOf(text);
  const problem = check.safeParse(value).error?.issues[0]?.message;
  if (problem !== undefined) throw invalid(`${key} ${problem}, not ${text}`);
  return value;
};

const yamlOf = (text: string): unknown => {
  try {
    return parse(text);
  } catch {
    return text;
  }
};

/** Property with the start-up text of a node. */
const startUp = (kind: Kind, addresses: unknown[], gateways: unknown[], startup: unknown): Record<string, string> => {
  if (addresses.length === 0 && gateways.length === 0 && startup === undefined) return {};
  const takes = startUpOf(kind);
  if (takes === null) throw invalid(`${kind.name} reads no text at its start: it takes no address, gateway or startup`);
  if (addresses.length === 0 && gateways.length > 0) throw invalid('gateway needs an address beside it');
  const said = { addresses: withGateways(addresses as string[], gateways as string[]) };
  try {
    return {
      [takes.property]: startUpText(startup === undefined ? said : { ...said, startup: startup as string }, takes),
    };
  } catch (error) {
    throw invalid(messageOf(error));
  }
};
