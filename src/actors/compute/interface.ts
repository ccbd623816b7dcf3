import type { ComputeFields } from '../../events/server-fields.ts';
import type { ComputeRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';

export interface ComputeInput extends Pick<ComputeFields, 'protocol' | 'host' | 'port'> {
  compute_id?: string | null;
  name?: string | null;
  user?: string | null;
  password?: string | null;
  /** PEM. */
  certificate?: string | null;
  /** Take it from the controller that has it. */
  take?: boolean;
}

export type ComputeChanges = Partial<Omit<ComputeInput, 'compute_id'>>;

export interface MovedNode {
  project_id: string;
  node_id: string;
  name: string;
}

/** What became of nodes that were to be moved. */
export interface Moved {
  moved: (MovedNode & { compute_id: string; reason: string; started: boolean })[];
  left: (MovedNode & { reason: string })[];
}

export interface MoveInput {
  /** `auto`: the best one. */
  to: string;
  /** Those that run are stopped, moved and started there. Absent: they stay. */
  restart?: boolean;
}

export interface ComputeCommands {
  /** A known compute_id: connects to it again, and changes nothing. Resolves once it is connected, or cannot be. */
  addCompute(caller: Caller, input: ComputeInput): Promise<ComputeRecord>;
  updateCompute(caller: Caller, computeId: string, changes: ComputeChanges): Promise<ComputeRecord>;
  /** Stops what runs there. Does nothing for one that is not there. */
  removeCompute(caller: Caller, computeId: string): Promise<void>;
  /** Resolves with the record once it is connected; throws where it cannot be. */
  connectCompute(caller: Caller, computeId: string): Promise<ComputeRecord>;
  /** Moves every node of a compute, one after another. */
  drainCompute(caller: Caller, computeId: string, input: MoveInput): Promise<Moved>;
  /** `nodes` null: all of them. */
  moveNodes(caller: Caller, projectId: string, nodes: readonly string[] | null, input: MoveInput): Promise<Moved>;
}
