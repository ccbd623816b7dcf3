import { Mailboxes } from '../../common/mailbox.ts';
import { withResolvers } from '../../common/promises.ts';
import type { EventLog } from '../../events/log/log.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { isUuid } from '../../files/fields/identity.ts';
import { NODE_FILES } from '../../files/project/parts.ts';
import { filesWrittenBy } from '../../projections/logged-files.ts';

/** A file as its event names it. `node_id`: the node in whose directory `path` is; null: `path` is in the project's directory. */
export interface ToldFile {
  node_id: string | null;
  path: string;
  upload: string;
}

/** Files of one project that are on their way to their places. */
interface UnderWay {
  /** Placements that have begun and are not over. */
  begun: Set<Promise<void>>;
  /** Moves of files that are under way. */
  moving: Set<Promise<unknown>>;
  /** Upload of the last event of each file, by the file's name. */
  last: Map<string, string>;
}

/** Stands for an upload where the file's content comes from a snapshot. */
const OF_SNAPSHOT = '';

/**
 * Files on their way to their places. The log decides what a file is: however long some take after their events, none takes the place of
 * one whose event is later, as the next start would have it (`recovery/sweep`).
 */
export class Placing {
  readonly #turns = new Mailboxes();
  /** By project. */
  readonly #underWay = new Map<string, UnderWay>();

  constructor(log: Pick<EventLog, 'onCommitted'>) {
    log.onCommitted((events) => this.#hear(events));
  }

  /** Alone with a place: of a file, of all uploads of a project, or of a node (its id), whose directory comes and goes. */
  inTurn<T>(place: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(place, work);
  }

  /** Before the event of a file. The answer is called once it is in its place, or will not be; more than once does nothing. */
  begin(projectId: string): () => void {
    const all = this.#underWay.get(projectId) ?? { begun: new Set(), moving: new Set(), last: new Map() };
    const { promise, resolve } = withResolvers();
    this.#underWay.set(projectId, all);
    all.begun.add(promise);
    return () => {
      all.begun.delete(promise);
      if (all.begun.size === 0 && this.#underWay.get(projectId) === all) this.#underWay.delete(projectId);
      resolve();
    };
  }

  #hear(events: readonly AnyEvent[]): void {
    if (this.#underWay.size === 0) return;
    for (const event of events) {
      const last = event.project_id === null ? undefined : this.#underWay.get(event.project_id)?.last;
      if (last === undefined) continue;
      if (event.type === 'project.restored') for (const name of last.keys()) last.set(name, OF_SNAPSHOT);
      const { node_id, files } = filesWrittenBy(event) ?? { node_id: null, files: [] };
      for (const { path, upload } of files) last.set(nameOf({ node_id, path }), upload);
    }
  }

  /**
   * Moves the content of a file after its event, alone with its owner; not where a later event tells of the file. Answers whether it was
   * moved, which `move` tells. For those that have begun.
   */
  put(projectId: string, file: ToldFile, move: () => Promise<boolean>): Promise<boolean> {
    return this.inTurn(ownerOf(file) ?? `${projectId}/${file.path}`, async () => {
      const { last, moving } = this.#underWay.get(projectId) ?? {};
      const name = nameOf(file);
      if ((last?.get(name) ?? file.upload) !== file.upload) return false;
      const moved = move();
      moving?.add(moved);
      return moved.finally(() => moving?.delete(moved));
    });
  }

  /** Resolves once those that are moved just now are in their places: those behind them are not moved over what a later event brings. */
  async moved(projectId: string): Promise<void> {
    await Promise.allSettled([...(this.#underWay.get(projectId)?.moving ?? [])]);
  }

  /** Resolves once those that have begun are over. Others may begin in between: their events tell. */
  async settled(projectId: string): Promise<void> {
    await Promise.all([...(this.#underWay.get(projectId)?.begun ?? [])]);
  }
}

/** Id of the node in whose directory a file is, also where the event gives its path in the project's directory; null: no node. */
export const ownerOf = ({ node_id, path }: Pick<ToldFile, 'node_id' | 'path'>): string | null => {
  const [folder, , id = '', name] = path.split('/');
  return node_id ?? (folder === NODE_FILES && isUuid(id) && name !== undefined ? id : null);
};

/** The same name for a file whether its event gives the node or the path in the project. */
const nameOf = (file: Pick<ToldFile, 'node_id' | 'path'>): string => {
  const owner = ownerOf(file);
  const below = owner === null || file.node_id !== null ? file.path : file.path.split('/').slice(3).join('/');
  return `${owner ?? ''}/${below}`;
};
