import type { DrawingFields } from '../../events/fields.ts';
import type { DrawingSettings } from '../../model/drawing.ts';
import type { DrawingRecord } from '../../projections/records.ts';
import type { Caller, DrawingAddress } from '../caller.ts';

export type DrawingChanges = Partial<DrawingSettings>;

export type DrawingInput = DrawingChanges & {
  drawing_id?: string;
  /** Of a drawing that comes back: what no client says. */
  kept?: Pick<DrawingFields, 'extra' | 'as_read'>;
};

export interface DrawingCommands {
  createDrawing(caller: Caller, projectId: string, input: DrawingInput): Promise<DrawingRecord>;
  updateDrawing(caller: Caller, at: DrawingAddress, changes: DrawingChanges): Promise<DrawingRecord>;
  deleteDrawing(caller: Caller, at: DrawingAddress): Promise<void>;
}
