import type { WrittenFile } from '../events/server-fields.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { NODE_EVENTS, nodeStateAfter } from './states.ts';

/** Files of a project, or of a node, that an event tells of; null: none. */
export const filesWrittenBy = (event: AnyEvent): { node_id: string | null; files: readonly WrittenFile[] } | null => {
  if (event.type === 'file.written') return { node_id: event.data.node_id, files: [event.data] };
  if (event.type !== 'node.created' && event.type !== 'node.updated') return null;
  const { node_id, written } = event.data;
  return written === undefined ? null : { node_id, files: written };
};

type StateEvent = Parameters<typeof nodeStateAfter>[0];
const isOfState = (event: AnyEvent): event is StateEvent =>
  Object.hasOwn(NODE_EVENTS, event.type) && event.type !== 'node.deleted';

/** Position of the event that told of it, and its checksum. */
export interface LoggedFile {
  position: number;
  sha256: string;
}

/**
 * The files of a node whose content the log knows, by their paths in its directory: those that it was given since it has run. While it runs
 * it writes them as well. A fold of the events that name the node.
 */
export class LoggedFiles {
  readonly files = new Map<string, LoggedFile>();
  #runs = false;

  apply(event: AnyEvent): void {
    // An operation may change a file.
    if (event.type === 'node.restored' || event.type === 'operation.requested') return this.files.clear();
    if (isOfState(event)) {
      this.#runs = nodeStateAfter(event) !== 'stopped';
      return this.files.clear();
    }
    if (this.#runs) return;
    for (const { path, sha256 } of filesWrittenBy(event)?.files ?? [])
      this.files.set(path, { position: event.position, sha256 });
  }
}
