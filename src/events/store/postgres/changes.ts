import { setTimeout as pause } from 'node:timers/promises';
import { type Database, Line } from './database.ts';

/** Between two looks: what a lost notification has told is seen then. Milliseconds. */
const LOOK_MS = 1_000;
/** Longest that a look may take. Milliseconds. */
const ANSWER_MS = 5_000;

export type Listener = (what: 'log' | 'lease') => void;

/** Name of the channel on which changes of a cell are told. */
export const channelOf = (cell: number): string => `topolog_${cell}`;

/** Watches a cell for as long as somebody listens: by notifications, and by a look each second. */
export class Changes {
  readonly #database: Database;
  readonly #cell: number;
  readonly #listeners = new Set<Listener>();
  #ended: AbortController | null = null;
  #watching: Promise<void> = Promise.resolve();

  constructor(database: Database, cell: number) {
    this.#database = database;
    this.#cell = cell;
  }

  listen(listener: Listener): () => void {
    // One of its own, as a listener may be given twice.
    const own: Listener = (what) => listener(what);
    this.#listeners.add(own);
    if (this.#ended === null) this.#watching = this.#watch((this.#ended = new AbortController()).signal);
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#end();
    await this.#watching;
  }

  #end(): void {
    this.#ended?.abort();
    this.#ended = null;
  }

  #tell(what: 'log' | 'lease'): void {
    for (const listener of [...this.#listeners]) listener(what);
  }

  async #watch(ended: AbortSignal): Promise<void> {
    const line = new Line(this.#database, (session) => {
      session.onNotification((told) => this.#tell(told === 'lease' ? 'lease' : 'log'));
      return session.run({ text: `LISTEN ${channelOf(this.#cell)}` });
    });
    ended.addEventListener('abort', () => line.destroy(), { once: true });
    for (let before: readonly unknown[] | null = null; !ended.aborted;) {
      const now: readonly unknown[] | null = await this.#look(line).catch(() => before);
      if (before !== null && now?.[0] !== before[0] && !ended.aborted) this.#tell('log');
      if (before !== null && now?.[1] !== before[1] && !ended.aborted) this.#tell('lease');
      before = now;
      await pause(LOOK_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
    }
  }

  /** The first is another one when the log has grown, the second when the lease is another's or has ended. */
  async #look(line: Line): Promise<readonly unknown[] | null> {
    const { rows } = await line.run(
      {
        name: 'look',
        text: `SELECT cell.written, concat_ws(' ', lease.epoch, lease.until > clock_timestamp(), lease.url)
          FROM topolog.cell JOIN topolog.lease ON lease.cell = cell.id WHERE cell.id = $1`,
        values: [this.#cell],
      },
      ANSWER_MS,
    );
    return rows[0] ?? null;
  }
}
