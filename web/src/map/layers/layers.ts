import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Schemas } from 'topolog/client';
import { useScope } from '../../app/lab-context.tsx';
import type { Drawing, Node, Records } from '../../store/records.ts';
import { useStore } from '../../store/use-store.ts';
import type { Workbench, WorkbenchStore } from '../../store/workbench.ts';
import { hiddenOf, type MapNode } from '../flow/flow.ts';
import type { Flow } from '../flow/use-flow.ts';

/** Objects that lie in the same layer, by the `z` of the records. */
export interface Layer {
  readonly z: number;
  readonly nodes: readonly Node[];
  readonly drawings: readonly Drawing[];
}

type Step = Schemas['Batch']['steps'][number];

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

/** Steps that swap two layers: none of their objects gets between those of the other. */
export const swapSteps = (a: Layer, b: Layer): Step[] => [...moved(a, b.z), ...moved(b, a.z)];

type Change = (now: Workbench) => Workbench;

/** Layers are hidden for oneself only, and until the page is left. */
export const hideLayer =
  (z: number, isHidden: boolean): Change =>
  (now) => {
    const hiddenLayers = new Set(now.hiddenLayers);
    if (isHidden) hiddenLayers.add(z);
    else hiddenLayers.delete(z);
    return { ...now, hiddenLayers };
  };

export const showAllLayers: Change = (now) => ({ ...now, hiddenLayers: new Set() });

/** Two layers have changed their places: what was hidden stays so. */
export const swapHidden =
  (a: number, b: number): Change =>
  (now) => ({
    ...now,
    hiddenLayers: new Set([...now.hiddenLayers].map((z) => (z === a ? b : z === b ? a : z))),
  });

/** Somebody wants to see an object: its layer is shown again. */
export const reveal = (workbench: WorkbenchStore, { nodes, drawings }: Records, id: string): void => {
  const z = (nodes.get(id) ?? drawings.get(id))?.z;
  if (z !== undefined && workbench.get().hiddenLayers.has(z)) workbench.update(hideLayer(z, false));
};

const NONE: ReadonlySet<string> = new Set();

const layerOf = ({ data }: MapNode): number | null =>
  'node' in data ? data.node.z : 'drawing' in data ? data.drawing.z : null;

/** Nodes and drawings of the layers. */
export const idsOfLayers = (nodes: readonly MapNode[], layers: ReadonlySet<number>): ReadonlySet<string> =>
  new Set(
    nodes
      .filter((node) => {
        const layer = layerOf(node);
        return layer !== null && layers.has(layer);
      })
      .map(({ id }) => id),
  );

/** The map without its hidden layers. What is hidden is not selected, so nothing is done to it. */
export const useHiddenLayers = (flow: Flow): Flow => {
  const { workbench } = useScope();
  const layers = useStore(workbench, (now) => now.hiddenLayers);
  const { nodes, edges, choose } = flow;
  const gone = useMemo(() => (layers.size === 0 ? NONE : idsOfLayers(nodes, layers)), [nodes, layers]);
  const now = useRef({ gone, nodes, edges });
  now.current = { gone, nodes, edges };
  const seenNodes = useMemo(
    () => (gone.size === 0 ? nodes : nodes.map((node) => (gone.has(node.id) ? hiddenOf(node) : node))),
    [nodes, gone],
  );
  const seenEdges = useMemo(
    () => (gone.size === 0 ? edges : edges.filter(({ source, target }) => !gone.has(source) && !gone.has(target))),
    [edges, gone],
  );
  const chooseSeen = useCallback<Flow['choose']>(
    (isChosen) => choose((id) => !now.current.gone.has(id) && isChosen(id)),
    [choose],
  );
  useEffect(() => {
    if (layers.size === 0) return;
    const selected = new Set(
      [...now.current.nodes, ...now.current.edges].filter((one) => one.selected).map(({ id }) => id),
    );
    chooseSeen((id) => selected.has(id));
  }, [layers, chooseSeen]);
  return { ...flow, nodes: seenNodes, edges: seenEdges, choose: chooseSeen };
};
