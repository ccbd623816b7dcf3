import type { Changes } from '../../projections/past/changes.ts';
import type { Step } from '../../projections/fold/change.ts';
import type { HttpLimits } from '../limits.ts';
import { type Encoded, encodeFrame, encodeStep, type FeedKind, type Frame, type Framer, type Cursor } from './frame.ts';
import type { Ending, Sink } from './sink.ts';

/** Which feed; `project_id` null for those of the server. */
export interface Feed {
  kind: FeedKind;
  project_id: string | null;
}

export interface ListenerParts {
  feed: Feed;
  /** null: from now on. */
  cursor: Cursor | null;
  sink: Sink;
  changes: Changes;
  framer: Framer;
  limits: HttpLimits;
  /** Body of a ping. */
  load: () => object;
  /** Resolves once the log is as far, or if it does not come to that. */
  reached: (position: number) => Promise<void>;
  /** Also gets frames that are in no log: who else listens, traffic of links. */
  wantsLive: boolean;
  /** It has caught up. */
  arrived: () => void;
  /** A defect, or a log that cannot be read. */
  failed: (error: unknown) => void;
}

/**
 * One listener. It is either live, and gets each frame as it happens, or behind, and reads what it lacks from the log at its own
 * pace; so a queue never holds more than a bound and what one event says. It changes to live in the tick in which it lacks nothing.
 */
export class Listener {
  readonly #parts: ListenerParts;
  /** All frames up to here have been sent. */
  #at: number;
  #live = false;
  #ended = false;
  #lastFrame = 0;
  #greeted = false;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#at = parts.cursor?.position ?? parts.changes.position();
  }

  get feed(): Feed {
    return this.#parts.feed;
  }

  get wantsLive(): boolean {
    return this.#parts.wantsLive;
  }

  start(): void {
    const { cursor } = this.#parts;
    if (cursor === null) this.#goLive();
    else void this.#guard(() => this.#resume(cursor));
  }

  /**
   * Frames that have just happened; `head`: the log's last position, which they bring a live listener to; `last`: nothing comes
   * after them.
   */
  deliver(frames: readonly Encoded[], head: number, last: boolean): void {
    if (!this.#live || this.#ended) return;
    const { sink, limits } = this.#parts;
    sink.together(() => {
      for (const { data, position } of frames) {
        if (position !== this.#at && sink.waiting() > limits.feedBytes) {
          this.#live = false;
          break;
        }
        sink.send(data);
        this.#at = position;
      }
    });
    if (frames.length > 0) this.#lastFrame = performance.now();
    if (!this.#live) return void this.#guard(() => this.#catchUp());
    this.#at = head;
    if (last) this.end('deleted');
  }

  /** Sends a frame that is no event, and is not sent again. */
  passing(frame: Frame): void {
    if (!this.#live || this.#ended) return;
    const { feed, sink, changes } = this.#parts;
    sink.send(encodeFrame(frame, changes.position(), feed.kind === 'compute' ? { project_id: null } : {}));
  }

  /** Sends such a frame if the client wants it and is not behind: it is worth nothing later. */
  live(frame: Frame): void {
    const { wantsLive, sink, limits } = this.#parts;
    if (wantsLive && sink.waiting() <= limits.feedBytes / 2) this.passing(frame);
  }

  /** A ping, if nothing was sent for so long. Milliseconds. */
  ping(silenceMs: number): void {
    if (performance.now() - this.#lastFrame < silenceMs) return;
    this.#lastFrame = performance.now();
    this.passing({ action: 'ping', event: JSON.stringify(this.#parts.load()) });
  }

  end(ending: Ending): void {
    if (!this.#ended) this.#parts.sink.end(ending);
    this.leave();
  }

  /** The client has gone. */
  leave(): void {
    this.#ended = true;
  }

  #goLive(): void {
    const hasJustCome = !this.#greeted;
    this.#live = true;
    this.ping(0);
    this.#greeted = true;
    if (hasJustCome) this.#parts.arrived();
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#ended) this.#parts.failed(error);
      this.end('failed');
    }
  }

  async #resume(cursor: Cursor): Promise<void> {
    const { feed, changes, limits } = this.#parts;
    if (cursor.position > changes.position()) await this.#parts.reached(cursor.position);
    const tooMany =
      cursor.position > changes.position() ||
      (await changes.missed(feed.project_id, cursor.position)) > limits.feedReplay;
    if (this.#ended) return;
    if (tooMany) {
      this.#at = changes.position();
      const reason = 'what was missed is not sent again: read everything again';
      this.#live = true;
      this.passing({ action: 'reload', event: JSON.stringify({ reason }) });
      return this.#goLive();
    }
    // Some frames of that position are still to come.
    if (cursor.more > 0) this.#at = cursor.position - 1;
    return this.#catchUp(cursor);
  }

  async #catchUp(partly?: Cursor): Promise<void> {
    const { feed, changes } = this.#parts;
    while (!this.#ended) {
      // No tick lies between this and being live, so nothing is missed and nothing comes twice.
      const head = changes.position();
      if (this.#at >= head) return this.#goLive();
      if ((await changes.missed(feed.project_id, this.#at)) > 0) await this.#replay(partly);
      this.#at = Math.max(this.#at, head);
    }
  }

  async #replay(partly: Cursor | undefined): Promise<void> {
    const { feed, changes, framer, limits } = this.#parts;
    const pace = new Pace(this.#parts.sink, limits);
    for await (const step of changes.since(feed.project_id, this.#at)) {
      if (this.#ended) return;
      const frames = encodeStep(framer, feed.kind, step).filter((frame) => isNews(frame, partly));
      for (const { data } of frames) pace.send(data);
      this.#at = step.event.position;
      if (isEnd(feed, step)) return this.end('deleted');
      if (pace.full && !(await pace.taken())) return this.end('slow');
    }
    if (!(await pace.taken())) this.end('slow');
  }
}

const isNews = ({ position, more }: Encoded, partly: Cursor | undefined): boolean =>
  position !== partly?.position || partly.more === 0 || more < partly.more;

/** After a project was deleted there is no more news of it. */
export const isEnd = ({ project_id }: Feed, { event }: Step): boolean =>
  event.type === 'project.deleted' && event.project_id === project_id;

/** Sends in chunks, the next one when the last was taken; a client that takes none in its time is too slow. */
class Pace {
  readonly #sink: Sink;
  readonly #limits: HttpLimits;
  #bytes = 0;
  #taken: Promise<void> = Promise.resolve();

  constructor(sink: Sink, limits: HttpLimits) {
    this.#sink = sink;
    this.#limits = limits;
  }

  get full(): boolean {
    return this.#bytes > this.#limits.feedBytes / 4 || this.#sink.waiting() > this.#limits.feedBytes;
  }

  send(data: Buffer): void {
    this.#bytes += data.length;
    this.#taken = new Promise((resolve) => this.#sink.send(data, resolve));
  }

  /** False: not in time. */
  async taken(): Promise<boolean> {
    this.#bytes = 0;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      // After a stall of the server itself, the news of what the client has taken comes first.
      timer = setTimeout(() => setImmediate(() => setImmediate(() => resolve(false))), this.#limits.feedSlowMs);
      timer.unref();
    });
    const inTime = await Promise.race([this.#taken.then(() => true), late]);
    clearTimeout(timer);
    return inTime;
  }
}
