import { z } from 'zod';
import { LENGTHS } from '../common/bounds.ts';
import type { Texts } from '../common/forms/property-text.ts';
import { textsOf } from './derive.ts';
import { field, type Values } from './field.ts';
import { placeFields } from './place.ts';

const { x, y, z: layer, locked } = placeFields(2, 0);

/** Settings of a drawing. */
export const DRAWING = {
  x,
  y,
  z: layer,
  /** Degrees, clockwise. */
  rotation: field(z.int().min(-359).max(360), 0, {
    stored: z.number(),
    visual: true,
    text: { title: 'Rotation', help: 'Clockwise.', unit: '°', group: 'Position' },
  }),
  locked,
  svg: field(z.string().max(LENGTHS.svg), '<svg></svg>', {
    stored: z.string(),
    visual: true,
    neededInFile: true,
    text: { title: 'Picture', help: 'The drawing as SVG.', widget: 'code', group: 'Advanced' },
  }),
};
export type DrawingSettings = Values<typeof DRAWING>;

/** Texts of the form of its record, in order. */
export const DRAWING_TEXTS: Texts = {
  ...textsOf({ x, y, z: layer, locked }),
  ...textsOf(DRAWING),
  drawing_id: { title: 'Drawing', help: 'Never changes.' },
  project_id: { title: 'Project', help: 'That it belongs to.' },
};
