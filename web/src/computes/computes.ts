import type { Client, Schemas } from 'topolog/client';
import type { Node, Project } from '../store/records.ts';
import { t, told } from '../words/words.ts';

/** A machine that runs nodes, as the server tells of it. */
export type Compute = Schemas['Compute'];
/** A program that runs nodes of a kind at a compute. */
export type Engine = Schemas['Engine'];
/** Results of moving nodes to another compute. */
export type Moved = Schemas['Moved'];

/** The server that answers, as a compute. */
export const LOCAL = 'local';
/** The word for whichever is best. */
export const AUTO = 'auto';

export const isHere = (computeId: string): boolean => computeId === LOCAL;

export const nameOfCompute = ({ compute_id, name }: Pick<Compute, 'compute_id' | 'name'>): string =>
  isHere(compute_id) ? t('This server') : name;

/** Why a node cannot be reached, so that nothing can be asked of it; null: it can. Its state is what it last was. */
export const unreachableOf = ({ properties }: Pick<Node, 'properties'>): string | null => {
  const reason = properties['unreachable'];
  if (reason === undefined || reason === null) return null;
  return typeof reason === 'string' && reason !== '' ? told(reason) : t('its compute is away');
};

/** Nodes that can be put elsewhere, and those whose compute is away, with their files. A compute without a name is one that the server does not know. */
export const apart = (
  nodes: readonly Node[],
  names: ReadonlyMap<string, string>,
): { movable: readonly Node[]; away: readonly Node[] } => {
  const isAway = (node: Node): boolean => unreachableOf(node) !== null && names.has(node.compute_id);
  return { movable: nodes.filter((node) => !isAway(node)), away: nodes.filter(isAway) };
};

/** Whatever the page asks about computes. */

const ONE = '/v2/computes/{compute_id}';
const at = (compute_id: string): { path: { compute_id: string } } => ({ path: { compute_id } });

export interface ComputeWish {
  name?: string;
  protocol: 'http' | 'https';
  host: string;
  port: number;
  user?: string | null;
  password?: string;
  /** PEM. */
  certificate?: string;
  /** From the controller that has it. */
  take?: true;
}

export interface MoveWish {
  /** An id, or `auto`. */
  to: string;
  /** Running nodes are stopped, moved and started again. */
  restart: boolean;
}

export const readComputes = (client: Client, signal: AbortSignal): Promise<Compute[]> =>
  client.get('/v2/computes', { signal });

export const addCompute = (client: Client, body: ComputeWish): Promise<Compute> =>
  client.post('/v2/computes', { body });

export const changeCompute = (client: Client, id: string, body: ComputeWish): Promise<Compute> =>
  client.put(ONE, { ...at(id), body });

export const removeCompute = (client: Client, id: string): Promise<unknown> => client.delete(ONE, at(id));

export const connectCompute = (client: Client, id: string): Promise<Compute> => client.post(`${ONE}/connect`, at(id));

export const drainCompute = (client: Client, id: string, body: MoveWish): Promise<Moved> =>
  client.post(`${ONE}/drain`, { ...at(id), body });

export const moveNodes = (client: Client, project_id: string, nodes: string[], wish: MoveWish): Promise<Moved> =>
  client.post('/v2/projects/{project_id}/nodes/move', { path: { project_id }, body: { ...wish, nodes } });

export const readEngines = (client: Client, id: string, signal: AbortSignal): Promise<Engine[]> =>
  client.get(`${ONE}/engines`, { ...at(id), signal });

/** Where new nodes of a project go: an id, or `auto`. A server that answers as others do does not say it. */
export const defaultComputeOf = (project: Partial<Pick<Project, 'default_compute'>> | null): string =>
  project?.default_compute ?? LOCAL;

/** Kinds that can run, with what runs them, and kinds that cannot, with what they lack. */
export interface EnginesByKind {
  readonly ready: readonly { readonly kind: string; readonly engines: readonly Engine[] }[];
  readonly missing: readonly { readonly kind: string; readonly needs: string; readonly install: string }[];
}

export const byKind = (engines: readonly Engine[]): EnginesByKind => {
  const kinds = [...new Set(engines.map(({ node_type }) => node_type))].sort();
  const ready: EnginesByKind['ready'][number][] = [];
  const missing: EnginesByKind['missing'][number][] = [];
  for (const kind of kinds) {
    const own = engines.filter(({ node_type }) => node_type === kind);
    const available = own.filter((engine) => engine.available);
    const lack = own.find((engine) => engine.missing !== null)?.missing ?? null;
    if (available.length > 0) ready.push({ kind, engines: available });
    // One that is simulated runs nothing real.
    if (lack !== null && available.every(({ engine }) => engine === 'simulated')) missing.push({ kind, ...lack });
  }
  return { ready, missing };
};
