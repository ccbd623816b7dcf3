import { type ReactElement, type ReactNode, useState } from 'react';
import { t } from '../../words/words.ts';
import type { Align, Change, Shown } from './edit-shape.ts';

interface Props {
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

export const LineFields = ({ shown, onChange }: Props): ReactElement => (
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

export const TextFields = ({ shown, onChange }: Props): ReactElement => (
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

export const SizeFields = ({ size, rotation, hasSize, onSize, onTurn }: SizeProps): ReactElement => (
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

const OpacityField = ({ shown, onChange }: Props): ReactElement => (
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
