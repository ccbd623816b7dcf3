import { withInitial } from '../../../model/derive.ts';
import { DRAWING } from '../../../model/drawing.ts';
import type { DrawingRecord } from '../../../projections/records.ts';

export const drawingToJson = (d: DrawingRecord) => ({
  drawing_id: d.drawing_id,
  project_id: d.project_id,
  ...withInitial(DRAWING, d),
});
