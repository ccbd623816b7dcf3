import type { CableFilters } from '../protocol.ts';
import { draw } from './distributions.ts';
import type { Random } from './prng.ts';

type Timed = Pick<CableFilters, 'rate' | 'delay' | 'jitter' | 'reorder'>;

/** Sequences of one direction. */
export interface TimingRandom {
  delay: Random;
  jitter: Random;
  reorder: Random;
}

/** Evenly spread over latency ± jitter, never below 0. */
export const jittered = ({ latency_ms, jitter_ms }: { latency_ms: number; jitter_ms: number }, random: Random) =>
  jitter_ms === 0 ? latency_ms : Math.max(0, latency_ms + (random() * 2 - 1) * jitter_ms);

/** When the frames of one direction leave it: behind one another at its rate, then after its delay. */
export class Timing {
  readonly #random: TimingRandom;
  /** A frame passes others. */
  readonly #onPass: () => void;
  /** When the frames that were taken have been sent, on the clock of `wait`. */
  #sent = 0;
  /** Frames since the last one that passed the others. */
  #since = 0;

  constructor(random: TimingRandom, onPass: () => void) {
    [this.#random, this.#onPass] = [random, onPass];
  }

  /** Milliseconds that a frame waits; null: it finds the queue full. `octets`: of the frame. */
  wait(filters: Timed, now: number, octets: number): number | null {
    const { rate, reorder } = filters;
    const sending = rate === undefined || rate.kbit_s === 0 ? 0 : this.#send(rate, now, octets);
    if (sending === null) return null;
    if (reorder === undefined || !this.#passes(reorder)) return sending + this.#delay(filters);
    this.#onPass();
    return sending;
  }

  #send({ kbit_s, queue_ms, queue_octets }: NonNullable<Timed['rate']>, now: number, octets: number): number | null {
    const begin = Math.max(now, this.#sent);
    const waits = begin - now;
    // A kbit/s is a bit in a millisecond.
    const isFull = waits > 0 && queue_octets > 0 && (waits * kbit_s) / 8 + octets > queue_octets;
    if (isFull || (queue_ms > 0 && waits > queue_ms)) return null;
    this.#sent = begin + (octets * 8) / kbit_s;
    return this.#sent - now;
  }

  /** As netem(8) does: each `gap`th frame may. */
  #passes({ chance, gap }: NonNullable<Timed['reorder']>): boolean {
    const happens = this.#random.reorder() * 100 < chance;
    if (chance === 0 || this.#since < gap - 1 || !happens) {
      this.#since++;
      return false;
    }
    this.#since = 0;
    return true;
  }

  #delay({ delay, jitter }: Timed): number {
    const fixed = delay === undefined ? 0 : jittered(delay, this.#random.delay);
    if (jitter === undefined || jitter.ms === 0) return fixed;
    return Math.max(0, fixed + jitter.ms * draw(jitter.distribution, this.#random.jitter));
  }
}
