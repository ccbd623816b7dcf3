import { useStoreApi } from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { MapEdge, MapNode } from '../flow/flow.ts';
import type { Flow } from '../flow/use-flow.ts';
import { heldNodes, nodesIn } from './far-nodes.ts';
import { STILL_MS } from './far-view.ts';

/** Nodes that are elements of the map; null: all of them. */
type There = ReadonlySet<string> | null;

const NONE: ReadonlySet<string> = new Set();
/** Nodes that become elements in one frame. */
const AT_ONCE = 16;
/** While so many are seen, none come along when the map is moved. */
const MANY = 80;

const NO_EDGES: MapEdge[] = [];

interface Near {
  readonly isFar: boolean;
  readonly isCrowded: boolean;
  /** The node under the pointer. */
  readonly under: string | null;
}

interface Elements {
  readonly nodes: MapNode[];
  readonly edges: MapEdge[];
  /** There is nothing else, so that no picture of it is needed. */
  readonly isWhole: boolean;
  /** True for so few elements that those out of sight need not be taken out. */
  readonly areFew: boolean;
}

/**
 * Chooses which objects of the lab have elements on the map. From far away only held ones do. While a large lab is zoomed, or moved with
 * much of it in sight, no more come; when the view stands still, the visible ones do, little by little so that the view can be moved
 * meanwhile, and all others at the end.
 */
export const useElements = (flow: Flow, { isFar, isCrowded, under }: Near): Elements => {
  const there = useArrival(isFar, isCrowded, flow.nodes);
  const nodes = useMemo(
    () => (there === null ? flow.nodes : heldNodes(flow.nodes, under, there)),
    [flow.nodes, under, there],
  );
  const edges = useMemo(() => edgesAmong(flow.edges, there), [flow.edges, there]);
  const isWhole = there === null;
  // The flow still has all of them when it is drawn with some for the first time.
  const [hadFew, setHadFew] = useState(!isWhole);
  useEffect(() => setHadFew(!isWhole), [isWhole]);
  return { nodes, edges, isWhole, areFew: !isWhole && hadFew };
};

const edgesAmong = (edges: MapEdge[], there: There): MapEdge[] => {
  if (there === null) return edges;
  return there.size === 0 ? NO_EDGES : edges.filter(({ source, target }) => there.has(source) && there.has(target));
};

const useArrival = (isFar: boolean, isCrowded: boolean, nodes: readonly MapNode[]): There => {
  const [there, setThere] = useState<There>(isFar ? NONE : null);
  const store = useStoreApi<MapNode, MapEdge>();
  const now = useRef(nodes);
  now.current = nodes;
  const wasFar = useRef(isFar);
  useEffect(() => {
    const from = wasFar.current && isCrowded ? NONE : null;
    wasFar.current = isFar;
    setThere(isFar ? NONE : from);
    return isFar || !isCrowded ? undefined : createArrival(store, () => now.current, { from, tell: setThere });
  }, [isFar, isCrowded, store]);
  return isFar ? NONE : there;
};

type FlowStore = ReturnType<typeof useStoreApi<MapNode, MapEdge>>;

interface Told {
  readonly from: There;
  readonly tell: (there: There) => void;
}

/** Answers what ends it. */
const createArrival = (store: FlowStore, nodes: () => readonly MapNode[], { from, tell }: Told): (() => void) => {
  let there = from;
  let { transform } = store.getState();
  let [frame, changed] = [0, -Infinity];
  const seen = (): ReadonlySet<string> => {
    const { width, height } = store.getState();
    const [x, y, zoom] = transform;
    return nodesIn(nodes(), { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom });
  };
  const set = (next: There): void => {
    there = next;
    tell(next);
  };
  const turn = (): void => {
    frame = 0;
    if (there === null) return;
    if (performance.now() - changed > STILL_MS && !store.getState().paneDragging) {
      const missing = [...seen()].filter((id) => there?.has(id) !== true);
      set(missing.length <= AT_ONCE ? null : new Set([...there, ...missing.slice(0, AT_ONCE)]));
    }
    frame = requestAnimationFrame(turn);
  };
  const end = store.subscribe((state) => {
    if (state.transform === transform) return;
    changed = performance.now();
    if (there === null) {
      const kept = seen();
      if (state.transform[2] !== transform[2] || kept.size > MANY) set(kept);
    }
    ({ transform } = state);
    if (there !== null) frame ||= requestAnimationFrame(turn);
  });
  if (there !== null) frame = requestAnimationFrame(turn);
  return () => {
    end();
    cancelAnimationFrame(frame);
  };
};
