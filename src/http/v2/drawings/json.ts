import type { DrawingRecord } from '../../../projections/records.ts';

export const drawingToJson = (d: DrawingRecord) => ({
  drawing_id: d.drawing_id,
  project_id: d.project_id,
  x: d.x,
  y: d.y,
  z: d.z,
  rotation: d.rotation,
  locked: d.locked,
  svg: d.svg,
});
