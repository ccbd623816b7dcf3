import { notFound } from '../../common/errors.ts';
import type { DrawingRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import type { LabContext } from '../context.ts';
import { draftsOf, type StepOf } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { decideDrawing, drawingOf } from './decide.ts';
import type { DrawingCommands } from './interface.ts';

export const drawingCommands = ({ pending, committed, log }: LabContext): DrawingCommands => {
  const apply = async (caller: Caller, project_id: string, step: StepOf<'drawing'>): Promise<string> => {
    if (step.action !== 'create')
      checkPrecondition(caller, 'The drawing', drawingOf(pending, { project_id, drawing_id: step.id }));
    const { id, events } = decideDrawing(pending, project_id, step);
    await log.append(draftsOf(caller, project_id, events));
    return id;
  };

  const answer = (drawingId: string): DrawingRecord => {
    const record = committed.get('drawing', drawingId);
    if (record === undefined) throw notFound('Drawing', drawingId);
    return record;
  };

  return {
    createDrawing: async (caller, projectId, input) =>
      answer(await apply(caller, projectId, { action: 'create', type: 'drawing', input })),
    updateDrawing: async (caller, { project_id, drawing_id: id }, changes) =>
      answer(await apply(caller, project_id, { action: 'update', type: 'drawing', id, changes })),
    deleteDrawing: async (caller, { project_id, drawing_id: id }) => {
      await apply(caller, project_id, { action: 'delete', type: 'drawing', id });
    },
  };
};
