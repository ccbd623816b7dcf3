import { useStoreApi } from '@xyflow/react';
import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { isDark } from '../../app/user/theme.ts';
import { useStore } from '../../store/use-store.ts';
import type { MapEdge, MapNode } from '../flow/flow.ts';
import type { Flow } from '../flow/use-flow.ts';
import type { MapTools } from '../map-tools.ts';
import { boundsOf, inHand, nodesIn } from './far-nodes.ts';
import { drawLinks, drawNodes, pathOfPointed, pathsOf, type Tokens, tokensOf } from './far-picture.ts';
import { isEnough, type Part, partOf, placeOf, STILL_MS, type View } from './far-view.ts';

interface Props {
  readonly flow: Pick<Flow, 'nodes' | 'edges' | 'choose'>;
  readonly tools: MapTools;
}

/** All nodes and links of a large lab from far away, as one picture, and what is in the hand as another over it. */
export const FarLayer = ({ flow: { nodes, edges, choose }, tools }: Props): ReactElement => {
  useBoxes(nodes, choose);
  const { held, heldEdges, ends, ...rest } = useMemo(() => inHand(nodes, edges), [nodes, edges]);
  const [still, lines] = [useKept(rest.nodes), useKept(rest.edges)];
  return (
    <>
      <FarPicture nodes={still} edges={lines} ends={still} tools={tools} />
      {held.length > 0 && <FarPicture nodes={held} edges={heldEdges} ends={ends} tools={tools} />}
    </>
  );
};

/** The same list for as long as the same things are in it. */
const useKept = <T,>(list: readonly T[]): readonly T[] => {
  const kept = useRef(list);
  const { current } = kept;
  if (current.length !== list.length || current.some((one, index) => one !== list[index])) kept.current = list;
  return kept.current;
};

interface PictureProps extends Pick<Props, 'tools'> {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  /** Between which the links are. */
  readonly ends: readonly MapNode[];
}

/** Nodes and links as a picture that is moved as a whole while the view moves, and drawn again when that ends or the lab changes. */
const FarPicture = ({ nodes, edges, ends, tools }: PictureProps): ReactElement => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const store = useStoreApi<MapNode, MapEdge>();
  const tokens = useTokens();
  const { workbench } = useScope();
  const pointed = useStore(workbench, (now) => now.pointed);
  const paths = useMemo(() => asPaths(pathsOf(edges, ends)), [edges, ends]);
  const lit = useMemo(() => {
    const path = pathOfPointed(edges, ends, pointed);
    return asPaths(new Map(path === null ? [] : [['selected', path]]));
  }, [edges, ends, pointed]);
  const bounds = useMemo(() => boundsOf(ends), [ends]);
  useEffect(() => {
    const element = canvas.current;
    const on = element?.getContext('2d');
    if (element === null || on === null || on === undefined) return undefined;
    const draw = (part: Part): void => {
      const { view } = part;
      begin(element, on, part);
      const area = {
        x: (part.left - view.x) / view.zoom,
        y: (part.top - view.y) / view.zoom,
        width: part.width / view.zoom,
        height: part.height / view.zoom,
      };
      drawLinks(on, paths, tokens);
      drawLinks(on, lit, tokens);
      drawNodes(on, nodes, { tools, tokens, pointed, area });
    };
    const viewNow = (): View => {
      const { width, height, transform } = store.getState();
      const [x, y, zoom] = transform;
      return { x, y, zoom, width, height };
    };
    return follow(viewNow, store.subscribe, {
      draw: (view) => {
        const part = partOf(bounds, view);
        draw(part);
        place(element, part, view);
        return part;
      },
      move: (part, view) => {
        if (!isEnough(part, bounds, view)) return false;
        place(element, part, view);
        return true;
      },
    });
  }, [store, paths, lit, nodes, bounds, tools, pointed, tokens]);
  return <canvas ref={canvas} className="far-layer" aria-hidden="true" />;
};

const asPaths = (paths: ReadonlyMap<string, string>): ReadonlyMap<string, Path2D> =>
  new Map([...paths].map(([kind, path]) => [kind, new Path2D(path)]));

const tokensByTheme = new Map<boolean, Tokens>();

/** Colours of the page, looked up once for each theme: each look makes the browser work out all styles. */
const useTokens = (): Tokens => {
  const dark = useStore(isDark);
  const tokens = tokensByTheme.get(dark) ?? tokensOf(document.documentElement);
  tokensByTheme.set(dark, tokens);
  return tokens;
};

/** An empty canvas for that part, in sizes of the lab. */
const begin = (element: HTMLCanvasElement, on: CanvasRenderingContext2D, { view, ...part }: Part): void => {
  const ratio = devicePixelRatio;
  Object.assign(element, { width: Math.round(part.width * ratio), height: Math.round(part.height * ratio) });
  Object.assign(element.style, { width: `${part.width}px`, height: `${part.height}px` });
  const { x, y, zoom } = view;
  on.setTransform(zoom * ratio, 0, 0, zoom * ratio, (x - part.left) * ratio, (y - part.top) * ratio);
};

const place = (element: HTMLCanvasElement, part: Part, view: View): void => {
  const { left, top, scale } = placeOf(part, view);
  element.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
};

interface Picture {
  readonly draw: (view: View) => Part;
  /** Answers whether what is drawn is enough for that view. */
  readonly move: (part: Part, view: View) => boolean;
}

/** Has a picture go along with the view. Answers what ends it. */
const follow = (
  viewNow: () => View,
  subscribe: (listener: () => void) => () => void,
  { draw, move }: Picture,
): (() => void) => {
  let last = viewNow();
  let part = draw(last);
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    part = draw(last);
  };
  const turn = (): void => {
    frame = 0;
    if (!move(part, last)) part = draw(last);
  };
  const end = subscribe(() => {
    const view = viewNow();
    if (isSame(view, last)) return;
    last = view;
    frame ||= requestAnimationFrame(turn);
    clearTimeout(timer);
    timer = setTimeout(settle, STILL_MS);
  });
  return () => {
    end();
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
};

const isSame = (a: View, b: View): boolean =>
  a.x === b.x && a.y === b.y && a.zoom === b.zoom && a.width === b.width && a.height === b.height;

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
          x: (box.x - x) / zoom,
          y: (box.y - y) / zoom,
          width: box.width / zoom,
          height: box.height / zoom,
        });
        now.current.choose((id) => inside.has(id));
      } else if (isDrawn) {
        isDrawn = false;
        // Selected objects are dragged as a whole.
        store.setState({ nodesSelectionActive: now.current.nodes.some(({ selected }) => selected) });
      }
    });
  }, [store]);
};
