import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import type { Drawing } from '../../store/records.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { type Change, editShape, readShape } from '../actions/edit-shape.ts';

interface Props {
  readonly drawing: Drawing;
  readonly onClose: () => void;
}

/** Changes the text and the colours of a drawing. What is not touched stays as it is, however it was written. */
export const EditDrawingDialog = ({ drawing, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const [change, setChange] = useState<Change>({});
  const [problem, setProblem] = useState<string | null>(null);
  const shown = readShape(drawing.svg);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const path = { project_id: lab.projectId, drawing_id: drawing.drawing_id };
    const svg = editShape(drawing.svg, change);
    if (svg === drawing.svg) onClose();
    else
      lab.client
        .put('/v2/projects/{project_id}/drawings/{drawing_id}', { path, body: { svg } })
        .then(onClose, (error: unknown) => setProblem(sentenceOf(error)));
  };
  return (
    <Dialog title="Edit the drawing" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {shown?.shape === 'text' && (
          <TextAreaField
            label="Text"
            rows={3}
            required
            value={change.text ?? shown.text}
            onChange={(text) => setChange({ ...change, text })}
          />
        )}
        <div className="row spread">
          <TextField
            label="Colour"
            type="color"
            value={change.stroke ?? shown?.stroke ?? '#000000'}
            onChange={(stroke) => setChange({ ...change, stroke })}
          />
          {(shown?.shape === 'rectangle' || shown?.shape === 'ellipse') && (
            <FillFields
              fill={change.fill === undefined ? shown.fill : change.fill}
              onChange={(fill) => setChange({ ...change, fill })}
            />
          )}
        </div>
        <FormEnd problem={problem} submit="Save" onClose={onClose} />
      </form>
    </Dialog>
  );
};

interface FillProps {
  /** Null: it is not filled. */
  readonly fill: string | null;
  readonly onChange: (fill: string | null) => void;
}

const FillFields = ({ fill, onChange }: FillProps): ReactElement => (
  <>
    <label className="row">
      <input
        type="checkbox"
        checked={fill !== null}
        onChange={({ target }) => onChange(target.checked ? '#e8f1f8' : null)}
      />
      Filled
    </label>
    {fill !== null && <TextField label="Filled with" type="color" value={fill} onChange={onChange} />}
  </>
);
