import {
  Background,
  ConnectionMode,
  ReactFlow,
  type ReactFlowProps,
  SelectionMode,
  useStore as useFlowStore,
  type Viewport,
} from '@xyflow/react';
import {
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { isDark } from '../app/user/theme.ts';
import { useComputeLook } from '../computes/compute-look.ts';
import { useStore } from '../store/use-store.ts';
import { openPanel, openSheet } from '../store/workbench.ts';
import { t } from '../words/words.ts';
import { editDrawing } from './actions/menus.ts';
import { ComputeLegend } from './compute-legend.tsx';
import { GroupNode } from './groups/group-node.tsx';
import { MapDialogs } from './dialogs/map-dialogs.tsx';
import { FarLayer } from './far/far-layer.tsx';
import { MiniMap } from './far/mini-map.tsx';
import { useElements } from './far/use-elements.ts';
import { DrawingNode } from './flow/drawing-node.tsx';
import { fitting, PAN, useRefit, useRefitForNew, ZOOM } from './flow/fit.ts';
import type { MapEdge, MapNode } from './flow/flow.ts';
import { LabEdge } from './flow/lab-edge.tsx';
import { LabNode } from './flow/lab-node.tsx';
import { type Flow, useFlow } from './flow/use-flow.ts';
import { useMapScope } from './flow/use-map-scope.ts';
import { useGroups } from './groups/draw-groups.ts';
import { GuideLines, useGuides } from './drag/guides.tsx';
import { useLabelDrag } from './drag/label-drag.ts';
import { useHiddenLayers } from './layers/layers.ts';
import { MapEmpty } from './map-empty.tsx';
import { useMapKeys } from './map-keys.ts';
import type { MapDialog, MapScope } from './map-scope.ts';
import { MapToolbar, ViewBar } from './map-toolbar.tsx';
import { CROWDED, type MapTools, MapToolsContext, useDetail } from './map-tools.ts';
import { Palette } from './palette/palette.tsx';
import { type AddTemplate, createPlacer, useDrop } from './palette/placing.ts';
import { OthersOnMap } from '../together/others-on-map.tsx';
import { FollowNote } from '../together/others.tsx';
import { useTogether } from '../together/use-together.ts';

type FlowProps = ReactFlowProps<MapNode, MapEdge>;

/** Properties that every map has, also one that is only looked at. */
export const LOOK: FlowProps = {
  nodeTypes: { lab: LabNode, drawing: DrawingNode, frame: GroupNode },
  edgeTypes: { lab: LabEdge },
  connectionMode: ConnectionMode.Loose,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  zoomOnDoubleClick: false,
  minZoom: ZOOM.min,
  maxZoom: ZOOM.max,
};
const FIXED: FlowProps = {
  ...LOOK,
  connectionRadius: 50,
  elevateNodesOnSelect: false,
  elevateEdgesOnSelect: false,
  panActivationKeyCode: null,
  multiSelectionKeyCode: ['Control', 'Meta', 'Shift'],
  selectionMode: SelectionMode.Partial,
};

/** Handlers for moving and linking objects by hand. */
const handlersOf = (scope: MapScope, onDragEnd: () => void): FlowProps => {
  const { workbench, isPast, ask, together } = scope;
  const menuAt = (event: MouseEvent | globalThis.MouseEvent, id: string | null): void => {
    event.preventDefault();
    scope.askMenu(id, { x: event.clientX, y: event.clientY });
  };
  /** Where they are seen, which need not be where the pointer is. */
  const moved = (nodes: readonly MapNode[]): void => {
    onDragEnd();
    scope.drop(nodes.map(({ id }) => id));
    together.show({ moving: [] });
  };
  const moving = (nodes: readonly MapNode[]): void =>
    together.show({ moving: nodes.map(({ id, position }) => ({ id, ...position })) });
  return {
    onConnectEnd: (event, { fromNode, toNode }) => {
      const to = toNode?.id ?? nodeUnder(event, scope);
      if (fromNode !== null && to !== null && to !== fromNode.id)
        scope.link(fromNode.id, to, event.shiftKey || event.altKey);
    },
    onNodeDrag: (_event, _node, nodes) => moving(nodes),
    onSelectionDrag: (_event, nodes) => moving(nodes),
    onNodeDragStop: (_event, _node, nodes) => moved(nodes),
    onSelectionDragStop: (_event, nodes) => moved(nodes),
    // A frame lets everything through to what is behind it, so its head is all of it that can be pressed.
    onNodeClick: ({ ctrlKey, metaKey, shiftKey }, { id, selectable }) => {
      if (selectable === false) scope.chooseOne(id, ctrlKey || metaKey || shiftKey);
    },
    onNodeContextMenu: (event, { id }) => menuAt(event, id),
    onEdgeContextMenu: (event, { id }) => menuAt(event, id),
    onSelectionContextMenu: (event) => menuAt(event, null),
    onPaneContextMenu: (event) => {
      event.preventDefault();
      scope.askMapMenu({ x: event.clientX, y: event.clientY });
    },
    onNodeDoubleClick: ({ target }, { data, id }) => {
      if (target instanceof Element && target.closest('.node-label') !== null) {
        if (!scope.isReadOnly) ask({ what: 'rename', id });
        return;
      }
      if ('group' in data && !scope.isReadOnly) ask({ what: 'group', group: data.group, nodes: [] });
      if ('drawing' in data) editDrawing(scope, { nodes: [], links: [], drawings: [data.drawing] });
      if (!isPast && 'node' in data && data.node.console_type !== 'none')
        workbench.update(openPanel({ kind: 'console', nodeId: id }));
    },
    onEdgeDoubleClick: (_event, { id }) => {
      if (!isPast) workbench.update(openSheet({ kind: 'link', linkId: id }));
    },
  };
};

/** A link can be dropped anywhere on a node. */
const nodeUnder = (event: globalThis.MouseEvent | TouchEvent, scope: MapScope): string | null => {
  const at = 'changedTouches' in event ? event.changedTouches[0] : event;
  return at === undefined ? null : scope.nodeUnder({ x: at.clientX, y: at.clientY });
};

/** State that parts of the map share, and that follows from the lab. */
const useTools = () => {
  const { records } = useView();
  const [withComputes, setWithComputes] = useState(false);
  const { looks, places } = useComputeLook(withComputes);
  const isCrowded = records.nodes.size > CROWDED;
  const detail = useDetail(isCrowded);
  const withPortNames = records.project?.show_interface_labels !== false;
  const tools: MapTools = useMemo(
    () => ({ detail, withPortNames, looks, withComputes }),
    [detail, withPortNames, looks, withComputes],
  );
  return { tools, places, isCrowded, setWithComputes };
};

/** Handlers of the map; and the map goes to objects that another part of the page wants to be seen. */
const useHandlers = (scope: MapScope, onDragEnd: () => void): FlowProps => {
  const { workbench, show } = scope;
  const wanted = useStore(workbench, (now) => now.wanted);
  useEffect(() => {
    if (wanted !== null) show(wanted.id);
  }, [wanted, show]);
  return useMemo(() => handlersOf(scope, onDragEnd), [scope, onDragEnd]);
};

export const MapCanvas = (): ReactElement => {
  const { lab, frame } = useScope();
  const { records, isReadOnly, past } = useView();
  const { tools, places, isCrowded, setWithComputes } = useTools();
  const { detail, withComputes } = tools;
  const flow = useGroups(useHiddenLayers(useFlow(places)));
  const [asked, ask] = useState<MapDialog | null>(null);
  const [isLinking, setLinking] = useState(false);
  const scope = useMapScope(flow, ask);
  useMapKeys(scope);
  useRefitForNew(scope, flow.nodes);
  const hasPalette = useStore(frame, (now) => now.hasPalette);
  const placer = useMemo(() => createPlacer(lab), [lab]);
  const add = useRef<AddTemplate | null>(null);
  const setAdd = useCallback((ready: AddTemplate | null) => {
    add.current = ready;
  }, []);
  const isEmpty = records.nodes.size === 0 && records.drawings.size === 0;
  return (
    <MapToolsContext value={tools}>
      <section
        className={`map ${detail}${isLinking ? ' linking' : ''}${past === null ? '' : ' past'}${isReadOnly ? ' read-only' : ''}`}
        aria-label={t('Map of the lab. Press ? for its keys.')}
      >
        <MapToolbar {...{ scope, isLinking }} onLinking={setLinking} />
        {hasPalette && <Palette placer={placer} next={() => ({ view: scope.seen() })} onReady={setAdd} />}
        <MapArea {...{ scope, flow, isLinking, isCrowded, add, tools }}>
          <ViewBar {...{ scope, withComputes }} onWithComputes={setWithComputes} />
          {withComputes && <ComputeLegend onChoose={flow.choose} />}
          {isEmpty && <MapEmpty scope={scope} />}
          <MapDialogs asked={asked} scope={scope} onClose={() => ask(null)} />
        </MapArea>
      </section>
    </MapToolsContext>
  );
};

interface AreaProps {
  readonly scope: MapScope;
  readonly flow: Flow;
  readonly isLinking: boolean;
  readonly isCrowded: boolean;
  readonly add: { readonly current: AddTemplate | null };
  readonly tools: MapTools;
  readonly children: ReactNode;
}

/** About where everything is seen, before the size of the map is known. */
const firstView = (nodes: readonly MapNode[]): Viewport =>
  fitting(nodes, { width: innerWidth, height: innerHeight }) ?? { x: 0, y: 0, zoom: 1 };

/** Where the pointer is, for others as well; and which node of a picture is under it. */
const usePointer = (scope: MapScope, flow: Flow, isFar: boolean) => {
  const [under, setUnder] = useState<string | null>(null);
  const { showPointer } = useTogether(scope, flow);
  return {
    under,
    onPointerMove: ({ clientX: x, clientY: y, buttons }: PointerEvent): void => {
      scope.pointer.current = { x, y };
      showPointer({ x, y });
      if (isFar && buttons === 0) setUnder(scope.nodeUnder({ x, y }));
    },
    onPointerLeave: (): void => {
      scope.pointer.current = null;
      showPointer(null);
    },
  };
};

/** The map itself, with what floats over it. */
const MapArea = ({ scope, flow, isLinking, isCrowded, add, tools, children }: AreaProps): ReactElement => {
  const { records, isReadOnly } = useView();
  const { project } = records;
  const dark = useStore(isDark);
  const [first] = useState(() => firstView(flow.nodes));
  const timing = useMapTiming(useFlowStore((state) => state.width > 0));
  const loosen = useRefit(scope);
  const grid = Math.max(5, project?.grid_size ?? 75);
  const isSnapped = project?.snap_to_grid ?? false;
  const guides = useGuides(flow, !isSnapped);
  const handlers = useHandlers(scope, guides.end);
  const isFar = tools.detail === 'far';
  const { under, ...pointer } = usePointer(scope, flow, isFar);
  const { nodes, edges, isWhole, areFew } = useElements(flow, { isFar, isCrowded, under });
  return (
    <div className="map-area" {...useDrop(add)} onPointerDown={useLabelDrag(isReadOnly)} {...pointer}>
      <ReactFlow<MapNode, MapEdge>
        {...FIXED}
        defaultViewport={first}
        {...handlers}
        nodes={nodes}
        edges={edges}
        onlyRenderVisibleElements={isCrowded && !areFew}
        onNodesChange={guides.onNodesChange}
        onEdgesChange={flow.onEdgesChange}
        colorMode={dark ? 'dark' : 'light'}
        nodesConnectable={!isReadOnly}
        nodesDraggable={!isReadOnly && !isLinking}
        snapToGrid={isSnapped}
        snapGrid={[grid, grid]}
        autoPanSpeed={tools.detail === 'near' ? PAN.near : PAN.far}
        onMoveStart={(event) => {
          timing.begin();
          // Without an event it was no hand that moved it.
          if (event === null) return;
          loosen();
          scope.together.follow(null);
        }}
        onMoveEnd={timing.end}
      >
        {project?.show_grid === true && <Background gap={grid} size={3} />}
        {!isWhole && <FarLayer {...{ flow, tools }} />}
        <GuideLines lines={guides.lines} />
        <OthersOnMap nodes={flow.nodes} />
        <MiniMap nodes={flow.nodes} tools={tools} />
      </ReactFlow>
      <FollowNote />
      {children}
    </div>
  );
};

/** Measures of the page's own: `topolog:lab` (milliseconds until the lab stands), `topolog:map:move` (with `frames` that were shown meanwhile). */
const useMapTiming = (isFitted: boolean): { begin: () => void; end: () => void } => {
  useEffect(() => {
    if (!isFitted) return;
    // In the second turn of the screen from here, what was drawn is to be seen.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (performance.getEntriesByName('topolog:lab:open').length === 0) return;
        performance.measure('topolog:lab', { start: 'topolog:lab:open' });
        // Once for each lab, however often it is fitted.
        performance.clearMarks('topolog:lab:open');
      }),
    );
  }, [isFitted]);
  useEffect(() => () => document.documentElement.removeAttribute('data-map-moves'), []);
  return useMemo(() => {
    let isMoving = false;
    let frames = 0;
    let start = 0;
    const count = (): void => {
      if (!isMoving) return;
      frames += 1;
      requestAnimationFrame(count);
    };
    return {
      begin: () => {
        if (isMoving) return;
        isMoving = true;
        // Objects that move as a whole are a picture of their own meanwhile, and none of them is looked for under the pointer.
        document.documentElement.toggleAttribute('data-map-moves', true);
        frames = 0;
        start = performance.now();
        requestAnimationFrame(count);
      },
      end: () => {
        if (!isMoving) return;
        isMoving = false;
        document.documentElement.toggleAttribute('data-map-moves', false);
        performance.measure('topolog:map:move', { start, detail: { frames } });
      },
    };
  }, []);
};
