import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, StoreOp } from '../../../events/store/store.ts';
import type { LogEvent } from '../../../events/event.ts';
import { lastVersion, readTexts } from '../../../events/read.ts';
import type { AnyEvent } from '../../../events/schemas.ts';
import { chunkOp, NOTHING_WRITTEN, readChunks, type Written, writtenOf } from './chunks.ts';
import { type Naming, namingOf } from './names.ts';
import { TimeIndex } from './time-index.ts';

/** Minimum of events per chunk. */
const CHUNK = 1_000;
/** Events read at once. */
const BLOCK = 1_000;
/** Number of chunks written at once. */
const CHUNKS = 8;
/** Rows cached in memory, of all projects; the most recently used stay. */
const MOST_ROWS = 2_000_000;
/** Time after which a request gets an incomplete index. Milliseconds. */
const WAIT_MS = 1_000;

interface Log {
  readonly store: Store;
  readonly writable: boolean;
  status(): { position: number };
  onCommitted(listener: (events: AnyEvent[]) => void): void;
}

interface Options {
  waitMs?: number;
  /** Minimum of events per chunk. */
  chunk?: number;
}

/** An index as far as it is built, and the number of events of the project. */
export interface TimeLine {
  readonly index: TimeIndex;
  readonly of: number;
}

/**
 * Time indexes of all projects. Built on demand, or when a project has grown by a chunk; then they follow the log.
 */
export class TimeLines {
  readonly #log: Log;
  readonly #options: Required<Options>;
  readonly #lines = new Map<string, ProjectTimeLine>();
  /** Events since the start by project, of those without an index. */
  readonly #grown = new Map<string, number>();

  constructor(log: Log, { waitMs = WAIT_MS, chunk = CHUNK }: Options = {}) {
    this.#log = log;
    this.#options = { waitMs, chunk };
    log.onCommitted((events) => {
      for (const event of events) if (event.project_id !== null) this.#take(event.project_id, event);
    });
  }

  /** Index of a project; incomplete when building takes longer than `waitMs`. */
  async of(projectId: string): Promise<TimeLine> {
    const line = this.#line(projectId);
    this.#lines.delete(projectId);
    this.#lines.set(projectId, line);
    const reading = line.catchUp();
    const ending = new AbortController();
    await Promise.race([
      reading,
      sleep(this.#options.waitMs, undefined, { signal: ending.signal }).catch(() => undefined),
    ]);
    ending.abort();
    reading.catch(() => undefined);
    this.#forget();
    return { index: line.index, of: Math.max(line.index.version, await lastVersion(this.#log.store, projectId)) };
  }

  #line(projectId: string): ProjectTimeLine {
    const known = this.#lines.get(projectId);
    if (known !== undefined) return known;
    const made = new ProjectTimeLine(this.#log, projectId, this.#options.chunk);
    this.#lines.set(projectId, made);
    this.#grown.delete(projectId);
    return made;
  }

  #take(projectId: string, event: AnyEvent): void {
    const line = this.#lines.get(projectId);
    if (line !== undefined) {
      line.take(event);
      return;
    }
    const grown = (this.#grown.get(projectId) ?? 0) + 1;
    this.#grown.set(projectId, grown);
    if (grown < this.#options.chunk) return;
    // Built ahead, so that a long project opens at once; failures are retried on demand.
    this.#line(projectId)
      .catchUp()
      .then(
        () => this.#forget(),
        () => undefined,
      );
  }

  #forget(): void {
    let rows = 0;
    for (const line of this.#lines.values()) rows += line.index.rows.length;
    for (const [id, line] of this.#lines) {
      if (rows <= MOST_ROWS || this.#lines.size === 1) return;
      rows -= line.index.rows.length;
      this.#lines.delete(id);
    }
  }
}

/** Index of one project, and how far it is stored. */
class ProjectTimeLine {
  index = new TimeIndex();
  readonly #log: Log;
  readonly #projectId: string;
  readonly #chunk: number;
  #written: Written = NOTHING_WRITTEN;
  #names: Naming[] = [];
  #isRead = false;
  #reading: Promise<void> | null = null;
  #waiting: StoreOp[] = [];
  #isWriting = false;

  constructor(log: Log, projectId: string, chunk: number) {
    this.#log = log;
    this.#chunk = chunk;
    this.#projectId = projectId;
  }

  /** Adds a committed event; one that does not follow is read with the next request. */
  take(event: LogEvent): void {
    if (this.#reading !== null || !this.#isRead || event.version !== this.index.version + 1) return;
    this.#add(event);
    this.#write(1);
  }

  catchUp(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (!this.#isRead) {
      const events = await lastVersion(this.#log.store, this.#projectId);
      const { index, stale } = await readChunks(this.#log.store, this.#projectId, events);
      this.index = index;
      this.#written = index.version === 0 ? NOTHING_WRITTEN : writtenOf(index);
      this.#waiting.push(...stale.map((key): StoreOp => ({ type: 'del', key })));
      this.#isRead = true;
    }
    while (this.index.version < (await lastVersion(this.#log.store, this.#projectId))) {
      const page = { from: this.index.version + 1, limit: BLOCK };
      for (const text of await readTexts(this.#log.store, this.#projectId, page)) {
        const event = JSON.parse(text) as LogEvent;
        // Stored events that this server has not taken in yet are added later.
        if (event.position > this.#log.status().position) return;
        this.#add(event);
      }
      this.#write(CHUNKS);
    }
    this.#write(1);
  }

  #add(event: LogEvent): void {
    if (this.index.version - this.#written.version >= this.#chunk && this.index.isClosedBefore(event)) {
      this.#waiting.push(chunkOp(this.index, this.#projectId, this.#written, this.#names));
      this.#written = writtenOf(this.index);
      this.#names = [];
    }
    const naming = namingOf(event);
    if (naming !== null) this.#names.push(naming);
    this.index.add(event);
  }

  /**
   * Stores waiting chunks when there are at least so many. With a log that cannot be written the index is in memory
   * only.
   */
  #write(least: number): void {
    if (this.#waiting.length < least || this.#isWriting) return;
    const ops = this.#waiting;
    this.#waiting = [];
    if (!this.#log.writable) return;
    this.#isWriting = true;
    this.#log.store
      .batch(ops, { sync: true })
      .catch(() => undefined)
      .finally(() => (this.#isWriting = false));
  }
}
