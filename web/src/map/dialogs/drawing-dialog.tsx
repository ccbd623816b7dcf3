import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { type Shape, SHAPES, svgOf } from '../flow/shapes.ts';

interface Props {
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

const OPTIONS = Object.entries(SHAPES).map(([value, text]) => ({ value, text }));
const number = (text: string, fallback: number): number => {
  const value = Number.parseInt(text, 10);
  return Number.isFinite(value) ? Math.min(5_000, Math.max(4, value)) : fallback;
};

interface Size {
  readonly width: string;
  readonly height: string;
  readonly fontSize: string;
}
interface Look {
  readonly stroke: string;
  readonly fill: string;
  readonly text: string;
}

/** Makes a drawing. */
export const DrawingDialog = ({ at, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const [shape, setShape] = useState<Shape>('rectangle');
  const [size, setSize] = useState<Size>({ width: '200', height: '120', fontSize: '16' });
  const [look, setLook] = useState<Look>({ stroke: '#457b9d', fill: '#e8f1f8', text: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const isText = shape === 'text';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const svg = svgOf(shape, {
      width: number(size.width, 200),
      height: number(size.height, 120),
      fontSize: number(size.fontSize, 16),
      stroke: look.stroke,
      fill: look.fill,
      text: look.text,
    });
    const body = { x: Math.round(at.x), y: Math.round(at.y), z: isText ? 2 : 0, svg };
    lab.client
      .post('/v2/projects/{project_id}/drawings', { path: { project_id: lab.projectId }, body })
      .then(onClose, (error: unknown) => setProblem(sentenceOf(error)));
  };
  return (
    <Dialog title="Add a drawing" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <SelectField label="Shape" value={shape} options={OPTIONS} onChange={(value) => setShape(value as Shape)} />
        {isText && (
          <TextAreaField
            label="Text"
            rows={3}
            required
            value={look.text}
            onChange={(text) => setLook({ ...look, text })}
          />
        )}
        <SizeFields isText={isText} size={size} onChange={setSize} />
        <div className="row spread">
          <TextField
            label="Colour"
            type="color"
            value={look.stroke}
            onChange={(stroke) => setLook({ ...look, stroke })}
          />
          {(shape === 'rectangle' || shape === 'ellipse') && (
            <TextField
              label="Filled with"
              type="color"
              value={look.fill}
              onChange={(fill) => setLook({ ...look, fill })}
            />
          )}
        </div>
        <FormEnd problem={problem} submit="Add drawing" onClose={onClose} />
      </form>
    </Dialog>
  );
};

interface SizeProps {
  readonly isText: boolean;
  readonly size: Size;
  readonly onChange: (size: Size) => void;
}

const SizeFields = ({ isText, size, onChange }: SizeProps): ReactElement => {
  const field = (key: keyof Size, label: string): ReactElement => (
    <TextField
      label={label}
      type="number"
      value={size[key]}
      onChange={(value) => onChange({ ...size, [key]: value })}
    />
  );
  if (isText) return field('fontSize', 'Size of the letters');
  return (
    <div className="row spread">
      {field('width', 'Width')}
      {field('height', 'Height')}
    </div>
  );
};
