import type { Listener } from './listener.ts';
import { Presence, type Visitor } from './presence.ts';
import type { Shown } from './showing.ts';
import { type LinkTraffic, TrafficMeter } from './traffic.ts';

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

/** What is told while it lasts, to listeners that have asked for it: who else is there, and what passes on the links. No events. */
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

  /** Who looks at a project, each name once. */
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
