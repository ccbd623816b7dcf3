import type { DrawingRecord, LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import type { DrawingChanges, DrawingInput } from '../drawing/interface.ts';
import type { LinkChanges, LinkInput } from '../link/interface.ts';
import type { NodeChanges, NodeInput } from '../node/interface.ts';

/** One step of a batch; each is decided on what the steps before it have made. */
export type BatchStep =
  | { action: 'create'; type: 'node'; input: NodeInput }
  | { action: 'create'; type: 'link'; input: LinkInput }
  | { action: 'create'; type: 'drawing'; input: DrawingInput }
  | { action: 'update'; type: 'node'; id: string; changes: NodeChanges }
  | { action: 'update'; type: 'link'; id: string; changes: LinkChanges }
  | { action: 'update'; type: 'drawing'; id: string; changes: DrawingChanges }
  | { action: 'delete'; type: 'node'; id: string }
  | { action: 'delete'; type: 'link'; id: string }
  | { action: 'delete'; type: 'drawing'; id: string };

/** Made or changed by a step; null: it has deleted. */
export type BatchRecord = NodeRecord | LinkRecord | DrawingRecord | null;

export interface BatchCommand {
  /**
   * All of the steps, in their order, or none: they are one batch of events. Resolves with the records made or changed; null for
   * what was deleted. A step that is refused throws with `details.step`, its number.
   */
  batch(caller: Caller, projectId: string, steps: readonly BatchStep[]): Promise<BatchRecord[]>;
}
