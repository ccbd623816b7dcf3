import type { WrittenFile } from '../events/server-fields.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { NODE_STATES } from './states.ts';

/** Files of a project or node that an event has written; null: none. */
export const filesWrittenBy = (event: AnyEvent): { node_id: string | null; files: readonly WrittenFile[] } | null => {
  if (event.type === 'file.written') return { node_id: event.data.node_id, files: [event.data] };
  if (event.type !== 'node.created' && event.type !== 'node.updated') return null;
  const { node_id, written } = event.data;
  return written === undefined ? null : { node_id, files: written };
};

/** Checksum of a file, and position of the event that has it. */
export interface LoggedFile {
  position: number;
  sha256: string;
}

/**
 * Files of a node whose content is known from the log, by their paths in its directory: those written since it last
 * ran, as a running node writes files itself. A fold of the events that name the node.
 */
export class LoggedFiles {
  readonly files = new Map<string, LoggedFile>();
  #runs = false;

  apply(event: AnyEvent): void {
    // An operation may change files.
    if (event.type === 'node.restored' || event.type === 'operation.requested') return this.files.clear();
    if (NODE_STATES.has(event.type) && event.type !== 'node.deleted') {
      this.#runs = NODE_STATES.after(event) !== 'stopped';
      return this.files.clear();
    }
    if (this.#runs) return;
    for (const { path, sha256 } of filesWrittenBy(event)?.files ?? [])
      this.files.set(path, { position: event.position, sha256 });
  }
}
