import type { Client, Schemas } from '../../client/index.ts';
import { createKinds } from '../../emulators/registry.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { conflict } from '../../common/errors.ts';
import { freePlace } from '../../files/lab/layout.ts';
import { type Named, pick } from '../names.ts';
import { placeNamed } from '../server/computes.ts';
import { labCommandWith } from '../lab/lab-command.ts';
import { nodeRows } from '../lab/rows.ts';
import { type NodeSettings, settingsOf } from './settings.ts';
import { nodesIn, projectNamed, refuseTaken } from '../lab/things.ts';

type Node = Schemas['Node'];

const NODES = '/v2/projects/{project_id}/nodes';

/** A kind or a template that a node can be made of. */
export interface NamedSource extends Named {
  kind: Kind;
  /** null: of the kind itself. */
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
  // Which properties there are, the kind says, and the server checks.
  const body = { name, node_type, ...at, ...settings } as Schemas['NodeCreate'];
  return client.post(NODES, { path: { project_id }, body });
};

/** The template says all but what was set, which is changed before anybody hears of it; a node that cannot be so is taken away again. */
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
