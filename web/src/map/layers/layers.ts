import type { Schemas } from 'topolog/client';
import type { Drawing, Node, Records } from '../../store/records.ts';

type Step = Schemas['Batch']['steps'][number];

/** What lies in the same layer, by the `z` of the records. */
export interface Layer {
  readonly z: number;
  readonly nodes: readonly Node[];
  readonly drawings: readonly Drawing[];
}

/** The layers that something is in, the uppermost first. */
export const layersOf = ({ nodes, drawings }: Pick<Records, 'nodes' | 'drawings'>): Layer[] => {
  const layers = new Map<number, { z: number; nodes: Node[]; drawings: Drawing[] }>();
  const at = (z: number): { nodes: Node[]; drawings: Drawing[] } => {
    const layer = layers.get(z) ?? { z, nodes: [], drawings: [] };
    layers.set(z, layer);
    return layer;
  };
  for (const node of nodes.values()) at(node.z).nodes.push(node);
  for (const drawing of drawings.values()) at(drawing.z).drawings.push(drawing);
  return [...layers.values()].sort((a, b) => b.z - a.z);
};

export const idsIn = ({ nodes, drawings }: Layer): string[] => [
  ...nodes.map(({ node_id }) => node_id),
  ...drawings.map(({ drawing_id }) => drawing_id),
];

export const isLocked = ({ nodes, drawings }: Layer): boolean =>
  nodes.every(({ locked }) => locked) && drawings.every(({ locked }) => locked);

const moved = ({ nodes, drawings }: Layer, z: number): Step[] => [
  ...nodes.map(({ node_id }): Step => ({ action: 'update', type: 'node', id: node_id, record: { z } })),
  ...drawings.map(({ drawing_id }): Step => ({ action: 'update', type: 'drawing', id: drawing_id, record: { z } })),
];

/** What puts each of two layers where the other one is: none of them is mixed with another. */
export const swapSteps = (a: Layer, b: Layer): Step[] => [...moved(a, b.z), ...moved(b, a.z)];
