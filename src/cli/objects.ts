import type { Client, Schemas } from '../client/index.ts';
import { conflict, TopologError } from '../common/errors.ts';
import { type Named, pick } from './names.ts';

type Project = Schemas['Project'];
type Node = Schemas['Node'];
type Link = Schemas['Link'];
type Compute = Schemas['Compute'];

export interface NamedProject extends Named {
  sort: 'project';
  project: Project;
}
export interface NamedNode extends Named {
  sort: 'node';
  node: Node;
}
export interface NamedLink extends Named {
  sort: 'link';
  link: Link;
  /** Names that begin with its first end. */
  forward: readonly string[];
}

export interface NamedCompute extends Named {
  sort: 'compute';
  compute: Compute;
}

export const computesOf = async (client: Client): Promise<NamedCompute[]> =>
  (await client.get('/v2/computes')).map((compute) => ({
    sort: 'compute',
    id: compute.compute_id,
    names: [compute.name],
    compute,
  }));

export const projectsOf = async (client: Client): Promise<NamedProject[]> =>
  (await client.get('/v2/projects')).map((project) => ({
    sort: 'project',
    id: project.project_id,
    names: [project.name ?? project.project_id],
    project,
  }));

export const projectNamed = async (client: Client, wanted = ''): Promise<NamedProject> =>
  pick('project', await projectsOf(client), wanted);

/** Projects and nodes, which most commands act on. */
export type Target = NamedProject | NamedNode;

/** Message for an empty list. */
export const noNodes = (targets: readonly Target[]): string => {
  const names = targets.map(({ names: [name] }) => name);
  return `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no nodes`;
};

/** Finds all named targets, before anything is done to the first. */
export const targetsOf = async (client: Client, wanted: readonly string[]): Promise<Target[]> => {
  const things: Target[] = [...(await projectsOf(client)), ...(await nodesOf(client))];
  return wanted.map((one) => pick('project or node', things, one));
};

/** Handler of errors: throws them again, but explains a node that was not found if a closed project has it. */
export const unlessClosed =
  (client: Client) =>
  async (error: unknown): Promise<never> => {
    const { what, id: wanted } = error instanceof TopologError && error.code === 'not_found' ? error.details : {};
    if (typeof what !== 'string' || typeof wanted !== 'string' || !/node/i.test(what)) throw error;
    for (const project of await projectsOf(client)) {
      if (project.project.status === 'opened') continue;
      const nodes = await nodesIn(client, project);
      const [name] = project.names;
      if (nodes.some((node) => node.id === wanted || node.names.includes(wanted)))
        throw conflict(`${wanted}: ${name} is not open: topolog open ${name}`);
    }
    throw error;
  };

/** Throws for a taken name. The interface changes it, as existing clients expect, but a name that was typed is meant. */
export const refuseTaken = (nodes: readonly Node[], name: string): void => {
  if (nodes.some((node) => node.name === name)) throw conflict(`another node of the project is named ${name}`);
};

/** Nodes of all opened projects. */
export const nodesOf = async (client: Client): Promise<NamedNode[]> =>
  (await Promise.all((await openedProjects(client)).map((project) => nodesIn(client, project)))).flat();

export const linksOf = async (client: Client): Promise<NamedLink[]> =>
  (
    await Promise.all(
      (await openedProjects(client)).map(async (project) => linksIn(client, project, await nodesIn(client, project))),
    )
  ).flat();

export const openedProjects = async (client: Client): Promise<NamedProject[]> =>
  (await projectsOf(client)).filter(({ project }) => project.status === 'opened');

export const nodesIn = async (client: Client, { id, names }: NamedProject): Promise<NamedNode[]> =>
  (await client.get('/v2/projects/{project_id}/nodes', { path: { project_id: id } })).map((node) => ({
    sort: 'node',
    id: node.node_id,
    names: [`${names[0]}/${node.name}`, node.name],
    node,
  }));

/** Finds a node in a project. Throws `not_found`; `otherwise` makes its message for a node of another project. */
export const pickWithin = (
  nodes: readonly NamedNode[],
  { within, wanted, otherwise }: { within: string; wanted: string; otherwise: (elsewhere: string) => string },
): NamedNode => {
  const own = nodes.filter(({ node }) => node.project_id === within);
  const elsewhere = nodes.filter(({ node, names }) => node.project_id !== within && names.includes(wanted));
  const [other] = elsewhere;
  if (other === undefined || own.some(({ names }) => names.some((name) => name.startsWith(wanted))))
    return pick('node', own, wanted);
  throw TopologError.saying('not_found', otherwise(`${other.node.name} is in the project ${projectIn(other)}`));
};

/** Name of a node's project. */
export const projectIn = ({ names: [whole], node }: NamedNode): string => whole.slice(0, -node.name.length - 1);

/** Links of a project. Their names are `PC1-Switch1` from either end, and `PC1:e0-Switch1:e1` with ports. */
export const linksIn = async (
  client: Client,
  { id, names }: NamedProject,
  nodes: readonly NamedNode[],
): Promise<NamedLink[]> => {
  const byId = new Map(nodes.map(({ node }) => [node.node_id, node]));
  return (await client.get('/v2/projects/{project_id}/links', { path: { project_id: id } })).map((link) => {
    const ends = link.nodes.map((end) => endOf(byId.get(end.node_id), end));
    const exact = ends.map(({ name, port }) => `${name}:${port}`);
    const short = ends.map(({ name, short: port }) => `${name}:${port}`);
    const plain = ends.map(({ name }) => name);
    const first = exact.join('-');
    const others = [exact.toReversed(), plain, plain.toReversed(), short, short.toReversed()];
    const all = [...new Set([first, ...others.map((parts) => parts.join('-'))])];
    return {
      sort: 'link',
      id: link.link_id,
      names: [`${names[0]}/${first}`, ...all, ...all.slice(1).map((name) => `${names[0]}/${name}`)],
      link,
      forward: [exact, plain, short].map((parts) => parts.join('-')),
    };
  });
};

/** Names of one end. `port`: its custom name, otherwise its short one. */
const endOf = (node: Node | undefined, end: Link['nodes'][number]): { name: string; port: string; short: string } => {
  const { adapter_number, port_number } = end;
  const port = node?.ports.find((p) => p.adapter_number === adapter_number && p.port_number === port_number);
  const short = port?.short_name ?? `${adapter_number}/${port_number}`;
  const isGiven = port !== undefined && lettersAside(port.name) !== lettersAside(short);
  return { name: node?.name ?? end.node_id, port: isGiven ? port.name : short, short };
};

/** Shortens the letters of a port's name: `e0/1` for `Ethernet0/1`. */
const lettersAside = (name: string): string =>
  name.replace(/^([a-z])\D*(?=\d)/i, (_, letter: string) => letter.toLowerCase());

/** `1 node`, `2 nodes`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Ids of this server in records: its own, and that of the GNS3 VM. */
const HERE = new Set(['local', 'vm']);

/** Returns a function for the compute of a node, with the reason why it cannot be reached; empty for this server. */
const placesOf = async (client: Client, nodes: readonly NamedNode[]): Promise<(node: NamedNode['node']) => string> => {
  if (nodes.every(({ node }) => node.compute_id === 'local')) return ({ properties }) => away(properties);
  const names = new Map((await client.get('/v2/computes')).map(({ compute_id, name }) => [compute_id, name]));
  return ({ compute_id: id, properties: { unreachable } }) => {
    const name = names.get(id);
    if (name === undefined) return HERE.has(id) ? '' : `at ${id}, which is no compute of this server`;
    if (id === 'local') return away({ unreachable });
    return typeof unreachable === 'string' ? `at ${name}, ${away({ unreachable })}` : `at ${name}`;
  };
};

const away = ({ unreachable }: NamedNode['node']['properties']): string =>
  typeof unreachable === 'string' ? `unreachable: ${unreachable}` : '';

/** Rows of nodes: name, state, kind, console, and the compute if it is not this server. */
export const nodeRows = async (client: Client, nodes: readonly NamedNode[]): Promise<string[][]> => {
  const placeOf = await placesOf(client, nodes);
  return nodes.map(({ node }) => {
    const { name, status, node_type, console, console_type, console_host } = node;
    const at = console === null ? '' : `${console_type} ${console_host} ${console}`;
    return [name, status, node_type, at, placeOf(node)];
  });
};

/** Row of a link: its ends, state, type, filters. */
export const linkRow = ({ link, names }: NamedLink): string[] => {
  const filters = Object.keys(link.filters);
  const state = link.suspend ? 'suspended' : link.capturing ? 'capturing' : 'linked';
  return [names[1] ?? names[0], state, link.link_type, filters.length === 0 ? '' : JSON.stringify(link.filters)];
};

/** Row of a project: name, state, id. */
export const projectRow = ({ name, status, project_id }: NamedProject['project']): string[] => [
  name ?? project_id,
  status,
  project_id,
];
