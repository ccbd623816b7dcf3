import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { useStore } from '../../store/use-store.ts';
import type { MapNode } from '../flow/flow.ts';
import { hiddenOf } from '../flow/hidden.ts';
import type { Flow } from '../flow/use-flow.ts';

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
