import type { MapNode } from './flow.ts';

const hidden = new WeakMap<MapNode, MapNode>();

/** A node as one that is not seen; the same one for the same node. */
export const hiddenOf = (node: MapNode): MapNode => {
  const known = hidden.get(node) ?? { ...node, hidden: true };
  hidden.set(node, known);
  return known;
};
