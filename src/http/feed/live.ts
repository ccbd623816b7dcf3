import type { DirectionStatistics } from '../../fabric/frames/cable.ts';
import type { Frame } from './frame.ts';
import type { Listener } from './listener.ts';
import { Presence, type Shown, type Visitor } from './presence.ts';

/** Absent `reasons`: a fabric of an older server does not say what happened to frames. */
type DirectionTraffic = DirectionStatistics & { reasons?: Readonly<Record<string, number>> };

/** Counters since the link was made, from its first end to the second, and back. */
export interface LinkTraffic {
  link_id: string;
  directions: readonly [DirectionTraffic, DirectionTraffic];
}

/** Rates a second in both directions of a link, from its first end to its second, and back. */
type Pair = [number, number];

interface LinkRates {
  link_id: string;
  frames: Pair;
  bytes: Pair;
  dropped: Pair;
  /** Waiting for their delay at the moment. */
  delayed: Pair;
}

/** Rates a second between two readings of the counters of a link; null where they were reset in between. */
export const ratesOf = (before: LinkTraffic, now: LinkTraffic, seconds: number): LinkRates | null => {
  const rate = (key: 'frames' | 'bytes' | 'dropped'): Pair => {
    const of = (i: 0 | 1): number =>
      Math.round(((now.directions[i][key] - before.directions[i][key]) / seconds) * 10) / 10;
    return [of(0), of(1)];
  };
  const [frames, bytes, dropped] = [rate('frames'), rate('bytes'), rate('dropped')];
  if ([...frames, ...bytes, ...dropped].some((n) => n < 0)) return null;
  const delayed: Pair = [now.directions[0].delayed, now.directions[1].delayed];
  return { link_id: now.link_id, frames, bytes, dropped, delayed };
};

const NOTHING = { frames: 0, bytes: 0, dropped: 0, delayed: 0 };
const nothingOf = ({ link_id }: LinkTraffic): LinkTraffic => ({ link_id, directions: [NOTHING, NOTHING] });

const isStill = ({ frames, dropped, delayed }: LinkRates): boolean =>
  [...frames, ...dropped, ...delayed].every((n) => n === 0);

interface Look {
  at: number;
  links: Map<string, LinkTraffic>;
}

/** Measures the traffic on the links of one project, and tells which rates have changed. */
export class TrafficMeter {
  #last: Look | null = null;
  readonly #told = new Map<string, string>();
  #everything = false;

  /** Makes the next look tell of every link on which something passes, for a new listener. */
  tellAll(): void {
    this.#everything = true;
  }

  /** `at`: milliseconds of a steady clock. Null: nothing has changed, or there was no look before. */
  look(now: readonly LinkTraffic[], at: number): Frame | null {
    const last = this.#last;
    this.#last = { at, links: new Map(now.map((link) => [link.link_id, link])) };
    if (last === null || at <= last.at) return null;
    const seconds = (at - last.at) / 1000;
    const links = now.flatMap((link) => {
      // A link that was not counted yet had nothing to count.
      const rates = ratesOf(last.links.get(link.link_id) ?? nothingOf(link), link, seconds);
      return rates !== null && this.#isNews(rates) ? [rates] : [];
    });
    this.#everything = false;
    for (const id of this.#told.keys()) if (!this.#last.links.has(id)) this.#told.delete(id);
    if (links.length === 0) return null;
    return { action: 'link.traffic', event: JSON.stringify({ seconds: Math.round(seconds * 1000) / 1000, links }) };
  }

  /** Tells once that a link has gone quiet. */
  #isNews(rates: LinkRates): boolean {
    const text = JSON.stringify(rates);
    if (this.#told.get(rates.link_id) === text) return this.#everything;
    if (!isStill(rates)) this.#told.set(rates.link_id, text);
    else if (!this.#told.delete(rates.link_id)) return false;
    return true;
  }
}

interface Parts {
  /** Counters of the links of a project. */
  traffic(projectId: string): Promise<readonly LinkTraffic[]>;
  /** Milliseconds between two looks at them. */
  everyMs: number;
}

interface Watched {
  listeners: Set<Listener>;
  meter: TrafficMeter;
  /** A look is under way. */
  looking: boolean;
}

/** Sends frames that are no events to listeners that want them: other listeners, and traffic of links. */
export class Live {
  readonly #parts: Parts;
  readonly #presence = new Presence();
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The answer is to be called when the listener has gone. */
  join(projectId: string, listener: Listener, visitor: Visitor): () => void {
    const leave = this.#presence.enter(projectId, listener, visitor);
    const watched = listener.wantsLive ? this.#watch(projectId, listener) : null;
    return () => {
      leave();
      watched?.listeners.delete(listener);
      if (watched?.listeners.size === 0 && this.#watched.get(projectId) === watched) this.#watched.delete(projectId);
    };
  }

  /** Names of the listeners of a project, each once. */
  viewers(projectId: string): string[] {
    return this.#presence.names(projectId);
  }

  /** A listener has caught up. */
  arrived(projectId: string, listener: Listener): void {
    this.#presence.greet(projectId, listener);
  }

  /** A listener shows something to the others. */
  show(projectId: string, listener: Listener, shown: Shown): void {
    this.#presence.show(projectId, listener, shown);
  }

  #watch(projectId: string, listener: Listener): Watched {
    const watched = this.#watched.get(projectId) ?? { listeners: new Set(), meter: new TrafficMeter(), looking: false };
    this.#watched.set(projectId, watched);
    watched.listeners.add(listener);
    watched.meter.tellAll();
    this.#timer ??= setInterval(() => this.#tick(), this.#parts.everyMs).unref();
    void this.#look(projectId, watched);
    return watched;
  }

  #tick(): void {
    if (this.#watched.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    for (const [projectId, watched] of this.#watched) void this.#look(projectId, watched);
  }

  async #look(projectId: string, watched: Watched): Promise<void> {
    if (watched.looking) return;
    watched.looking = true;
    try {
      const links = await this.#parts.traffic(projectId);
      const frame = watched.meter.look(links, performance.now());
      if (frame !== null) for (const listener of watched.listeners) listener.live(frame);
    } catch {
      // The fabric is being started again: the next look finds it.
    } finally {
      watched.looking = false;
    }
  }
}
