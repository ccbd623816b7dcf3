import { z } from 'zod';
import { LENGTHS } from '../../../common/bounds.ts';
import { toldShape } from '../../../common/forms/property-text.ts';
import { DRAWING_TEXTS } from '../texts.ts';
import { input, rotation, uuid } from '../schema.ts';

const changes = toldShape(
  {
    x: z.int().exactOptional(),
    y: z.int().exactOptional(),
    z: z.int().exactOptional(),
    rotation: rotation.exactOptional(),
    locked: z.boolean().exactOptional(),
    svg: z.string().max(LENGTHS.svg).exactOptional(),
  },
  DRAWING_TEXTS,
);

export const drawingCreate = input({ drawing_id: uuid.exactOptional(), ...changes }, ['project_id']);
export const drawingUpdate = input(changes, ['drawing_id', 'project_id']);

export const drawingRecord = z.strictObject(
  toldShape(
    {
      drawing_id: z.string(),
      project_id: z.string(),
      x: z.number(),
      y: z.number(),
      z: z.number(),
      rotation: z.number(),
      locked: z.boolean(),
      svg: z.string(),
    },
    DRAWING_TEXTS,
  ),
);
