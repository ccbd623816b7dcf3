import type { Schemas } from '../store/api.ts';
import type { Node } from '../store/records.ts';
import { t, told } from '../words/words.ts';

/** A machine that runs nodes, as the server tells of it. */
export type Compute = Schemas['Compute'];
/** What runs nodes of a kind at a compute. */
export type Engine = Schemas['Engine'];
/** What became of nodes that were to be put elsewhere. */
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
