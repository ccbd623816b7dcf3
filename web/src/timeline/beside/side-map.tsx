import { type OnMove, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { isDark } from '../../app/user/theme.ts';
import { FarLayer } from '../../map/far/far-layer.tsx';
import { heldNodes } from '../../map/far/far-nodes.ts';
import { type MapEdge, type MapNode, mergeEdges, mergeNodes } from '../../map/flow/flow.ts';
import type { Flow } from '../../map/flow/use-flow.ts';
import { useGroups } from '../../map/groups/draw-groups.ts';
import { LOOK } from '../../map/map-canvas.tsx';
import { CROWDED, MapToolsContext, useDetail } from '../../map/map-tools.ts';
import type { Mark } from '../../store/lab.ts';
import type { Records } from '../../store/records.ts';
import { useStore } from '../../store/use-store.ts';
import type { Canvas, LinkedViews } from './linked-views.ts';

interface Props {
  readonly label: string;
  readonly records: Records;
  readonly marks: ReadonlyMap<string, Mark>;
  readonly views: LinkedViews;
  /** The pointer is over an object, or over none. */
  readonly onPoint: (id: string | null) => void;
  /** Shows all of both. */
  readonly onFit: () => void;
}

/** A lab to look at: nothing in it can be changed, and the other one moves along. */
export const SideMap = (props: Props): ReactElement => (
  <ReactFlowProvider>
    <SideCanvas {...props} />
  </ReactFlowProvider>
);

const NO_EDGES: MapEdge[] = [];
/** Before all is fitted: thousands of elements would be made for that moment. */
const FAR_AWAY = { x: 0, y: 0, zoom: 0.1 };
const NEAR_BY = { x: 0, y: 0, zoom: 1 };
const NO_LOOKS = new Map<string, never>();

const SideCanvas = ({ label, records, marks, views, onPoint, onFit }: Props): ReactElement => {
  const ref = useRef<HTMLDivElement>(null);
  const flow = useGroups(useObjects(records, marks));
  const dark = useStore(isDark);
  const isCrowded = records.nodes.size > CROWDED;
  const detail = useDetail(isCrowded);
  const withPortNames = records.project?.show_interface_labels !== false;
  const tools = useMemo(
    () => ({ detail, withPortNames, looks: NO_LOOKS, withComputes: false }),
    [detail, withPortNames],
  );
  const onMove = useLink(ref, views);
  const isFar = detail === 'far';
  const nodes = useMemo(() => (isFar ? heldNodes(flow.nodes, null) : flow.nodes), [isFar, flow.nodes]);
  return (
    <MapToolsContext value={tools}>
      <div
        ref={ref}
        className={`map side-map read-only ${detail}`}
        role="group"
        tabIndex={0}
        aria-label={label}
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown + - 0"
        onKeyDown={(event) => steer(event, views, onFit)}
      >
        <ReactFlow<MapNode, MapEdge>
          {...LOOK}
          defaultViewport={isCrowded ? FAR_AWAY : NEAR_BY}
          {...pointing(onPoint)}
          nodes={nodes}
          edges={isFar ? NO_EDGES : flow.edges}
          onlyRenderVisibleElements={isCrowded && !isFar}
          colorMode={dark ? 'dark' : 'light'}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          onMove={onMove}
        >
          {isFar && <FarLayer {...{ flow, tools }} />}
        </ReactFlow>
      </div>
    </MapToolsContext>
  );
};

const pointing = (onPoint: Props['onPoint']) => ({
  onNodeMouseEnter: (_event: unknown, { id }: MapNode): void => onPoint(id),
  onNodeMouseLeave: (): void => onPoint(null),
  onEdgeMouseEnter: (_event: unknown, { id }: MapEdge): void => onPoint(id),
  onEdgeMouseLeave: (): void => onPoint(null),
});

interface Objects {
  readonly nodes: MapNode[];
  readonly edges: MapEdge[];
}

/** Handlers of a map in which nothing is moved or selected. */
const STILL: Omit<Flow, keyof Objects> = {
  onNodesChange: () => undefined,
  onEdgesChange: () => undefined,
  reset: () => undefined,
  place: () => undefined,
  choose: () => undefined,
};

/** Unchanged objects stay the same, so that they are not drawn again. */
const objectsOf = (before: Objects, records: Records, marks: Props['marks']): Objects => ({
  nodes: mergeNodes(before.nodes, records, { marks, isReadOnly: true }),
  edges: mergeEdges(before.edges, records, marks),
});

const useObjects = (records: Records, marks: Props['marks']): Flow => {
  const [objects, setObjects] = useState(() => objectsOf({ nodes: [], edges: [] }, records, marks));
  useEffect(() => setObjects((before) => objectsOf(before, records, marks)), [records, marks]);
  return useMemo(() => ({ ...STILL, ...objects }), [objects]);
};

const useLink = (ref: RefObject<HTMLDivElement | null>, views: LinkedViews): OnMove => {
  const { getViewport, setViewport } = useReactFlow<MapNode, MapEdge>();
  const canvas = useMemo(
    (): Canvas => ({
      getViewport,
      setViewport: (viewport) => void setViewport(viewport),
      size: () => ({ width: ref.current?.clientWidth ?? 0, height: ref.current?.clientHeight ?? 0 }),
    }),
    [getViewport, setViewport, ref],
  );
  useEffect(() => views.join(canvas), [views, canvas]);
  // Without an event it was no hand that moved it.
  return (event, viewport) => {
    if (event !== null) views.moved(canvas, viewport);
  };
};

/** Pixels that an arrow key pans. */
const STEP = 60;
const ZOOM_BY = 1.25;

const steer = (event: KeyboardEvent, views: LinkedViews, onFit: () => void): void => {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'ArrowLeft') views.pan(-STEP, 0);
  else if (event.key === 'ArrowRight') views.pan(STEP, 0);
  else if (event.key === 'ArrowUp') views.pan(0, -STEP);
  else if (event.key === 'ArrowDown') views.pan(0, STEP);
  else if (event.key === '+' || event.key === '=') views.zoom(ZOOM_BY);
  else if (event.key === '-') views.zoom(1 / ZOOM_BY);
  else if (event.key === '0') onFit();
  else return;
  event.preventDefault();
};
