import { notFound } from '../../common/errors.ts';
import type { DrawingRecord } from '../../projections/records.ts';
import type { Caller, Commands } from '../commands.ts';
import type { LabContext } from '../context.ts';
import { draftsOf, type StepOf } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { decideDrawing, drawingOf } from './decide.ts';

type DrawingCommands = Pick<Commands, 'createDrawing' | 'updateDrawing' | 'deleteDrawing'>;

export const drawingCommands = ({ pending, committed, log }: LabContext): DrawingCommands => {
  const apply = async (caller: Caller, projectId: string, step: StepOf<'drawing'>): Promise<string> => {
    if (step.action !== 'create') checkPrecondition(caller, 'The drawing', drawingOf(pending, projectId, step.id));
    const { id, events } = decideDrawing(pending, projectId, step);
    await log.append(draftsOf(caller, projectId, events));
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
    updateDrawing: async (caller, projectId, id, changes) =>
      answer(await apply(caller, projectId, { action: 'update', type: 'drawing', id, changes })),
    deleteDrawing: async (caller, projectId, id) => {
      await apply(caller, projectId, { action: 'delete', type: 'drawing', id });
    },
  };
};
