import { messageOf, TopologError } from '../../common/errors.ts';
import type { LabSecrets } from '../../common/lab-secrets/store.ts';
import { withResolvers } from '../../common/promises.ts';
import { atOnce, inSlices } from '../../common/slices.ts';
import type { FilePaths } from '../file-paths.ts';
import { lastPosition } from '../read.ts';
import type { AnyDraft, AnyEvent } from '../schemas.ts';
import { type OpenStore, refusalOf, type Store } from '../store/store.ts';
import type { Change } from './batch-ops.ts';
import { LogListeners, type LogStatus } from './listeners.ts';
import { type PreparedBatch, type Projector, Stage, type Staged } from './stage.ts';
import { endOf, findEnd, type LogEnd, type Problem } from './startup.ts';
import { Tail, type Unanswered } from './tail.ts';

interface AppendOptions {
  /** Refuses (conflict) unless the last version of the stream is this. */
  expected?: { project_id: string | null; version: number };
  /** Sets each event but the first as caused by the one before it. */
  causal?: boolean;
}

interface LogOptions {
  open: OpenStore;
  store: Store;
  projector: Projector;
  clock?: () => number;
}

interface Failure extends Unanswered {
  error: unknown;
}

const LARGE_BATCH = 500;
const REOPEN_MS = 300;
const NO_SUM = { records: 0, changed: 0 };
/**
 * Delay of the check of LevelDB's tables: after a start the lab comes first, unless a caller needs the check earlier.
 */
const CHECK_AFTER_MS = 5_000;
/**
 * The log: one writer, one batch in flight, fsynced. What gathers while a batch is being written is the next batch.
 *
 * `append` folds at once, so a command may decide on the pending records and append in the same tick without racing another;
 * hashes and texts are made when the batch is; positions become visible only after their fsync. When a batch fails, it and everything decided upon it
 * fail together, the numbers are used again, and the log stays read-only until the store was reopened and checked.
 */
export class EventLog {
  readonly #open: OpenStore;
  readonly #projector: Projector;
  readonly #stage: Stage;
  readonly #tail: Tail;
  readonly #notices = new LogListeners();
  #store: Store;
  readonly #queue = new WriteQueue();
  #writing: Promise<void> | null = null;
  #last: Promise<AnyEvent[]> = Promise.resolve([]);
  #failure: Failure | null = null;
  readonly #checkTimer: NodeJS.Timeout;
  #reopenTimer: NodeJS.Timeout | undefined;
  /** Reason for which writes are refused although the store would accept them; null: none. */
  #refused: Error | null = null;
  #closed = false;
  #readable = true;
  /** Events as they are committed, in order, one call per batch. */
  readonly onCommitted = this.#notices.subscriber('committed');
  /** Figures of each batch on disk. */
  readonly onWritten = this.#notices.subscriber('written');
  readonly onProblem = this.#notices.subscriber('problem');
  /** Each damage found by a read, once. */
  readonly onDamage = this.#notices.subscriber('damaged');

  private constructor({ open, store, projector, clock = Date.now }: LogOptions, found: LogEnd) {
    this.#open = open;
    this.#store = store;
    this.#projector = projector;
    this.#tail = new Tail(found, (collection, id) => projector.current(collection, id));
    const { heads, whole, lastAt } = found;
    this.#stage = new Stage(projector, clock, { position: whole, heads, lastAt });
    this.#notices.watch(this.#store);
    this.#checkTimer = setTimeout(() => void this.#checkStore(), CHECK_AFTER_MS).unref();
  }

  async #checkStore(): Promise<void> {
    try {
      await this.#store.check?.();
    } catch (error) {
      this.#notices.problem(`the log's tables cannot be checked: ${messageOf(error)}`);
    }
  }

  /**
   * Opens the store, checks the tail since the last check (positions contiguous, hashes right) and cuts incomplete
   * batches. Throws `DamagedLog` naming the position of the first gap or wrong hash. `report` gets cut tails.
   */
  static async open(
    open: OpenStore,
    projector: Projector,
    options: { clock?: () => number; report?: (problem: Problem) => void } = {},
  ): Promise<EventLog> {
    const store = await open();
    try {
      const found = await findEnd(store, options.report ?? (() => undefined));
      return new EventLog({ open, store, projector, ...options }, found);
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /**
   * Opens a log over a read-only store: every append is refused with `reason`. `found`: end of a log that is
   * followed.
   */
  static async readOnly(store: Store, projector: Projector, reason: Error, found?: LogEnd): Promise<EventLog> {
    const open: OpenStore = () => Promise.reject(reason);
    const end = found ?? { heads: new Map(), whole: await lastPosition(store).catch(() => 0), lastAt: 0, sum: NO_SUM };
    const log = new EventLog({ open, store, projector }, end);
    log.#failure = { error: reason, events: [], changed: [] };
    return log;
  }

  /** Throws `log_read_only` while a failed store is being reopened. */
  get store(): Store {
    if (!this.#readable) throw refusalOf(this.#failure?.error ?? new Error('it is being opened again'));
    return this.#store;
  }

  get writable(): boolean {
    return this.#refused === null && this.#failure === null;
  }

  /** Error with which an append would be refused now. */
  refusal(): TopologError {
    return refusalOf(this.#failure?.error ?? new Error('it is just being closed'));
  }

  status(): LogStatus {
    const reason = this.#refused ?? this.#failure?.error ?? null;
    const { position } = this.#tail;
    const { damage } = this.#notices;
    return { position, writable: this.writable, reason: reason === null ? null : messageOf(reason), damage };
  }

  /** Refuses appends for this reason; null: accepts them again. For reasons that the store itself does not know. */
  refuse(reason: string | Error | null): void {
    this.#refused = typeof reason === 'string' ? new Error(reason) : reason;
  }

  /**
   * Throws the error with which an append would be refused; for work that precedes its event, such as receiving a
   * file.
   */
  check(): void {
    const refusal = this.#refusal({});
    if (refusal !== null) throw refusal;
  }

  /** From now on, paths inside the data directory are stored relative to it. */
  keepPaths(places: FilePaths): void {
    this.#stage.keepPaths(places);
  }

  /** From now on, events have references in the place of secrets, which are stored before them. */
  keepSecrets(secrets: LabSecrets): void {
    this.#stage.keepSecrets(secrets);
  }

  /** Changes whenever something was appended or has failed. */
  get changeToken(): string {
    return this.#stage.changeToken;
  }

  /** Version of the last event of a stream, including events being written; 0: none. */
  version(projectId: string | null): number {
    return this.#stage.version(projectId);
  }

  /** Does the expensive part of `append` for a batch of thousands in slices of the event loop. */
  prepare(drafts: readonly AnyDraft[]): Promise<PreparedBatch> {
    return this.#stage.prepare(drafts);
  }

  /**
   * Resolves with the events once they, the records they change, and everything before them are on disk. All or
   * nothing.
   */
  append(drafts: readonly AnyDraft[] | PreparedBatch, options: AppendOptions = {}): Promise<AnyEvent[]> {
    const refusal = this.#refusal(options);
    if (refusal !== null) return Promise.reject(refusal);
    if (('events' in drafts ? drafts.events : drafts).length === 0) return this.settled().then(() => []);
    const asked = performance.now();
    try {
      this.#last = this.#queue.push(this.#stage.take(drafts, options.causal ?? false), asked);
    } catch (error) {
      // The draft does not match its schema: nothing was staged.
      const reason = error as Error;
      return Promise.reject(reason);
    }
    this.#writing ??= Promise.resolve().then(() => this.#drain());
    return this.#last;
  }

  /**
   * Resolves once everything appended before is on disk. Rejects when that fails, and while `refuse` is in effect:
   * another server may have written since, and the records here may be outdated.
   */
  async settled(): Promise<void> {
    if (this.#writing !== null) await this.#last;
    if (this.#refused !== null) throw refusalOf(this.#refused);
  }

  #refusal({ expected }: AppendOptions): Error | null {
    if (this.#closed) return new TopologError('shutting_down');
    if (this.#refused !== null) return refusalOf(this.#refused);
    if (this.#failure !== null) return refusalOf(this.#failure.error);
    if (expected === undefined) return null;
    const version = this.version(expected.project_id);
    if (version === expected.version) return null;
    return new TopologError('conflict', { reason: `the project is at version ${version}, not ${expected.version}` });
  }

  async #drain(): Promise<void> {
    while (!this.#queue.isEmpty && this.#failure === null) {
      const group = this.#queue.take();
      const { events, encoded, changes } = group;
      const begun = performance.now();
      try {
        await this.#stage.storeSecrets();
        const ops = this.#tail.ops(events, encoded, changes);
        // Slicing yields to the event loop, for which a single writer would have to wait.
        await this.#store.batch(events.length < LARGE_BATCH ? atOnce(ops) : await inSlices(ops), { sync: true });
      } catch (error) {
        this.#fail(error, group);
        break;
      }
      this.#tail.commit();
      this.#commit(events, changes);
      group.resolve();
      this.#notices.written(events.length, begun, group.calledAt);
    }
    this.#writing = null;
  }

  #commit(events: AnyEvent[], changes: Change[]): void {
    const { position, hash } = events.at(-1) as AnyEvent;
    this.#store.witness?.note({ position, hash });
    this.#projector.commit(changes, events);
    this.#notices.committed(events);
  }

  /** Takes in events that another server has appended after the last one known here. */
  follow(events: AnyEvent[]): void {
    this.#tail.follow(events);
    this.#commit(events, this.#stage.follow(events));
  }

  #fail(error: unknown, group: Group): void {
    this.#failure = { error, events: group.events, changed: group.changes };
    this.#stage.reset(this.#tail.position, this.#tail.heads);
    group.reject(refusalOf(error));
    this.#queue.refuse(refusalOf(error));
    this.#notices.problem(`the log cannot be written: ${messageOf(error)}`);
    this.#reopenLater();
  }

  #reopenLater(): void {
    if (this.#closed) return;
    this.#reopenTimer = setTimeout(() => void this.reopen(), REOPEN_MS);
  }

  /**
   * Reopens a failed store. A failed sync poisons LevelDB until it is opened again, and the failed batch may still be
   * in its journal: it was answered with an error, so it is cut. Retries later when the store still fails.
   */
  async reopen(): Promise<boolean> {
    const failure = this.#failure;
    if (failure === null || this.#closed) return true;
    try {
      if (this.#refused !== null) throw this.#refused;
      await this.#open.ready?.();
      this.#readable = false;
      await this.#store.close();
      this.#store = await this.#open();
      this.#readable = true;
      this.#notices.watch(this.#store);
      await this.#cutUnanswered(failure);
      this.#failure = null;
      this.#notices.problem('the log can be written again');
      return true;
    } catch (error) {
      this.#failure = { ...failure, error };
      this.#reopenLater();
      return false;
    }
  }

  async #cutUnanswered(failure: Failure): Promise<void> {
    await this.#store.batch(this.#tail.cut(failure), { sync: true });
    await this.#store.witness?.begin(endOf(this.#tail.position, this.#tail.heads));
  }

  /** Writes what is queued, notes how far the log is checked, and closes the store. */
  async close(): Promise<void> {
    if (this.#closed) return;
    while (this.#writing !== null) await this.#writing;
    this.#closed = true;
    clearTimeout(this.#checkTimer);
    clearTimeout(this.#reopenTimer);
    try {
      if (this.writable) {
        // Only once everything is in tables: what a journal holds is checked at the next start.
        await this.#store.settle?.();
        await this.#store.batch([this.#tail.whole()], { sync: true });
        await this.#store.witness?.sync();
      }
    } finally {
      await this.#store.close();
    }
  }
}

interface Pending extends Staged {
  calledAt: number;
  resolve: (events: AnyEvent[]) => void;
  reject: (error: Error) => void;
}

/** Appends that are written together. */
interface Group extends Staged {
  /** Times of the calls of `append`. */
  calledAt: number[];
  resolve(): void;
  reject(error: Error): void;
}

/** Appends that wait for the batch in flight. */
class WriteQueue {
  #waiting: Pending[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Resolves with the events once their batch is on disk. `calledAt`: milliseconds of `performance`. */
  push(staged: Staged, calledAt: number): Promise<AnyEvent[]> {
    const { promise, resolve, reject } = withResolvers<AnyEvent[]>();
    this.#waiting.push({ ...staged, calledAt, resolve, reject });
    return promise;
  }

  /** The next batch. */
  take(): Group {
    let count = 0;
    let n = 0;
    for (const pending of this.#waiting) {
      if (n > 0 && count + pending.events.length > BATCH_EVENTS) break;
      count += pending.events.length;
      n++;
    }
    const group = this.#waiting.splice(0, n);
    return {
      events: group.flatMap(({ events }) => events),
      encoded: group.flatMap(({ encoded }) => encoded.splice(0)),
      changes: group.flatMap(({ changes }) => changes),
      calledAt: group.map((one) => one.calledAt),
      resolve: () => group.forEach(({ resolve, events }) => resolve(events)),
      reject: (error) => group.forEach(({ reject }) => reject(error)),
    };
  }

  /** Rejects everything queued. */
  refuse(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** Maximum of events in a batch: bounds the time of one fsync. */
const BATCH_EVENTS = 4000;
