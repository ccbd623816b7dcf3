import { randomUUID } from 'node:crypto';
import { conflict } from '../../common/errors.ts';
import type { DrawingFields } from '../../events/fields.ts';
import { newValues } from '../../model/derive.ts';
import { DRAWING } from '../../model/drawing.ts';
import type { DrawingRecord, RecordView } from '../../projections/records.ts';
import type { DrawingAddress } from '../caller.ts';
import { checkRoom, openProjectOf, recordOf } from '../context.ts';
import { type Decision, isNothing, realChanges, type StepOf } from '../runtime/decision.ts';
import type { DrawingInput } from './interface.ts';

export const drawingOf = (view: RecordView, { project_id, drawing_id }: DrawingAddress): DrawingRecord => {
  openProjectOf(view, project_id);
  return recordOf(view, 'drawing', drawing_id, project_id);
};

export const decideDrawing = (view: RecordView, project_id: string, step: StepOf<'drawing'>): Decision => {
  if (step.action === 'create') {
    const data = newDrawing(view, project_id, step.input);
    return { id: data.drawing_id, events: [{ type: 'drawing.created', data }] };
  }
  const drawing_id = step.id;
  const record = drawingOf(view, { project_id, drawing_id });
  if (step.action === 'delete') {
    if (record.locked) throw conflict('the drawing is locked');
    return { id: drawing_id, events: [{ type: 'drawing.deleted', data: { drawing_id, project_id } }] };
  }
  const changes = realChanges(record, step.changes);
  if (isNothing(changes)) return { id: drawing_id, events: [] };
  return { id: drawing_id, events: [{ type: 'drawing.updated', data: { drawing_id, project_id, changes } }] };
};

const newDrawing = (
  view: RecordView,
  project_id: string,
  { drawing_id: given, kept, ...input }: DrawingInput,
): DrawingFields => {
  openProjectOf(view, project_id);
  checkRoom(view, project_id, 'drawing');
  const drawing_id = given ?? randomUUID();
  if (view.get('drawing', drawing_id) !== undefined)
    throw conflict(`drawing_id ${drawing_id} is in use`, { field: 'drawing_id' });
  return { ...newValues(DRAWING, input), drawing_id, project_id, extra: {}, ...kept };
};
