import { ApiError, type Client } from 'topolog/client';
import type { Node, Project } from '../store/records.ts';
import { t } from '../words/words.ts';

/** A node of any project, where it is. */
export interface PlacedNode {
  readonly name: string;
  readonly project: string;
  readonly isRunning: boolean;
}
/** By id of the compute. */
export type NodesByCompute = ReadonlyMap<string, readonly PlacedNode[]>;

/** Projects whose nodes are read at once. */
const AT_ONCE = 4;

export const placedOf = (lists: Iterable<readonly [Project, readonly Node[]]>): NodesByCompute => {
  const placed = new Map<string, PlacedNode[]>();
  for (const [project, nodes] of lists)
    for (const { compute_id, name, status } of nodes) {
      const list = placed.get(compute_id) ?? [];
      list.push({ name, project: project.name ?? project.project_id, isRunning: status !== 'stopped' });
      placed.set(compute_id, list);
    }
  return placed;
};

/** The nodes of all projects by their computes. A project that goes meanwhile has none. */
export const readPlaced = async (client: Client, signal: AbortSignal): Promise<NodesByCompute> => {
  const projects = await client.get('/v2/projects', { signal });
  const lists = new Map<Project, readonly Node[]>();
  const left = [...projects];
  const work = async (): Promise<void> => {
    for (let project = left.shift(); project !== undefined; project = left.shift()) {
      const path = { project_id: project.project_id };
      lists.set(project, await client.get('/v2/projects/{project_id}/nodes', { path, signal }).catch(noneIfGone));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return placedOf(projects.map((project) => [project, lists.get(project) ?? []] as const));
};

const noneIfGone = (problem: unknown): readonly Node[] => {
  if (problem instanceof ApiError && problem.status === 404) return [];
  throw problem;
};

const MOST_NAMED = 8;

/** Names for a sentence, not all of very many. */
export const nameSome = (nodes: readonly PlacedNode[]): string => {
  const names = nodes
    .slice(0, MOST_NAMED)
    .map(({ name, project }) => `${name} (${project})`)
    .join(', ');
  const more = nodes.length - MOST_NAMED;
  return more > 0 ? t('{names} and {count} more', { names, count: more }) : names;
};

export const sayNodes = (count: number): string => t('{count, plural, one {# node} other {# nodes}}', { count });

/** How many nodes are at a compute, and run there; of one that is away, ran when it was last there. */
export const sayRunning = (nodes: readonly PlacedNode[], isConnected: boolean): string => {
  if (nodes.length === 0) return t('No node of any project is there.');
  const running = nodes.filter(({ isRunning }) => isRunning).length;
  const there = t('{count, plural, one {# node of all projects is there} other {# nodes of all projects are there}}', {
    count: nodes.length,
  });
  const runs = isConnected
    ? t('{running, plural, =0 {none runs} one {# runs} other {# run}}', { running })
    : t('{running, plural, =0 {none ran} other {# ran}} when it was last seen', { running });
  return `${there}, ${runs}.`;
};

/** Says what removing a compute does. */
export const sayRemoval = (nodes: readonly PlacedNode[], isConnected: boolean): string => {
  const running = nodes.filter(({ isRunning }) => isRunning);
  const what = { nodes: sayNodes(running.length), names: nameSome(running) };
  const stops =
    running.length === 0
      ? t('No node runs there.')
      : isConnected
        ? t('It stops {nodes}: {names}.', what)
        : t(
            'It is away, and when it was last seen it ran {nodes}: {names}. Here they are stopped then; there they go on until somebody stops them.',
            what,
          );
  return nodes.length === 0
    ? stops
    : `${stops} ${t('Nodes that are there stay in their projects, and have to be put elsewhere before they can start again.')}`;
};
