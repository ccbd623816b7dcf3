import type { Caller } from '../caller.ts';
import { type LabContext, recordOf } from '../context.ts';
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

  return {
    createDrawing: async (caller, projectId, input) =>
      recordOf(committed, 'drawing', await apply(caller, projectId, { action: 'create', type: 'drawing', input })),
    updateDrawing: async (caller, { project_id, drawing_id: id }, changes) => {
      await apply(caller, project_id, { action: 'update', type: 'drawing', id, changes });
      return recordOf(committed, 'drawing', id);
    },
    deleteDrawing: async (caller, { project_id, drawing_id: id }) => {
      await apply(caller, project_id, { action: 'delete', type: 'drawing', id });
    },
  };
};
