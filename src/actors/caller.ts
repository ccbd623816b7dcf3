import type { Readable } from 'node:stream';
import type { Principal } from '../events/event.ts';

export interface Caller {
  by: Principal;
  /** null for what the server does by itself. */
  request_id: string | null;
  /** Position of the event that led to what is asked; absent or null: none did. */
  cause?: number | null;
  /** ETags of If-Match: the record that is changed or deleted must have one of them; `*`: any. Absent: whatever it is. */
  expected?: readonly string[];
}

/** What a command is about. */

export interface NodeAddress {
  project_id: string;
  node_id: string;
}
export interface PortAddress extends NodeAddress {
  adapter_number: number;
  port_number: number;
}
export interface LinkAddress {
  project_id: string;
  link_id: string;
}
export interface DrawingAddress {
  project_id: string;
  drawing_id: string;
}
export interface SnapshotAddress {
  project_id: string;
  snapshot_id: string;
}
/** A file of the project, or of a node: `name` is below its directory then. */
export interface FileAddress {
  project_id: string;
  node_id: string | null;
  name: string;
}

/** Compute group: a taken name is a conflict. Controller group: the name is made unique by a number. */
export type NamePolicy = 'conflict' | 'make_unique';

/** Bytes from a client. More than `limit`: 413. */
export interface Upload {
  content: Readable;
  /** Octets that are announced; null: it is not said how many come. */
  length?: number | null;
  limit: number;
}
