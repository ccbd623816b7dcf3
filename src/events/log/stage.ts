import { inSlices, type Steps } from '../../common/slices.ts';
import { type Encoded, encodeData } from '../encoding.ts';
import type { Head } from '../event.ts';
import { withStoredPaths, type FilePaths } from '../file-paths.ts';
import { type AnyDraft, type AnyEvent, EVENTS } from '../schemas.ts';
import { streamOf } from '../store/store.ts';
import type { Change } from './batch-ops.ts';

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

/** Events with their places, and what they change; on disk they are not. */
export interface Staged {
  events: AnyEvent[];
  encoded: Encoded[];
  changes: Change[];
}

/** Gives events their places (position, version, time) and folds them into what is pending. */
export class Stage {
  readonly #projector: Projector;
  readonly #clock: () => number;
  /** Last version of each stream, also of what is being written. */
  #versions: Map<string, number>;
  #position: number;
  #lastAt: number;
  #lastAtText: string;
  /** How often what was staged became void: the versions of a stream come again after that. */
  #resets = 0;
  #places: FilePaths | null = null;

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

  /** Another one whenever something was staged, or became void. */
  get changeToken(): string {
    return `${this.#resets} ${this.#position}`;
  }

  version(projectId: string | null): number {
    return this.#versions.get(streamOf(projectId)) ?? 0;
  }

  /** From now on, paths inside the data directory are kept relative to it. */
  keepPaths(places: FilePaths): void {
    this.#places = places;
  }

  /** What was staged is void: the numbers are used again. */
  reset(position: number, heads: ReadonlyMap<string, Head>): void {
    this.#resets++;
    this.#position = position;
    this.#versions = versionsOf(heads);
    this.#projector.discard();
  }

  /** Events that another server has appended, with the places that they have there. */
  follow(events: readonly AnyEvent[]): Change[] {
    const changes: Change[] = [];
    for (const event of events) {
      this.#position = event.position;
      this.#versions.set(streamOf(event.project_id), event.version);
      for (const change of this.#projector.stage(event)) changes.push(change);
    }
    return changes;
  }

  /** For a batch of thousands: does beforehand, without holding up the event loop, what `take` would do at once. */
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

  /** Throws for a draft of the wrong shape: then nothing is staged. `causal`: each but the first was caused by the one before it. */
  take(given: readonly AnyDraft[] | PreparedBatch, causal: boolean): Staged {
    if ('events' in given) return this.#takePrepared(given);
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

  #takePrepared({ events, encoded, place, isCurrent }: PreparedBatch): Staged {
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

  /** A draft as it is kept. */
  #kept(draft: AnyDraft): AnyDraft {
    return this.#places === null ? draft : withStoredPaths(this.#places, draft);
  }

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
}

const versionsOf = (heads: ReadonlyMap<string, Head>): Map<string, number> =>
  new Map([...heads].map(([stream, { version }]) => [stream, version]));

/** An event that has no place in the log yet, and what it holds as text. */
interface Prepared {
  event: AnyEvent;
  encoded: Encoded;
}

/** Throws when the draft has not the shape of its type. */
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

/** Events that are checked, written as text and folded, so that taking their places in the log costs little; to be appended once. */
export interface PreparedBatch {
  events: AnyEvent[];
  encoded: Encoded[];
  /** What they change; `by`: how much later in the log they come to stand than they were folded for. */
  place: (by: number) => Change[];
  /** Whether they were folded on what is pending now. */
  isCurrent: () => boolean;
}
