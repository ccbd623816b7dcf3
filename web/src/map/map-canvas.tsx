import {
  Background,
  ConnectionMode,
  MiniMap,
  ReactFlow,
  type ReactFlowProps,
  SelectionMode,
  useStore as useFlowStore,
} from '@xyflow/react';
import { type KeyboardEvent, type MouseEvent, type ReactElement, useEffect, useMemo, useState } from 'react';
import { useView } from '../app/lab-context.tsx';
import { isDark } from '../app/user/theme.ts';
import { useComputeLook } from '../computes/use-compute-look.ts';
import { useStore } from '../store/use-store.ts';
import { openPanel, openSheet } from '../store/workbench.ts';
import type { Asked } from './actions/asked.ts';
import { DrawingNode } from './flow/drawing-node.tsx';
import { FarLinks } from './flow/far-links.tsx';
import type { MapEdge, MapNode } from './flow/flow.ts';
import { LabEdge } from './flow/lab-edge.tsx';
import { LabNode } from './flow/lab-node.tsx';
import { ComputeLegend } from './compute-legend.tsx';
import { MapDialogs } from './dialogs/map-dialogs.tsx';
import { MapToolbar } from './map-toolbar.tsx';
import { type Detail, type MapTools, MapToolsContext } from './map-tools.ts';
import { editDrawing } from './actions/menus.ts';
import { FIT } from './flow/fit.ts';
import { useFlow } from './flow/use-flow.ts';
import { useMapMarks } from './flow/use-map-marks.ts';
import { useRefit } from './flow/use-refit.ts';
import { type MapScope, useMapScope } from './flow/use-map-scope.ts';

type FlowProps = ReactFlowProps<MapNode, MapEdge>;

/** What is the same for every map. */
const FIXED: FlowProps = {
  nodeTypes: { lab: LabNode, drawing: DrawingNode },
  edgeTypes: { lab: LabEdge },
  connectionMode: ConnectionMode.Loose,
  connectionRadius: 50,
  elevateNodesOnSelect: false,
  elevateEdgesOnSelect: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  panActivationKeyCode: null,
  multiSelectionKeyCode: ['Control', 'Meta'],
  selectionMode: SelectionMode.Partial,
  zoomOnDoubleClick: false,
  minZoom: 0.03,
  maxZoom: 4,
  fitView: true,
  fitViewOptions: FIT,
};
/** From here on names of ports can be read. */
const NEAR = 0.5;
/** Labs with more nodes than these are drawn more simply from far away. */
const CROWDED = 250;
const FAR = 0.4;
const NO_EDGES: MapEdge[] = [];

const detailAt = (zoom: number, isCrowded: boolean): Detail =>
  isCrowded && zoom < FAR ? 'far' : zoom < NEAR ? 'middle' : 'near';

const STATE_COLOURS = { started: 'var(--started)', stopped: 'var(--stopped)', suspended: 'var(--suspended)' } as const;

/** On the small map: by state, or by compute. */
const colourIn =
  ({ looks, withComputes }: MapTools) =>
  ({ data }: MapNode): string => {
    if (!('node' in data)) return 'transparent';
    const { status, compute_id } = data.node;
    return (withComputes ? looks.get(compute_id)?.colour : undefined) ?? STATE_COLOURS[status];
  };

/** What the hand does to objects. */
const handlersOf = (scope: MapScope): FlowProps => {
  const { workbench, isPast, ask } = scope;
  const menuAt = (event: MouseEvent | globalThis.MouseEvent, id: string | null): void => {
    event.preventDefault();
    scope.askMenu(id, { x: event.clientX, y: event.clientY });
  };
  const moved = (nodes: readonly MapNode[]): void => scope.move(nodes.map(({ id, position }) => ({ id, ...position })));
  return {
    onConnect: ({ source, target }) => {
      if (source !== target) ask({ what: 'link', from: source, to: target });
    },
    onNodeDragStop: (_event, _node, nodes) => moved(nodes),
    onSelectionDragStop: (_event, nodes) => moved(nodes),
    onNodeContextMenu: (event, { id }) => menuAt(event, id),
    onEdgeContextMenu: (event, { id }) => menuAt(event, id),
    onSelectionContextMenu: (event) => menuAt(event, null),
    onPaneContextMenu: (event) => {
      scope.chooseNone();
      menuAt(event, null);
    },
    onNodeDoubleClick: (_event, { data, id }) => {
      if ('drawing' in data) editDrawing(scope, { nodes: [], links: [], drawings: [data.drawing] });
      if (!isPast && 'node' in data && data.node.console_type !== 'none')
        workbench.update(openPanel({ kind: 'console', nodeId: id }));
    },
    onEdgeDoubleClick: (_event, { id }) => {
      if (!isPast) workbench.update(openSheet({ kind: 'link', linkId: id }));
    },
  };
};

const keyDown = (scope: MapScope, event: KeyboardEvent): void => {
  if (!(event.target instanceof Element) || event.target.closest('.map-toolbar, .compute-legend') !== null) return;
  const id = event.target.closest('[data-id]')?.getAttribute('data-id') ?? null;
  if (scope.press(event, id)) event.preventDefault();
};

/** What parts of the map share, and what it follows from. */
const useTools = () => {
  const { records } = useView();
  const [withComputes, setWithComputes] = useState(false);
  const { looks, places } = useComputeLook(withComputes);
  const isCrowded = records.nodes.size > CROWDED;
  const detail = useFlowStore(({ transform: [, , zoom] }) => detailAt(zoom, isCrowded));
  const withPortNames = records.project?.show_interface_labels !== false;
  const tools: MapTools = useMemo(
    () => ({ detail, withPortNames, looks, withComputes }),
    [detail, withPortNames, looks, withComputes],
  );
  return { tools, places, isCrowded, setWithComputes };
};

/** What the hand does; and the map goes to what another part of the page wants to be seen. */
const useHandlers = (scope: MapScope): FlowProps => {
  const { workbench, show } = scope;
  const wanted = useStore(workbench, (now) => now.wanted);
  useEffect(() => {
    if (wanted !== null) show(wanted.id);
  }, [wanted, show]);
  return useMemo(() => handlersOf(scope), [scope]);
};

export const MapCanvas = (): ReactElement => {
  const { records, isReadOnly, past } = useView();
  const { tools, places, isCrowded, setWithComputes } = useTools();
  const { detail, withComputes } = tools;
  const flow = useFlow(places);
  const [asked, ask] = useState<Asked | null>(null);
  const [isLinking, setLinking] = useState(false);
  const scope = useMapScope(flow, ask);
  const dark = useStore(isDark);
  const colourOf = useMemo(() => colourIn(tools), [tools]);
  const timing = useMapMarks(useFlowStore((state) => !state.fitViewQueued && state.width > 0));
  const loosen = useRefit(scope.fitted, scope.refit);
  const { project } = records;
  const grid = Math.max(5, project?.grid_size ?? 75);
  const handlers = useHandlers(scope);
  return (
    <MapToolsContext value={tools}>
      <section
        className={`map ${detail}${isLinking ? ' linking' : ''}${past === null ? '' : ' past'}`}
        aria-label="Map of the lab. Press ? for its keys."
        onKeyDown={(event) => keyDown(scope, event)}
      >
        <MapToolbar
          {...{ scope, isLinking, withComputes, ask }}
          onLinking={setLinking}
          onWithComputes={setWithComputes}
        />
        {withComputes && <ComputeLegend onChoose={flow.choose} />}
        <ReactFlow<MapNode, MapEdge>
          {...FIXED}
          {...handlers}
          nodes={flow.nodes}
          edges={detail === 'far' ? NO_EDGES : flow.edges}
          onlyRenderVisibleElements={isCrowded}
          onNodesChange={flow.onNodesChange}
          onEdgesChange={flow.onEdgesChange}
          colorMode={dark ? 'dark' : 'light'}
          nodesConnectable={!isReadOnly && isLinking}
          nodesDraggable={!isReadOnly && !isLinking}
          snapToGrid={project?.snap_to_grid ?? false}
          snapGrid={[grid, grid]}
          onMoveStart={(event) => {
            timing.begin();
            // Without an event it was no hand that moved it.
            if (event !== null) loosen();
          }}
          onMoveEnd={timing.end}
        >
          {project?.show_grid === true && <Background gap={grid} size={3} />}
          {detail === 'far' && <FarLinks edges={flow.edges} />}
          <MiniMap className="mini-map" nodeColor={colourOf} pannable zoomable ariaLabel="Small map" />
        </ReactFlow>
        {records.nodes.size === 0 && records.drawings.size === 0 && (
          <p className="map-empty">{isReadOnly ? 'Nothing is here.' : 'Nothing is here yet. Add a node.'}</p>
        )}
        <MapDialogs asked={asked} scope={scope} onClose={() => ask(null)} />
      </section>
    </MapToolsContext>
  );
};
