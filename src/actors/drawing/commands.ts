import { randomUUID } from 'node:crypto';
import { conflict, notFound } from '../../common/errors.ts';
import type { DrawingFields } from '../../events/fields.ts';
import type { DrawingRecord, RecordView } from '../../projections/records.ts';
import type { Commands, DrawingChanges } from '../commands.ts';
import { checkRoom, draft, type LabContext, openProjectOf } from '../context.ts';
import { checkPrecondition } from '../runtime/precondition.ts';

type DrawingCommands = Pick<Commands, 'createDrawing' | 'updateDrawing' | 'deleteDrawing'>;

export const drawingCommands = ({ pending, committed, log }: LabContext): DrawingCommands => {
  const drawingOf = (projectId: string, drawingId: string): DrawingRecord => {
    openProjectOf(pending, projectId);
    const record = pending.get('drawing', drawingId);
    if (record?.project_id !== projectId) throw notFound('Drawing', drawingId);
    return record;
  };

  const answer = (drawingId: string): DrawingRecord => {
    const record = committed.get('drawing', drawingId);
    if (record === undefined) throw notFound('Drawing', drawingId);
    return record;
  };

  return {
    async createDrawing(caller, projectId, input) {
      openProjectOf(pending, projectId);
      const fields = newDrawing(pending, projectId, input);
      await log.append([draft(caller, projectId, 'drawing.created', fields)]);
      return answer(fields.drawing_id);
    },

    async updateDrawing(caller, projectId, drawingId, given) {
      const record = drawingOf(projectId, drawingId);
      checkPrecondition(caller, 'The drawing', record);
      const changes = drawingChanges(record, given);
      if (Object.keys(changes).length > 0)
        await log.append([
          draft(caller, projectId, 'drawing.updated', { drawing_id: drawingId, project_id: projectId, changes }),
        ]);
      return answer(drawingId);
    },

    async deleteDrawing(caller, projectId, drawingId) {
      const record = drawingOf(projectId, drawingId);
      checkPrecondition(caller, 'The drawing', record);
      if (record.locked) throw conflict('the drawing is locked');
      await log.append([draft(caller, projectId, 'drawing.deleted', { drawing_id: drawingId, project_id: projectId })]);
    },
  };
};

export const newDrawing = (
  view: RecordView,
  project_id: string,
  { drawing_id: given, ...input }: DrawingChanges & { drawing_id?: string },
): DrawingFields => {
  checkRoom(view, project_id, 'drawing');
  const drawing_id = given ?? randomUUID();
  if (view.get('drawing', drawing_id) !== undefined)
    throw conflict(`drawing_id ${drawing_id} is in use`, { field: 'drawing_id' });
  const defaults = { x: 0, y: 0, z: 2, rotation: 0, locked: false, svg: '<svg></svg>' };
  return { ...defaults, ...input, drawing_id, project_id, extra: {} };
};

/** What really changes. */
export const drawingChanges = (record: DrawingRecord, given: DrawingChanges): DrawingChanges => {
  const changes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given))
    if (value !== record[key as keyof DrawingRecord]) changes[key] = value;
  return changes;
};
