import { z } from 'zod';
import { LENGTHS } from '../../../common/bounds.ts';
import { input, rotation, uuid } from '../schema.ts';

const changes = {
  x: z.int().exactOptional(),
  y: z.int().exactOptional(),
  z: z.int().exactOptional(),
  rotation: rotation.exactOptional(),
  locked: z.boolean().exactOptional(),
  svg: z.string().max(LENGTHS.svg).exactOptional(),
};

export const drawingCreate = input({ drawing_id: uuid.exactOptional(), ...changes }, ['project_id']);
export const drawingUpdate = input(changes, ['drawing_id', 'project_id']);

export const drawingRecord = z.strictObject({
  drawing_id: z.string(),
  project_id: z.string(),
  x: z.number(),
  y: z.number(),
  z: z.number(),
  rotation: z.number(),
  locked: z.boolean(),
  svg: z.string(),
});
