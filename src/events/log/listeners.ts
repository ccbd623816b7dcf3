import { Emitter } from '../../common/emitter.ts';
import { messageOf } from '../../common/errors.ts';
import type { AnyEvent } from '../schemas.ts';
import type { Damage } from '../store/damage.ts';
import type { Store } from '../store/store.ts';

export interface LogStatus {
  position: number;
  writable: boolean;
  /** Why nothing can be written; null when it can. */
  reason: string | null;
  /** Damage found since the start; undamaged parts can be read and written. */
  damage: Damage[];
}

/** Figures of a batch that is on disk, in seconds. */
interface WrittenBatch {
  events: number;
  /** Time of the write and its fsync. */
  seconds: number;
  /** Latency of each append in it, from its call on. */
  appends: number[];
}

interface LogEvents {
  /** Events as they are committed, in order, one call per batch. */
  committed: [AnyEvent[]];
  written: [WrittenBatch];
  problem: [string];
  /** Each damage found by a read, once. */
  damaged: [Damage];
}

/** Listeners of the log. */
export class LogListeners extends Emitter<LogEvents> {
  readonly #damage = new Map<string, Damage>();

  problem(message: string): void {
    this.emit('problem', message);
  }

  committed(events: AnyEvent[]): void {
    this.#safely('committed events', () => this.emit('committed', events));
  }

  /** `begun`: start of the write; `calledAt`: time of each call of `append`. Milliseconds of `performance`. */
  written(events: number, begun: number, asked: readonly number[]): void {
    const now = performance.now();
    const seconds = (from: number): number => (now - from) / 1000;
    const batch = { events, seconds: seconds(begun), appends: asked.map(seconds) };
    this.#safely('a batch', () => this.emit('written', batch));
  }

  /**
   * Keeps an exception of a listener from failing the batch, which is on disk already, and from stopping the writer.
   */
  #safely(what: string, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.problem(`a listener failed on ${what}: ${messageOf(error)}`);
    }
  }

  /** Damage found since the start. */
  get damage(): Damage[] {
    return [...this.#damage.values()];
  }

  watch({ damages }: Store): void {
    damages?.listen((damage) => {
      if (this.#damage.has(damage.key)) return;
      this.#damage.set(damage.key, damage);
      this.emit('damaged', damage);
      this.problem(`the log is damaged at ${damage.where}: ${damage.message}`);
    });
  }
}
