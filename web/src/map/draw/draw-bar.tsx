import { useStore as useFlowStore } from '@xyflow/react';
import { type CSSProperties, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import type { Lab } from '../../store/lab.ts';
import type { Drawing } from '../../store/records.ts';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { drawnSize } from '../flow/drawing-size.ts';
import { changeDrawing, outermost } from './change-drawing.ts';
import { type Align, type Change, editShape, readShape, resizeShape, type Shown } from './edit-shape.ts';
import { turned } from './geometry.ts';
import { editedDrawing } from './shapes.ts';

/** Bar beside a drawing that is selected alone, to change it. */
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
  const wanted = useStore(editedDrawing);
  useEffect(() => {
    if (wanted === null) return;
    editedDrawing.set(null);
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

interface BarFieldsProps {
  readonly shown: Shown;
  readonly onChange: (change: Change) => void;
}

/** A control under its name. */
const Field = ({ label, children }: { label: string; children: ReactNode }): ReactElement => (
  <label className="draw-field">
    <span>{label}</span>
    {children}
  </label>
);

const DASHES = { '': 'Solid', '8 4': 'Dashed', '2 4': 'Dotted', '8 4 2 4': 'Dash-dot' } as const;
const FONTS = [
  'sans-serif',
  'serif',
  'monospace',
  'Arial',
  'Courier New',
  'Georgia',
  'Times New Roman',
  'TypeWriter',
  'Verdana',
];
const MOST_SIZE = 400;

const LineFields = ({ shown, onChange }: BarFieldsProps): ReactElement => (
  <>
    <ColourField label={t('Line')} value={shown.stroke} onChange={(stroke) => onChange({ stroke })} />
    {(shown.shape === 'rectangle' || shown.shape === 'ellipse') && (
      <>
        <ColourField label={t('Fill')} value={shown.fill ?? '#ffffff'} onChange={(fill) => onChange({ fill })} />
        <Field label={t('Filled')}>
          <input
            type="checkbox"
            checked={shown.fill !== null}
            onChange={({ target }) => onChange({ fill: target.checked ? '#ffffff' : null })}
          />
        </Field>
      </>
    )}
    <NumberField
      label={t('Line width')}
      value={shown.lineWidth}
      least={0}
      most={50}
      onChange={(lineWidth) => onChange({ lineWidth })}
    />
    <Field label={t('Line style')}>
      <select value={shown.dashes} onChange={({ target }) => onChange({ dashes: target.value })}>
        {shown.dashes in DASHES ? null : <option value={shown.dashes}>{t('As it is')}</option>}
        {Object.entries(DASHES).map(([value, text]) => (
          <option key={value} value={value}>
            {t(text)}
          </option>
        ))}
      </select>
    </Field>
    <OpacityField shown={shown} onChange={onChange} />
  </>
);

const TextFields = ({ shown, onChange }: BarFieldsProps): ReactElement => (
  <>
    <textarea
      aria-label={t('Text')}
      rows={Math.min(4, shown.text.split('\n').length + 1)}
      value={shown.text}
      onChange={({ target }) => onChange({ text: target.value })}
    />
    <ColourField label={t('Colour')} value={shown.stroke} onChange={(stroke) => onChange({ stroke })} />
    <Field label={t('Typeface')}>
      <select value={shown.font} onChange={({ target }) => onChange({ font: target.value })}>
        {FONTS.includes(shown.font) ? null : <option value={shown.font}>{shown.font}</option>}
        {FONTS.map((font) => (
          <option key={font} value={font}>
            {font}
          </option>
        ))}
      </select>
    </Field>
    <NumberField
      label={t('Text size')}
      value={shown.fontSize}
      least={4}
      most={MOST_SIZE}
      onChange={(fontSize) => onChange({ fontSize })}
    />
    <Field label={t('Bold')}>
      <input type="checkbox" checked={shown.isBold} onChange={({ target }) => onChange({ isBold: target.checked })} />
    </Field>
    <Field label={t('Alignment')}>
      <select value={shown.align} onChange={({ target }) => onChange({ align: target.value as Align })}>
        <option value="start">{t('Left')}</option>
        <option value="middle">{t('Centred')}</option>
        <option value="end">{t('Right')}</option>
      </select>
    </Field>
    <OpacityField shown={shown} onChange={onChange} />
  </>
);

interface SizeProps {
  readonly size: { readonly width: number; readonly height: number };
  readonly rotation: number;
  readonly hasSize: boolean;
  readonly onSize: (size: { readonly width: number; readonly height: number }) => void;
  readonly onTurn: (rotation: number) => void;
}

const LARGEST = 10_000;

const SizeFields = ({ size, rotation, hasSize, onSize, onTurn }: SizeProps): ReactElement => (
  <>
    {hasSize && (
      <>
        <NumberField
          label={t('Width')}
          value={size.width}
          least={8}
          most={LARGEST}
          onChange={(width) => onSize({ ...size, width })}
        />
        <NumberField
          label={t('Height')}
          value={size.height}
          least={8}
          most={LARGEST}
          onChange={(height) => onSize({ ...size, height })}
        />
      </>
    )}
    <NumberField label={t('Rotation')} value={rotation} least={-359} most={360} onChange={onTurn} />
  </>
);

const OpacityField = ({ shown, onChange }: BarFieldsProps): ReactElement => (
  <Field label={t('Opacity')}>
    <input
      type="range"
      min={0}
      max={100}
      step={5}
      value={Math.round(shown.opacity * 100)}
      onChange={({ target }) => onChange({ opacity: Number(target.value) / 100 })}
    />
  </Field>
);

interface ColourProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

const ColourField = ({ label, value, onChange }: ColourProps): ReactElement => (
  <Field label={label}>
    <input type="color" value={value ?? '#000000'} onChange={({ target }) => onChange(target.value)} />
  </Field>
);

interface NumberProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** Told once it is a number within its bounds; until then only what is typed is shown. */
const NumberField = ({ label, value, least, most, onChange }: NumberProps): ReactElement => {
  const [typed, setTyped] = useState<string | null>(null);
  const tell = (text: string): void => {
    setTyped(text);
    const wanted = Number(text);
    if (text.trim() !== '' && Number.isFinite(wanted) && wanted >= least && wanted <= most && wanted !== value)
      onChange(wanted);
  };
  return (
    <Field label={label}>
      <input
        type="number"
        min={least}
        max={most}
        value={typed ?? String(value)}
        onChange={({ target }) => tell(target.value)}
        onBlur={() => setTyped(null)}
      />
    </Field>
  );
};
