import { randomUUID } from 'node:crypto';
import { conflict, notFound } from '../errors.ts';
import type { DrawingRecord } from '../projections/records.ts';
import type { Commands, DrawingChanges } from './commands.ts';
import { draft, type LabContext, openProjectOf } from './context.ts';
import { checkExpected } from './expectation.ts';

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
    async createDrawing(caller, projectId, { drawing_id: given, ...input }) {
      openProjectOf(pending, projectId);
      const drawing_id = given ?? randomUUID();
      if (pending.get('drawing', drawing_id) !== undefined)
        throw conflict(`drawing_id ${drawing_id} is in use`, { field: 'drawing_id' });
      const fields = { x: 0, y: 0, z: 2, rotation: 0, locked: false, svg: '<svg></svg>', ...input };
      await log.append([
        draft(caller, projectId, 'drawing.created', { ...fields, drawing_id, project_id: projectId, extra: {} }),
      ]);
      return answer(drawing_id);
    },

    async updateDrawing(caller, projectId, drawingId, given) {
      const record = drawingOf(projectId, drawingId);
      checkExpected(caller, 'The drawing', record);
      const changes = Object.fromEntries(
        Object.entries(given).filter(([key, value]) => value !== record[key as keyof DrawingRecord]),
      ) as DrawingChanges;
      if (Object.keys(changes).length > 0)
        await log.append([
          draft(caller, projectId, 'drawing.updated', { drawing_id: drawingId, project_id: projectId, changes }),
        ]);
      return answer(drawingId);
    },

    async deleteDrawing(caller, projectId, drawingId) {
      const record = drawingOf(projectId, drawingId);
      checkExpected(caller, 'The drawing', record);
      if (record.locked) throw conflict('the drawing is locked');
      await log.append([draft(caller, projectId, 'drawing.deleted', { drawing_id: drawingId, project_id: projectId })]);
    },
  };
};
