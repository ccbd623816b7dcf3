import { useStore as useFlowStore } from '@xyflow/react';
import { type CSSProperties, type ReactElement, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import type { Lab } from '../../store/lab.ts';
import type { Drawing } from '../../store/records.ts';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { drawnSize } from '../flow/drawing-size.ts';
import { changeDrawing, outermost } from './change-drawing.ts';
import { type Change, editShape, readShape, resizeShape } from './edit-shape.ts';
import { turned } from './geometry.ts';
import { LineFields, SizeFields, TextFields } from './bar-fields.tsx';
import { edited } from './tool.ts';

/** What can be changed of the drawing that is selected alone, beside it. */
export const DrawBar = (): ReactElement | null => {
  const { workbench } = useScope();
  const { records } = useView();
  const selected = useStore(workbench, (now) => now.selected);
  const [id] = selected;
  const drawing = selected.length === 1 && id !== undefined ? records.drawings.get(id) : undefined;
  // A drawing that others change gets other fields; those that somebody types in stay.
  return drawing === undefined || drawing.locked ? null : <Bar key={drawing.drawing_id} drawing={drawing} />;
};

/** Changes that follow each other within this time are one. Milliseconds. */
const GATHER_MS = 400;

/** The drawing as it is to be, told to the server once the hand rests. */
const useDraft = (lab: Lab, drawing: Drawing): readonly [string, (svg: string) => void] => {
  const [draft, setDraft] = useState<string | null>(null);
  const latest = useRef({ drawing, draft });
  useEffect(() => {
    latest.current = { drawing, draft };
  });
  useEffect(() => {
    if (draft === null) return undefined;
    const save = (): void =>
      void changeDrawing(lab, latest.current.drawing, { svg: draft }).then(() =>
        setDraft((now) => (now === draft ? null : now)),
      );
    const timer = setTimeout(save, GATHER_MS);
    return () => clearTimeout(timer);
  }, [lab, draft]);
  // Somebody who goes elsewhere has not changed their mind.
  useEffect(
    () => () => {
      const { draft: last, drawing: one } = latest.current;
      if (last !== null) void changeDrawing(lab, one, { svg: last });
    },
    [lab],
  );
  return [draft ?? drawing.svg, setDraft];
};

const Bar = ({ drawing }: { drawing: Drawing }): ReactElement => {
  const { lab } = useScope();
  const { records } = useView();
  const [svg, setSvg] = useDraft(lab, drawing);
  const bar = useRef<HTMLDivElement>(null);
  const wanted = useStore(edited);
  useEffect(() => {
    if (wanted === null) return;
    edited.set(null);
    const first = bar.current?.querySelector<HTMLElement>('textarea, input, select, button');
    first?.focus();
    if (first instanceof HTMLTextAreaElement) first.select();
  }, [wanted]);
  const shown = readShape(svg);
  const size = drawnSize(svg);
  const change = (wish: Change): void => {
    const next = editShape(svg, wish);
    // A wider line needs more room inside.
    setSvg(wish.lineWidth === undefined ? next : resizeShape(next, size, size));
  };
  return (
    <div
      ref={bar}
      className="draw-bar nodrag nopan"
      role="toolbar"
      aria-label={t('Drawing')}
      style={usePlace(drawing)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape')
          document.querySelector<HTMLElement>(`.react-flow [data-id="${CSS.escape(drawing.drawing_id)}"]`)?.focus();
      }}
    >
      {shown?.shape === 'text' && <TextFields shown={shown} onChange={change} />}
      {shown !== null && shown.shape !== 'text' && <LineFields shown={shown} onChange={change} />}
      <SizeFields
        size={size}
        rotation={drawing.rotation}
        hasSize={shown?.shape !== 'text'}
        onSize={(to) => setSvg(resizeShape(svg, size, to))}
        onTurn={(rotation) => {
          const { x, y } = turned({ x: drawing.x, y: drawing.y, ...size, rotation: drawing.rotation }, rotation);
          void changeDrawing(lab, drawing, { x, y, rotation });
        }}
      />
      <IconButton
        icon="chevronUp"
        label={t('Bring to front')}
        onClick={() => void changeDrawing(lab, drawing, { z: outermost(records, 'front') })}
      />
      <IconButton
        icon="chevronDown"
        label={t('Send to back')}
        onClick={() => void changeDrawing(lab, drawing, { z: outermost(records, 'back') })}
      />
    </div>
  );
};

/** Half of the bar, and its height, at most; and the room that the handles need: pixels. */
const HALF = 330;
const HIGH = 120;
const HANDLES = 44;
const EDGE = 8;

/** Above the drawing, or below it where there is no room. */
const usePlace = ({ drawing_id, svg }: Drawing): CSSProperties => {
  const [x, y, zoom] = useFlowStore(({ transform }) => transform);
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const at = useFlowStore(({ nodeLookup }) => nodeLookup.get(drawing_id)?.internals.positionAbsolute);
  const size = drawnSize(svg);
  const middle = x + ((at?.x ?? 0) + size.width / 2) * zoom;
  const top = y + (at?.y ?? 0) * zoom - HANDLES;
  const below = y + ((at?.y ?? 0) + size.height) * zoom + HANDLES / 2;
  const half = Math.min(HALF, width / 2 - EDGE);
  const left = Math.min(Math.max(middle, half + EDGE), width - half - EDGE);
  if (top > HIGH) return { left, top: Math.min(top, height - EDGE), transform: 'translate(-50%, -100%)' };
  return below < height - HIGH ? { left, top: below } : { left, top: EDGE };
};
