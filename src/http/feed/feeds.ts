import type { Commands } from '../../actors/commands.ts';
import type { JobProgress, Jobs } from '../../actors/runtime/jobs.ts';
import { TopologError } from '../../common/errors.ts';
import type { Step } from '../../projections/fold/change.ts';
import type { Changes } from '../../projections/past/changes.ts';
import type { HttpLimits } from '../limits.ts';
import type { Counts } from '../metrics/counts.ts';
import { type Cursor, encodeStep, type Framer } from './frame.ts';
import { type Feed, isEnd, Listener } from './listener.ts';
import type { Live } from './live.ts';
import type { Shown, Visitor } from './presence.ts';
import type { Sink } from './sink.ts';

interface Parts {
  changes: Changes;
  commands: Pick<Commands, 'attend'>;
  framer: Framer;
  limits: HttpLimits;
  /** Aborted when the server begins to close. */
  closing: AbortSignal;
  /** Resolves once the log is as far, or if it does not come to that. */
  reached: (position: number) => Promise<void>;
  /** Body of a ping. */
  load: () => object;
  /** Every compute, this server first: their load changes without an event. */
  computes: () => readonly { compute_id: string }[];
  live: Live;
  jobs: Pick<Jobs, 'onProgress'>;
  counts: Counts;
  failed: (error: unknown) => void;
}

/** A listener that wants to join a feed. */
export interface Listening {
  feed: Feed;
  /** null: from now on. */
  cursor: Cursor | null;
  visitor: Visitor;
  /** Also gets frames that are in no log: who else listens, traffic of links, jobs. */
  wantsLive: boolean;
}

/** A listener that gets its frames. */
interface Joined {
  /** Shows something to the others of its project. */
  readonly show: (shown: Shown) => void;
  /** The client has gone. */
  readonly leave: () => void;
}

/** Pings of the compute feed come this much more often. */
const COMPUTE_RATE = 5;

/** Every listener of every feed, and the requests that wait for a state. */
export class Feeds {
  readonly #parts: Parts;
  /** By `keyOf`. */
  readonly #listeners = new Map<string, Set<Listener>>();
  #admitted = 0;
  #ticks: NodeJS.Timeout | null = null;
  #tick = 0;
  /** JSON that was told last of each compute. */
  #computes = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.changes.onCommitted((steps) => this.#publish(steps));
    parts.jobs.onProgress((progress) => this.#tellProgress(progress));
  }

  /** Takes a place among the listeners, until the answer is called. Throws `too_many_listeners`. */
  admit(): () => void {
    const { listeners: most } = this.#parts.limits;
    if (this.#admitted >= most) throw new TopologError('too_many_listeners', { most });
    this.#admitted++;
    let there = true;
    return () => {
      if (there) this.#admitted--;
      there = false;
    };
  }

  /** Names of the listeners of a project, each once. */
  viewers(projectId: string): string[] {
    return this.#parts.live.viewers(projectId);
  }

  /** Sends frames from a cursor on. */
  join({ feed, cursor, visitor, wantsLive }: Listening, sink: Sink): Joined {
    const { changes, framer, limits, load, reached, failed, closing, commands, counts, live } = this.#parts;
    const { project_id } = feed;
    const arrived = (): void => {
      if (project_id !== null) live.arrived(project_id, listener);
    };
    const parts = { feed, cursor, sink, changes, framer, limits, load, reached, failed, wantsLive, arrived };
    const listener: Listener = new Listener(parts);
    const key = keyOf(feed);
    const set = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, set.add(listener));
    const unattend = project_id === null ? null : commands.attend(project_id);
    counts.listen(feed.kind, 1);
    const depart = project_id === null ? null : live.join(project_id, listener, visitor);
    this.#keepTicking();
    listener.start();
    return {
      show: (shown) => {
        if (project_id !== null) live.show(project_id, listener, shown);
      },
      leave: () => {
        listener.leave();
        depart?.();
        if (set.delete(listener)) counts.listen(feed.kind, -1);
        if (set.size === 0 && this.#listeners.get(key) === set) this.#listeners.delete(key);
        // A server that ends its connections has not lost its listeners' interest.
        if (!closing.aborted) unattend?.();
      },
    };
  }

  #publish(steps: readonly Step[]): void {
    const head = this.#parts.changes.position();
    for (const set of [...this.#listeners.values()]) {
      const [first] = set;
      if (first === undefined) continue;
      const { feed } = first;
      const mine = feed.project_id === null ? steps : steps.filter(({ event }) => event.project_id === feed.project_id);
      if (mine.length === 0) continue;
      const frames = mine.flatMap((step) => encodeStep(this.#parts.framer, feed.kind, step));
      const deleted = mine.some((step) => isEnd(feed, step));
      for (const listener of [...set]) listener.deliver(frames, head, deleted);
      if (feed.kind === 'project') tellFiles(set, mine);
    }
  }

  #keepTicking(): void {
    if (this.#ticks !== null) return;
    this.#ticks = setInterval(() => this.#onTick(), this.#parts.limits.feedPingMs / COMPUTE_RATE);
    this.#ticks.unref();
  }

  #onTick(): void {
    if (this.#listeners.size === 0 || this.#parts.closing.aborted) {
      if (this.#ticks !== null) clearInterval(this.#ticks);
      this.#ticks = null;
      return;
    }
    const tickMs = this.#parts.limits.feedPingMs / COMPUTE_RATE;
    this.#tick++;
    if (this.#tick % COMPUTE_RATE === 0) this.#tellLoad();
    // Half a tick less, as a tick may be early.
    for (const set of this.#listeners.values())
      for (const listener of set) listener.ping(tickMs * (listener.feed.kind === 'compute' ? 0.5 : COMPUTE_RATE - 0.5));
  }

  #tellProgress(progress: JobProgress): void {
    const frame = { action: 'project.progress', event: JSON.stringify(progress) };
    for (const listener of this.#listeners.get('controller') ?? []) listener.live(frame);
  }

  #tellLoad(): void {
    const listeners = this.#listeners.get('controller');
    if (listeners === undefined) return;
    const now = this.#parts.computes().map((compute) => [compute.compute_id, JSON.stringify(compute)] as const);
    const before = this.#computes;
    this.#computes = new Map(now);
    for (const [id, event] of now)
      if (event !== before.get(id))
        for (const listener of listeners) listener.passing({ action: 'compute.updated', event });
  }
}

/** Tells that files have changed, which are no records: clients read them again. */
const tellFiles = (listeners: ReadonlySet<Listener>, steps: readonly Step[]): void => {
  for (const { event } of steps) {
    if (event.type !== 'file.written') continue;
    const { node_id, path, bytes, sha256 } = event.data;
    const frame = { action: event.type, event: JSON.stringify({ node_id, path, bytes, sha256 }) };
    for (const listener of listeners) listener.live(frame);
  }
};

const keyOf = ({ kind, project_id }: Feed): string => project_id ?? kind;
