import { useStoreApi } from '@xyflow/react';
import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { isDark } from '../../app/user/theme.ts';
import { useStore } from '../../store/use-store.ts';
import type { MapEdge, MapNode } from '../flow/flow.ts';
import type { Flow } from '../flow/use-flow.ts';
import type { MapTools } from '../map-tools.ts';
import { nodesIn } from './far-nodes.ts';
import { drawLinks, drawNodes, pathOfPointed, pathsOf, tokensOf } from './far-picture.ts';

interface Props {
  readonly flow: Pick<Flow, 'nodes' | 'edges' | 'choose'>;
  readonly tools: MapTools;
}

/** All nodes and links of a large lab from far away, as one picture that is drawn again when the view or the lab changes. */
export const FarLayer = ({ flow: { nodes, edges, choose }, tools }: Props): ReactElement => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const store = useStoreApi<MapNode, MapEdge>();
  const dark = useStore(isDark);
  const { workbench } = useScope();
  const about = useStore(workbench, (now) => now.pointed);
  const paths = useMemo(
    () => new Map([...pathsOf(edges, nodes)].map(([kind, path]) => [kind, new Path2D(path)])),
    [edges, nodes],
  );
  const lit = useMemo(() => {
    const path = pathOfPointed(edges, nodes, about);
    return new Map(path === null ? [] : [['selected', new Path2D(path)] as const]);
  }, [edges, nodes, about]);
  useEffect(() => {
    const element = canvas.current;
    const on = element?.getContext('2d');
    if (element === null || on === null || on === undefined) return undefined;
    const tokens = tokensOf(element);
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const { width, height, transform } = store.getState();
      const [x, y, zoom] = transform;
      const ratio = devicePixelRatio;
      const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
      if (element.width !== size.width || element.height !== size.height) Object.assign(element, size);
      else on.clearRect(0, 0, size.width, size.height);
      on.setTransform(zoom * ratio, 0, 0, zoom * ratio, x * ratio, y * ratio);
      drawLinks(on, paths, tokens);
      drawLinks(on, lit, tokens);
      drawNodes(on, nodes, { tools, tokens, pointed: about });
      on.resetTransform();
    };
    draw();
    let last = store.getState().transform;
    const end = store.subscribe(({ transform }) => {
      if (transform === last) return;
      last = transform;
      frame ||= requestAnimationFrame(draw);
    });
    return () => {
      end();
      cancelAnimationFrame(frame);
    };
  }, [store, paths, lit, nodes, tools, about, dark]);
  useBoxes(nodes, choose);
  return <canvas ref={canvas} className="far-layer" aria-hidden="true" />;
};

/** Selects what a box touches that is drawn with Shift: nodes of a picture are no elements that would be found in it. */
const useBoxes = (nodes: readonly MapNode[], choose: Flow['choose']): void => {
  const store = useStoreApi<MapNode, MapEdge>();
  const now = useRef({ nodes, choose });
  now.current = { nodes, choose };
  useEffect(() => {
    let isDrawn = false;
    return store.subscribe(({ userSelectionRect: box, transform: [x, y, zoom] }) => {
      if (box !== null) {
        isDrawn = true;
        const inside = nodesIn(now.current.nodes, {
          ...{ x: (box.x - x) / zoom, y: (box.y - y) / zoom },
          ...{ width: box.width / zoom, height: box.height / zoom },
        });
        now.current.choose((id) => inside.has(id));
      } else if (isDrawn) {
        isDrawn = false;
        // What is selected is dragged as a whole.
        store.setState({ nodesSelectionActive: now.current.nodes.some(({ selected }) => selected) });
      }
    });
  }, [store]);
};
