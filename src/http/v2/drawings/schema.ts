import { z } from 'zod';
import { withTexts } from '../../../common/forms/property-text.ts';
import { requestShape, storedShape } from '../../../model/derive.ts';
import { DRAWING, DRAWING_TEXTS } from '../../../model/drawing.ts';
import { input, uuid } from '../schema.ts';

const changes = requestShape(DRAWING, DRAWING_TEXTS);

export const drawingCreate = input({ drawing_id: uuid.exactOptional(), ...changes }, ['project_id']);
export const drawingUpdate = input(changes, ['drawing_id', 'project_id']);

export const drawingRecord = z.strictObject(
  withTexts({ drawing_id: z.string(), project_id: z.string(), ...storedShape(DRAWING) }, DRAWING_TEXTS),
);
