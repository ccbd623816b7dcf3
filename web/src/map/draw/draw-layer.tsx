import type { Point } from '../actions/free-place.ts';
import { useReactFlow } from '@xyflow/react';
import { type KeyboardEvent, type PointerEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { useStore } from '../../store/use-store.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import type { MapEdge, MapNode } from '../flow/flow.ts';
import { makeDrawing } from './change-drawing.ts';
import { DrawBar } from './draw-bar.tsx';
import './draw.css';
import { between, SMALLEST, thinned } from './geometry.ts';
import { middleOfMap, usePastedPictures, usePictures } from './pictures.ts';
import { drawTool, editedDrawing, type Look, type Shape, svgOf } from './shapes.ts';

const LOOK = { stroke: '#457b9d', fill: '#e8f1f8', fontSize: 16 } as const;
/** Size of a drawing that is placed by a key or a click, pixels. */
const PLAIN = { width: 200, height: 120 };
/** Lines may be flat; their ends still have to be seen. */
const THIN = 4;

interface Drawn {
  readonly shape: Shape;
  readonly points: readonly Point[];
  /** Shift: as wide as high. */
  readonly isEven: boolean;
}

/** A drawing of the places that a hand went to, on the map. */
const drawingOf = ({ shape, points, isEven }: Drawn): { svg: string; x: number; y: number; z: number } => {
  const [first = { x: 0, y: 0 }] = points;
  const last = points.at(-1) ?? first;
  const box = shape === 'freehand' ? around(points) : between(first, last, isEven && shape !== 'line');
  const isFlat = shape === 'line' || shape === 'freehand';
  const size = isFlat
    ? { width: Math.max(THIN, Math.round(box.width)), height: Math.max(THIN, Math.round(box.height)) }
    : { width: Math.max(SMALLEST, Math.round(box.width)), height: Math.max(SMALLEST, Math.round(box.height)) };
  const look: Look = {
    ...LOOK,
    ...size,
    fill: isFlat ? null : LOOK.fill,
    stroke: shape === 'text' ? '#000000' : LOOK.stroke,
    text: t('Text'),
    isRising: (last.x - first.x) * (last.y - first.y) < 0,
    points: points.map(({ x, y }) => ({ x: x - box.x, y: y - box.y })),
  };
  return { svg: svgOf(shape, look), x: box.x, y: box.y, z: shape === 'rectangle' || shape === 'ellipse' ? 0 : 2 };
};

/** Room for half of a line's width on each side. */
const EDGE = 2;

const around = (points: readonly Point[]): { x: number; y: number; width: number; height: number } => {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - EDGE, Math.min(...ys) - EDGE];
  return { x, y, width: Math.max(...xs) + EDGE - x, height: Math.max(...ys) + EDGE - y };
};

/** Layer on which drawings are made by dragging, with the bar of the selected drawing. */
export const DrawLayer = (): ReactElement | null => {
  const { isReadOnly } = useView();
  const tool = useStore(drawTool);
  usePastedPictures();
  useEffect(() => () => drawTool.set(null), []);
  if (isReadOnly) return null;
  return tool === null ? <DrawBar /> : <Paper tool={tool} />;
};

const Paper = ({ tool }: { tool: Shape }): ReactElement => {
  const { lab } = useScope();
  const canvas = useReactFlow<MapNode, MapEdge>();
  const paper = useRef<HTMLDivElement>(null);
  const [trail, setTrail] = useState<readonly Point[]>([]);
  const [isEven, setEven] = useState(false);
  useEffect(() => paper.current?.focus(), []);
  const make = (screen: readonly Point[], even: boolean): void => {
    drawTool.set(null);
    const points = thinned(screen).map((point) => canvas.screenToFlowPosition(point));
    const [first = { x: 0, y: 0 }] = points;
    const isClick = screen.length < 2 || points.length < 2;
    const plain = [first, { x: first.x + PLAIN.width, y: first.y + PLAIN.height }];
    const drawing = drawingOf({
      shape: isClick && tool === 'freehand' ? 'line' : tool,
      points: isClick ? plain : points,
      isEven: even,
    });
    void makeDrawing(lab, canvas, drawing).then(() => {
      if (tool === 'text') editedDrawing.set('last');
    });
  };
  const keyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') drawTool.set(null);
    if (event.key === 'Enter') make([middleOfMap()], false);
    if (event.key === 'Escape' || event.key === 'Enter') event.preventDefault();
  };
  const move = (event: PointerEvent): void => {
    if (trail.length === 0) return;
    setEven(event.shiftKey);
    const point = { x: event.clientX, y: event.clientY };
    setTrail((now) => (tool === 'freehand' ? [...now, point] : [...now.slice(0, 1), point]));
  };
  return (
    <div
      ref={paper}
      className="draw-paper"
      role="application"
      tabIndex={0}
      aria-label={t('Drag to draw. Enter puts the drawing into the middle, Escape ends.')}
      onKeyDown={keyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setTrail([{ x: event.clientX, y: event.clientY }]);
      }}
      onPointerMove={move}
      onPointerUp={() => {
        if (trail.length > 0) make(trail, isEven);
      }}
      onPointerCancel={() => setTrail([])}
    >
      <p className="draw-hint">{t('Drag to draw; Shift keeps it even, Escape ends.')}</p>
      <Sketch {...{ tool, trail, isEven }} />
    </div>
  );
};

/** Preview of the drawing while it is dragged. */
const Sketch = ({
  tool,
  trail,
  isEven,
}: {
  tool: Shape;
  trail: readonly Point[];
  isEven: boolean;
}): ReactElement | null => {
  const box = document.querySelector('.react-flow')?.getBoundingClientRect();
  const points = trail.map(({ x, y }) => ({ x: x - (box?.left ?? 0), y: y - (box?.top ?? 0) }));
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return null;
  const { x, y, width, height } = between(first, last, isEven && tool !== 'line');
  const path = points.map((point) => `${point.x} ${point.y}`).join('L');
  return (
    <svg className="draw-sketch" aria-hidden="true">
      {tool === 'ellipse' ? (
        <ellipse cx={x + width / 2} cy={y + height / 2} rx={width / 2} ry={height / 2} />
      ) : tool === 'line' || tool === 'freehand' ? (
        <path d={`M${path}`} />
      ) : (
        <rect {...{ x, y, width, height }} />
      )}
    </svg>
  );
};

/** Menu of shapes, at the button that opened it or in the middle of the map. */
export const DrawMenu = ({ onClose }: { onClose: () => void }): ReactElement => {
  const put = usePictures();
  const at = useRef(placeOf()).current;
  const tool = (text: string, shape: Shape, icon: NonNullable<MenuItem['icon']>): MenuItem => ({
    text,
    icon,
    onChoose: () => drawTool.set(shape),
  });
  const items: MenuItem[] = [
    tool(t('Rectangle'), 'rectangle', 'stop'),
    tool(t('Ellipse'), 'ellipse', 'record'),
    tool(t('Line'), 'line', 'minus'),
    tool(t('Freehand'), 'freehand', 'edit'),
    tool(t('Text'), 'text', 'text'),
    {
      text: t('Picture …'),
      icon: 'upload',
      startsGroup: true,
      onChoose: () => askForPicture((file) => void put(file, middleOfMap())),
    },
  ];
  return <Menu label={t('Draw')} at={at} items={items} onClose={onClose} />;
};

const placeOf = (): { x: number; y: number } => {
  const button = document.activeElement?.closest('.map button, [role=toolbar] button');
  const box = button?.getBoundingClientRect();
  return box === undefined ? middleOfMap() : { x: box.right + 4, y: box.top };
};

const askForPicture = (onFile: (file: File) => void): void => {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml';
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) onFile(file);
  });
  input.click();
};
