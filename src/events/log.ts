import { EventEmitter } from 'eventemitter3';
import { messageOf, TopologError } from '../common/errors.ts';
import { batchOps, type Change, lastOf, recordOps, type RecordSum, sumAfter, sumOp } from './batch-ops.ts';
import type { Damage } from './store/damage.ts';
import { streamOf, cutOps, isDiskFull, KEYS, type OpenStore, type Store, type StoreOp } from './store/store.ts';
import type { AnyDraft, AnyEvent } from './schemas.ts';
import { keptDraft, type Places } from './places.ts';
import { type Encoded, prepare, type PreparedBatch } from './prepare.ts';
import { lastPosition } from './read.ts';
import { endOf, findEnd, type Found, type Head, type Problem } from './startup.ts';
import { atOnce, inSlices, type Steps } from '../common/slices.ts';

/** Folds events into records. Injected, so that events and the records they change share one batch. */
export interface Projector {
  /** Folds an event into what is pending and says what it changed. */
  stage(event: AnyEvent): Change[];
  /**
   * Folds events ahead of their places upon what is pending, and changes nothing of it; what is answered stages them later, `by`
   * positions after those that they have.
   */
  ahead(events: readonly AnyEvent[]): Steps<(by: number) => Change[]>;
  /** The oldest staged events, with these changes, are on disk. */
  commit(changes: Change[], events: AnyEvent[]): void;
  /** Everything staged is void. */
  discard(): void;
  /** The committed record, null when there is none. */
  current(collection: string, id: string): unknown;
}

export interface AppendOptions {
  /** Refuse (conflict) unless the stream's last version is this. */
  expected?: { project_id: string | null; version: number };
  /** Each event but the first was caused by the one before it. */
  causal?: boolean;
}

export interface LogStatus {
  position: number;
  writable: boolean;
  /** Why nothing can be written; null when it can. */
  reason: string | null;
  /** What was found damaged since the start; what is whole can be read and written. */
  damage: Damage[];
}

interface Pending {
  events: AnyEvent[];
  encoded: Encoded[];
  changes: Change[];
  resolve: (events: AnyEvent[]) => void;
  reject: (error: Error) => void;
}

/** What a batch that failed may have left in the store; it was answered with an error. */
interface Failure {
  error: unknown;
  events: AnyEvent[];
  changed: Change[];
}

/** Events a batch carries at most: bounds how long one fsync can take. */
const BATCH_EVENTS = 4000;
/** Events from which a batch is put together in several turns of the event loop. */
const LARGE_BATCH = 500;
const REOPEN_MS = 300;
/** After the start, tables are looked at when the lab is back, or when somebody needs to be sure of them. */
const CHECK_AFTER_MS = 5_000;
/** Events between two notes of how far the log is whole: a start after a crash checks what came after the last one. */
const NOTED_EVERY = 2000;
/**
 * Events that are always left to that check: those that may lie in LevelDB's journals (two of 4 MiB, and no event takes less than
 * 500 octets with its keys), where damage in the middle takes events away.
 */
const ALWAYS_CHECKED = 20_000;

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
  readonly #clock: () => number;
  readonly #emitter = new EventEmitter<{ committed: [AnyEvent[]]; problem: [string]; damaged: [Damage] }>();
  #store: Store;
  /** Last version of each stream, also of what is being written. */
  #versions: Map<string, number>;
  /** Heads as they are on disk. */
  readonly #heads: Map<string, Head>;
  #position: number;
  #committed: number;
  #noted = 0;
  #lastAt: number;
  #lastAtText: string;
  /** Of the records on disk, and with the batch that is being written. */
  #sum: RecordSum;
  #nextSum: RecordSum;
  /** Heads of the batch that is being written. */
  #nextHeads: ReadonlyMap<string, Head> = new Map();
  readonly #damage = new Map<string, Damage>();
  #queue: Pending[] = [];
  #writing: Promise<void> | null = null;
  #failure: Failure | null = null;
  /** Counted, as the versions of a stream come again after one. */
  #failures = 0;
  readonly #checkTimer: NodeJS.Timeout;
  #reopenTimer: NodeJS.Timeout | null = null;
  /** Why nothing is written although the store would take it; null: nothing stands against it. */
  #refused: Error | null = null;
  #closed = false;
  #readable = true;
  #places: Places | null = null;

  private constructor(open: OpenStore, store: Store, projector: Projector, clock: () => number, found: Found) {
    this.#open = open;
    this.#store = store;
    this.#projector = projector;
    this.#clock = clock;
    this.#heads = found.heads;
    this.#versions = versionsOf(found.heads);
    this.#position = this.#committed = this.#noted = found.whole;
    this.#lastAt = found.lastAt;
    this.#lastAtText = new Date(found.lastAt).toISOString();
    this.#sum = this.#nextSum = found.sum;
    this.#listenToDamage();
    this.#checkTimer = setTimeout(() => void this.#checkStore(), CHECK_AFTER_MS).unref();
  }

  async #checkStore(): Promise<void> {
    try {
      await this.#store.check?.();
    } catch (error) {
      this.#emitter.emit('problem', `the log's tables cannot be checked: ${messageOf(error)}`);
    }
  }

  /**
   * Opens the store, checks the tail since the last check (positions contiguous, hashes right) and cuts what was never whole.
   * Throws `DamagedLog` naming the position of the first gap or bad hash. `report` hears of a cut tail.
   */
  static async open(
    open: OpenStore,
    projector: Projector,
    options: { clock?: () => number; report?: (problem: Problem) => void } = {},
  ): Promise<EventLog> {
    const store = await open();
    try {
      const found = await findEnd(store, options.report ?? (() => undefined));
      return new EventLog(open, store, projector, options.clock ?? Date.now, found);
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** A log over a store that is only read: every append is refused for this reason, for as long as the log is open. */
  static async readOnly(store: Store, projector: Projector, reason: Error): Promise<EventLog> {
    const never: OpenStore = () => Promise.reject(reason);
    const whole = await lastPosition(store).catch(() => 0);
    const sum = { records: 0, changed: 0 };
    const log = new EventLog(never, store, projector, Date.now, { heads: new Map(), whole, lastAt: 0, sum });
    log.#failure = { error: reason, events: [], changed: [] };
    return log;
  }

  /** Throws `log_read_only` while a store that failed is being opened again. */
  get store(): Store {
    if (!this.#readable) throw refusalOf(this.#failure?.error ?? new Error('it is being opened again'));
    return this.#store;
  }

  get writable(): boolean {
    return this.#refused === null && this.#failure === null;
  }

  /** What an append would be refused with now. */
  refusal(): TopologError {
    return refusalOf(this.#failure?.error ?? new Error('it is just being closed'));
  }

  status(): LogStatus {
    const reason = this.#refused ?? this.#failure?.error ?? null;
    return {
      position: this.#committed,
      writable: this.writable,
      reason: reason === null ? null : messageOf(reason),
      damage: [...this.#damage.values()],
    };
  }

  /** Takes no more events for this reason; null: takes them again. For what the store itself does not notice. */
  refuse(reason: string | null): void {
    this.#refused = reason === null ? null : new Error(reason);
    this.#emitter.emit('problem', reason ?? 'the log can be written again');
  }

  /** Throws what an append would be refused with: for work that comes before its event, such as receiving a file. */
  check(): void {
    const refusal = this.#refusal({});
    if (refusal !== null) throw refusal;
  }

  /** From now on, paths inside the data directory are kept relative to it. */
  keepPaths(places: Places): void {
    this.#places = places;
  }

  /** A draft as it is kept. */
  #kept(draft: AnyDraft): AnyDraft {
    return this.#places === null ? draft : keptDraft(this.#places, draft);
  }

  /** Another one whenever something was appended, or has failed. */
  get stand(): string {
    return `${this.#failures} ${this.#position}`;
  }

  /** Version of the last event of a stream, also of one that is being written; 0: there is none. */
  version(projectId: string | null): number {
    return this.#versions.get(streamOf(projectId)) ?? 0;
  }

  /** Events as they are committed, in order, one call a batch. */
  onCommitted(listener: (events: AnyEvent[]) => void): void {
    this.#emitter.on('committed', listener);
  }

  onProblem(listener: (message: string) => void): void {
    this.#emitter.on('problem', listener);
  }

  /** Hears of each damage that a read has met, once. */
  onDamage(listener: (damage: Damage) => void): void {
    this.#emitter.on('damaged', listener);
  }

  #listenToDamage(): void {
    this.#store.damages?.listen((damage) => {
      if (this.#damage.has(damage.key)) return;
      this.#damage.set(damage.key, damage);
      this.#emitter.emit('damaged', damage);
      this.#emitter.emit('problem', `the log is damaged at ${damage.where}: ${damage.message}`);
    });
  }

  /** For a batch of thousands: does beforehand, without holding up the event loop, what `append` would do at once. */
  prepare(drafts: readonly AnyDraft[]): Promise<PreparedBatch> {
    return inSlices(this.#prepared(drafts));
  }

  *#prepared(drafts: readonly AnyDraft[]): Steps<PreparedBatch> {
    const events: AnyEvent[] = [];
    const encoded: Encoded[] = [];
    for (const [i, draft] of drafts.entries()) {
      const one = prepare(this.#kept(draft), i - drafts.length);
      events.push(one.event);
      encoded.push(one.encoded);
      yield;
    }
    const streams = [...new Set(events.map(({ project_id }) => project_id))];
    const stands = (): string => `${this.#failures} ${streams.map((stream) => this.version(stream)).join(' ')}`;
    const before = stands();
    return { events, encoded, place: yield* this.#projector.ahead(events), isCurrent: () => stands() === before };
  }

  /** Resolves with the events once they and the records they change are on disk. All or nothing. */
  append(drafts: readonly AnyDraft[] | PreparedBatch, options: AppendOptions = {}): Promise<AnyEvent[]> {
    const refusal = this.#refusal(options);
    if (refusal !== null) return Promise.reject(refusal);
    if (('events' in drafts ? drafts.events : drafts).length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      // A draft of the wrong shape throws here and rejects: nothing of it was staged.
      this.#queue.push({ ...this.#stage(drafts, options.causal ?? false), resolve, reject });
      this.#writing ??= Promise.resolve().then(() => this.#drain());
    });
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

  #stage(given: readonly AnyDraft[] | PreparedBatch, causal: boolean): Omit<Pending, 'resolve' | 'reject'> {
    if ('events' in given) return this.#stagePrepared(given);
    // Every draft is checked before the first is staged: a defect in one must not leave half a command staged.
    const prepared = given.map((draft) => prepare(this.#kept(draft)));
    const changes: Change[] = [];
    let last: AnyEvent | null = null;
    for (const { event } of prepared) {
      if (causal && last !== null) event.cause = last.position;
      this.#number(event);
      for (const change of this.#projector.stage(event)) changes.push(change);
      last = event;
    }
    return { events: prepared.map(({ event }) => event), encoded: prepared.map(({ encoded }) => encoded), changes };
  }

  #stagePrepared({ events, encoded, place, isCurrent }: PreparedBatch): Omit<Pending, 'resolve' | 'reject'> {
    // Somebody has appended to the stream meanwhile: the events are folded again, on what is there now.
    const isOutdated = !isCurrent();
    const by = this.#position + 1 - (events[0]?.position ?? 0);
    for (const event of events) this.#number(event);
    return {
      events,
      encoded,
      changes: isOutdated ? events.flatMap((event) => this.#projector.stage(event)) : place(by),
    };
  }

  /** Gives an event its place. */
  #number(event: AnyEvent): void {
    const stream = streamOf(event.project_id);
    event.position = ++this.#position;
    event.version = (this.#versions.get(stream) ?? 0) + 1;
    event.at = this.#time();
    this.#versions.set(stream, event.version);
  }

  /** Never earlier than before; as text once a millisecond. */
  #time(): string {
    const now = this.#clock();
    if (now > this.#lastAt) {
      this.#lastAt = now;
      this.#lastAtText = new Date(now).toISOString();
    }
    return this.#lastAtText;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0 && this.#failure === null) {
      const group = this.#take();
      const events = group.flatMap((p) => p.events);
      const changes = group.flatMap((p) => p.changes);
      try {
        const ops = this.#ops(group, events, changes);
        // A pause is a turn of the event loop, which a lone writer would wait for.
        await this.#store.batch(events.length < LARGE_BATCH ? atOnce(ops) : await inSlices(ops), { sync: true });
      } catch (error) {
        this.#fail(error, group, changes);
        break;
      }
      this.#commit(events, changes);
      for (const pending of group) pending.resolve(pending.events);
    }
    this.#writing = null;
  }

  #take(): Pending[] {
    let count = 0;
    let n = 0;
    for (const pending of this.#queue) {
      if (n > 0 && count + pending.events.length > BATCH_EVENTS) break;
      count += pending.events.length;
      n++;
    }
    return this.#queue.splice(0, n);
  }

  /** What a group of events puts into the store; now and then with a note of how far the log is whole. */
  *#ops(group: Pending[], events: AnyEvent[], changes: Change[]): Steps<StoreOp[]> {
    const encoded = group.flatMap((p) => p.encoded.splice(0));
    const last = lastOf(changes);
    const { ops, heads } = yield* batchOps(events, encoded, this.#heads, last);
    this.#nextHeads = heads;
    this.#nextSum = yield* sumAfter(this.#sum, last, (collection, id) => this.#projector.current(collection, id));
    ops.push(sumOp(this.#nextSum));
    const whole = this.#committed - ALWAYS_CHECKED;
    if (whole - this.#noted < NOTED_EVERY) return ops;
    this.#noted = whole;
    return [...ops, { type: 'put', key: KEYS.checked, value: String(whole) }];
  }

  #commit(events: AnyEvent[], changes: Change[]): void {
    this.#sum = this.#nextSum;
    for (const [stream, head] of this.#nextHeads) this.#heads.set(stream, head);
    const { position, hash } = events.at(-1) as AnyEvent;
    this.#committed = position;
    this.#store.witness?.note({ position, hash });
    this.#projector.commit(changes, events);
    try {
      this.#emitter.emit('committed', events);
    } catch (error) {
      // A listener's defect must not undo what is on disk, nor stop the writer.
      this.#emitter.emit('problem', `a listener failed on committed events: ${messageOf(error)}`);
    }
  }

  #fail(error: unknown, group: Pending[], changed: Change[]): void {
    const failed = [...group, ...this.#queue];
    this.#queue = [];
    this.#failure = { error, events: group.flatMap(({ events }) => events), changed };
    this.#failures++;
    this.#position = this.#committed;
    this.#versions = versionsOf(this.#heads);
    this.#projector.discard();
    for (const pending of failed) pending.reject(refusalOf(error));
    this.#emitter.emit('problem', `the log cannot be written: ${messageOf(error)}`);
    this.#reopenLater();
  }

  #reopenLater(): void {
    if (this.#closed) return;
    this.#reopenTimer = setTimeout(() => {
      this.#reopenTimer = null;
      void this.reopen();
    }, REOPEN_MS);
  }

  /**
   * A failed sync poisons LevelDB until it is opened again, and what failed may still be in its journal: it was answered with
   * an error, so it is cut. Tries again later when the store still refuses.
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
      this.#listenToDamage();
      await this.#cutUnanswered(failure);
      this.#failure = null;
      this.#emitter.emit('problem', 'the log can be written again');
      return true;
    } catch (error) {
      this.#failure = { ...failure, error };
      this.#reopenLater();
      return false;
    }
  }

  /** By the keys of what failed: nothing that it left is read, so that it may be damaged. */
  async #cutUnanswered({ events, changed }: Failure): Promise<void> {
    const ops = events.flatMap((event) => cutOps(event));
    for (const stream of new Set(events.map(({ project_id }) => streamOf(project_id)))) {
      const head = this.#heads.get(stream);
      const key = KEYS.head(stream);
      ops.push(head === undefined ? { type: 'del', key } : { type: 'put', key, value: JSON.stringify(head) });
    }
    ops.push(...this.#restoredRecords(changed));
    // Written even when there is nothing to cut: it proves that the disk takes writes again.
    ops.push(sumOp(this.#sum), { type: 'put', key: KEYS.checked, value: String(this.#committed) });
    await this.#store.batch(ops, { sync: true });
    await this.#store.witness?.begin(endOf(this.#committed, this.#heads));
  }

  /** The records that the failed batch was to change, as they were before it. */
  #restoredRecords(changed: Change[]): StoreOp[] {
    const before = changed.map(({ collection, id }) => ({
      collection,
      id,
      record: this.#projector.current(collection, id),
    }));
    return atOnce(recordOps(lastOf(before)));
  }

  /** Writes what waits, notes how far the log is checked, and closes the store. */
  async close(): Promise<void> {
    if (this.#closed) return;
    while (this.#writing !== null) await this.#writing;
    this.#closed = true;
    clearTimeout(this.#checkTimer);
    if (this.#reopenTimer !== null) clearTimeout(this.#reopenTimer);
    try {
      if (this.#failure === null) await this.#noteAll();
    } finally {
      await this.#store.close();
    }
  }

  /** Not before everything lies in tables: what a journal holds is checked at the start. */
  async #noteAll(): Promise<void> {
    await this.#store.settle?.();
    await this.#store.batch([{ type: 'put', key: KEYS.checked, value: String(this.#committed) }], { sync: true });
    await this.#store.witness?.sync();
  }
}

const versionsOf = (heads: ReadonlyMap<string, Head>): Map<string, number> =>
  new Map([...heads].map(([stream, { version }]) => [stream, version]));

const refusalOf = (error: unknown): TopologError =>
  isDiskFull(error)
    ? new TopologError('disk_full', {}, { cause: error })
    : new TopologError('log_read_only', { reason: messageOf(error) }, { cause: error });
