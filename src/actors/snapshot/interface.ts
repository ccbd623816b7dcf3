import type { ProjectRecord, SnapshotRecord } from '../../projections/records.ts';
import type { Caller, SnapshotAddress } from '../caller.ts';

export interface SnapshotInput {
  name: string;
  snapshot_id?: string;
}

export interface SnapshotCommands {
  /** Conflict while a node runs. */
  createSnapshot(caller: Caller, projectId: string, input: SnapshotInput): Promise<SnapshotRecord>;
  deleteSnapshot(caller: Caller, at: SnapshotAddress): Promise<void>;
  /** Records and files as they were, all of them or none; every node stopped. */
  restoreSnapshot(caller: Caller, at: SnapshotAddress): Promise<ProjectRecord>;
}
