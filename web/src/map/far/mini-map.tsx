import { Panel, useReactFlow, useStore as useFlowStore, useStoreApi } from '@xyflow/react';
import {
  type PointerEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { isDark } from '../../app/user/theme.ts';
import { useStore } from '../../store/use-store.ts';
import { t } from '../../words/words.ts';
import type { MapNode } from '../flow/flow.ts';
import type { MapTools } from '../map-tools.ts';
import { boundsOf } from './far-nodes.ts';
import { colourOf, tokensOf } from './far-picture.ts';

/** Pixels. */
const SIZE = { width: 200, height: 150 };
const MARGIN = 8;
/** A node is to be seen, however small the lab is drawn. */
const LEAST = 2;

interface Props {
  readonly nodes: readonly MapNode[];
  readonly tools: MapTools;
}

/** Pixels of the small map for one of the lab, and what of the lab is at its corner. */
interface Place {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

const placeOf = (nodes: readonly MapNode[]): Place => {
  const { x, y, width, height } = boundsOf(nodes) ?? { x: 0, y: 0, ...SIZE };
  const room = { width: SIZE.width - 2 * MARGIN, height: SIZE.height - 2 * MARGIN };
  const scale = Math.min(room.width / Math.max(1, width), room.height / Math.max(1, height));
  return { scale, left: x - (SIZE.width / scale - width) / 2, top: y - (SIZE.height / scale - height) / 2 };
};

const draw = (canvas: HTMLCanvasElement, { nodes, tools }: Props, { scale, left, top }: Place): void => {
  const on = canvas.getContext('2d');
  if (on === null) return;
  const tokens = tokensOf(canvas);
  Object.assign(canvas, { width: SIZE.width * devicePixelRatio, height: SIZE.height * devicePixelRatio });
  on.scale(devicePixelRatio, devicePixelRatio);
  for (const node of nodes) {
    const colour = colourOf(node, tools);
    if (colour === '') continue;
    on.fillStyle = tokens(colour);
    const [width, height] = [Math.max(LEAST, (node.width ?? 0) * scale), Math.max(LEAST, (node.height ?? 0) * scale)];
    on.fillRect((node.position.x - left) * scale, (node.position.y - top) * scale, width, height);
  }
};

/** The whole lab in a corner, with a frame around what is seen of it; nothing while all of it is seen. */
export const MiniMap = ({ nodes, tools }: Props): ReactElement | null => {
  const bounds = useMemo(() => boundsOf(nodes), [nodes]);
  const isAllSeen = useFlowStore(({ transform: [x, y, zoom], width, height }) => {
    if (bounds === null) return true;
    const [left, top] = [bounds.x * zoom + x, bounds.y * zoom + y];
    return left >= 0 && top >= 0 && left + bounds.width * zoom <= width && top + bounds.height * zoom <= height;
  });
  return isAllSeen ? null : <SmallMap nodes={nodes} tools={tools} />;
};

/** It is drawn when the lab changes; the frame alone follows the view. */
const SmallMap = ({ nodes, tools }: Props): ReactElement => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const flow = useReactFlow();
  const dark = useStore(isDark);
  const place = useMemo(() => placeOf(nodes), [nodes]);
  const { scale, left, top } = place;
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, { nodes, tools }, place);
  }, [nodes, tools, dark, place]);
  const frame = useFrame(place);
  /** The place under the pointer comes into the middle. */
  const go = ({ currentTarget, clientX, clientY }: PointerEvent): void => {
    const box = currentTarget.getBoundingClientRect();
    const at = { x: (clientX - box.left) / scale + left, y: (clientY - box.top) / scale + top };
    void flow.setCenter(at.x, at.y, { zoom: flow.getZoom() });
  };
  return (
    <Panel position="bottom-right" className="mini-map">
      <div
        role="img"
        aria-label={t('Small map')}
        style={SIZE}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) go(event);
        }}
        onWheel={({ deltaY }) => void (deltaY < 0 ? flow.zoomIn() : flow.zoomOut())}
      >
        <canvas ref={canvas} style={SIZE} />
        <span ref={frame} className="mini-map-frame" />
      </div>
    </Panel>
  );
};

/** Draws the visible part in each frame, without rendering the page again. */
const useFrame = ({ scale, left, top }: Place): RefObject<HTMLSpanElement | null> => {
  const frame = useRef<HTMLSpanElement>(null);
  const store = useStoreApi();
  useLayoutEffect(() => {
    const show = (): void => {
      const { transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      Object.assign(frame.current?.style ?? {}, {
        transform: `translate(${(-x / zoom - left) * scale}px, ${(-y / zoom - top) * scale}px)`,
        width: `${(width / zoom) * scale}px`,
        height: `${(height / zoom) * scale}px`,
      });
    };
    show();
    return store.subscribe(show);
  }, [store, scale, left, top]);
  return frame;
};
