import type { LabSecrets } from '../../common/lab-secrets/store.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { type Encoded, encodeData } from '../encoding.ts';
import type { Head } from '../event.ts';
import { withStoredPaths, type FilePaths } from '../file-paths.ts';
import { type AnyDraft, type AnyEvent, EVENTS } from '../schemas.ts';
import { withSealed } from '../secret-places.ts';
import { streamOf } from '../store/store.ts';
import type { Change } from './batch-ops.ts';

/** Folds events into records. Injected, so that events and the records they change share one batch. */
export interface Projector {
  /** Folds an event into the pending records and returns what it changed. */
  stage(event: AnyEvent): Change[];
  /**
   * Folds events on top of the pending records without changing those; the returned function stages the result, with
   * positions shifted by `by`.
   */
  ahead(events: readonly AnyEvent[]): Steps<(by: number) => Change[]>;
  /** Moves the oldest staged events and their changes to the committed records. */
  commit(changes: Change[], events: AnyEvent[]): void;
  /** Drops everything staged. */
  discard(): void;
  /** The committed record, null when there is none. */
  current(collection: string, id: string): unknown;
}

/** Numbered events and their changes, not on disk yet. */
export interface Staged {
  events: AnyEvent[];
  encoded: Encoded[];
  changes: Change[];
}

/** Numbers events (position, version, time) and folds them into the pending records. */
export class Stage {
  readonly #projector: Projector;
  readonly #clock: () => number;
  /** Last version of each stream, including events being written. */
  #versions: Map<string, number>;
  #position: number;
  #lastAt: number;
  #lastAtText: string;
  /** Number of resets: after one, versions are used again. */
  #resets = 0;
  #places: FilePaths | null = null;
  #secrets: LabSecrets | null = null;

  constructor(
    projector: Projector,
    clock: () => number,
    end: { position: number; heads: ReadonlyMap<string, Head>; lastAt: number },
  ) {
    this.#projector = projector;
    this.#clock = clock;
    this.#position = end.position;
    this.#versions = versionsOf(end.heads);
    this.#lastAt = end.lastAt;
    this.#lastAtText = new Date(end.lastAt).toISOString();
  }

  /** Changes whenever something was staged or dropped. */
  get changeToken(): string {
    return `${this.#resets} ${this.#position}`;
  }

  version(projectId: string | null): number {
    return this.#versions.get(streamOf(projectId)) ?? 0;
  }

  /** From now on, paths inside the data directory are stored relative to it. */
  keepPaths(places: FilePaths): void {
    this.#places = places;
  }

  /** From now on, events have references in the place of secrets. */
  keepSecrets(secrets: LabSecrets): void {
    this.#secrets = secrets;
  }

  /** Stores the secrets of staged events: before these. */
  async storeSecrets(): Promise<void> {
    await this.#secrets?.flush();
  }

  /** Drops what was staged; its numbers are used again. */
  reset(position: number, heads: ReadonlyMap<string, Head>): void {
    this.#resets++;
    this.#position = position;
    this.#versions = versionsOf(heads);
    this.#projector.discard();
  }

  /** Stages events that another server has appended, with their numbers. */
  follow(events: readonly AnyEvent[]): Change[] {
    const changes: Change[] = [];
    for (const event of events) {
      this.#position = event.position;
      this.#versions.set(streamOf(event.project_id), event.version);
      for (const change of this.#projector.stage(event)) changes.push(change);
    }
    return changes;
  }

  /** Does the expensive part of `take` for a batch of thousands in slices of the event loop. */
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
    const stands = (): string => `${this.#resets} ${streams.map((stream) => this.version(stream)).join(' ')}`;
    const before = stands();
    return { events, encoded, place: yield* this.#projector.ahead(events), isCurrent: () => stands() === before };
  }

  /**
   * Throws for a draft that does not match its schema; then nothing is staged. `causal`: each event but the first was
   * caused by the one before it.
   */
  take(given: readonly AnyDraft[] | PreparedBatch, causal: boolean): Staged {
    if ('events' in given) return this.#takePrepared(given);
    // All drafts are checked before the first is staged: an error in one must not leave half a command staged.
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

  #takePrepared({ events, encoded, place, isCurrent }: PreparedBatch): Staged {
    // Another append to the stream came between: the events are folded again on the present records.
    const isOutdated = !isCurrent();
    const by = this.#position + 1 - (events[0]?.position ?? 0);
    for (const event of events) this.#number(event);
    return {
      events,
      encoded,
      changes: isOutdated ? events.flatMap((event) => this.#projector.stage(event)) : place(by),
    };
  }

  /** Draft as it is stored. */
  #kept(draft: AnyDraft): AnyDraft {
    const sealed = this.#secrets === null ? draft : withSealed(this.#secrets, draft);
    return this.#places === null ? sealed : withStoredPaths(this.#places, sealed);
  }

  #number(event: AnyEvent): void {
    const stream = streamOf(event.project_id);
    event.position = ++this.#position;
    event.version = (this.#versions.get(stream) ?? 0) + 1;
    event.at = this.#time();
    this.#versions.set(stream, event.version);
  }

  /** Never earlier than the event before. Formatted once per millisecond. */
  #time(): string {
    const now = this.#clock();
    if (now > this.#lastAt) {
      this.#lastAt = now;
      this.#lastAtText = new Date(now).toISOString();
    }
    return this.#lastAtText;
  }
}

const versionsOf = (heads: ReadonlyMap<string, Head>): Map<string, number> =>
  new Map([...heads].map(([stream, { version }]) => [stream, version]));

/** A checked event without a place in the log, and its encoded data. */
interface Prepared {
  event: AnyEvent;
  encoded: Encoded;
}

/** Throws when the draft does not match the schema of its type. */
const prepare = (draft: AnyDraft, position = 0): Prepared => {
  const { v, data: schema } = EVENTS[draft.type];
  const data: unknown = schema.parse(draft.data);
  const event = {
    project_id: draft.project_id,
    type: draft.type,
    data,
    by: draft.by,
    request_id: draft.request_id,
    cause: draft.cause,
    position,
    version: 0,
    v,
    at: '',
    prev: '',
    hash: '',
  };
  return { event: event as unknown as AnyEvent, encoded: encodeData(data) };
};

/** Events that are checked, encoded and folded ahead, so that appending them is cheap; to be appended once. */
export interface PreparedBatch {
  events: AnyEvent[];
  encoded: Encoded[];
  /** Stages their changes; `by`: shift from the positions that they were folded for. */
  place: (by: number) => Change[];
  /** Whether the records that they were folded on are still the pending ones. */
  isCurrent: () => boolean;
}
