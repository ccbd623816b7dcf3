import type { Node } from '../store/records.ts';

/** A machine that runs nodes, as the server tells of it. */
export interface Compute {
  readonly compute_id: string;
  readonly name: string;
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  readonly connected: boolean;
  /** 0 to 100; null: nobody knows, as while it is away. */
  readonly cpu_usage_percent: number | null;
  readonly memory_usage_percent: number | null;
  /** Why it is away; null: it is not, or was not tried yet. */
  readonly last_error: string | null;
  readonly capabilities: {
    /** Null: it was never connected. */
    readonly version: string | null;
    readonly node_types: readonly string[];
    readonly platform: string | null;
  };
}

/** What runs nodes of a kind at a compute. */
export interface Engine {
  readonly node_type: string;
  readonly engine: string;
  readonly available: boolean;
  readonly version: string | null;
  /** What is not there, and the command or step that installs it. */
  readonly missing: { readonly needs: string; readonly install: string } | null;
}

interface NodeName {
  readonly project_id: string;
  readonly node_id: string;
  readonly name: string;
}

/** What became of nodes that were to be put elsewhere. */
export interface Moved {
  readonly moved: readonly (NodeName & {
    readonly compute_id: string;
    readonly reason: string;
    readonly started: boolean;
  })[];
  readonly left: readonly (NodeName & { readonly reason: string })[];
}

/** The server that answers, as a compute. */
export const LOCAL = 'local';
/** The word for whichever is best. */
export const AUTO = 'auto';

export const isHere = (computeId: string): boolean => computeId === LOCAL;

export const nameOfCompute = ({ compute_id, name }: Pick<Compute, 'compute_id' | 'name'>): string =>
  isHere(compute_id) ? 'This server' : name;

/** Why a node cannot be reached, so that nothing can be asked of it; null: it can. Its state is what it last was. */
export const unreachableOf = ({ properties }: Pick<Node, 'properties'>): string | null => {
  const reason = properties['unreachable'];
  if (reason === undefined || reason === null) return null;
  return typeof reason === 'string' && reason !== '' ? reason : 'its compute is away';
};

/** Nodes that can be put elsewhere, and those whose compute is away, with their files. A compute without a name is one that the server does not know. */
export const apart = (
  nodes: readonly Node[],
  names: ReadonlyMap<string, string>,
): { movable: readonly Node[]; away: readonly Node[] } => {
  const isAway = (node: Node): boolean => unreachableOf(node) !== null && names.has(node.compute_id);
  return { movable: nodes.filter((node) => !isAway(node)), away: nodes.filter(isAway) };
};
