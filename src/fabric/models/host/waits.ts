import type { ModelContext } from '../../process/model.ts';

export interface Wait<T> {
  promise: Promise<T>;
  /** Only the first call has an effect. */
  settle: (value: T) => void;
}

/** All waits of a host. Each ends by its value, its time, the caller's signal or the end of the host, so that none hangs. */
export class Waits {
  readonly #timer: ModelContext['timer'];
  readonly #open = new Set<() => void>();
  #stopped = false;

  constructor(timer: ModelContext['timer']) {
    this.#timer = timer;
  }

  /** `fallback` is the value when the time is over, the signal fires or the host stops. */
  wait<T>(ms: number, fallback: T, signal?: AbortSignal): Wait<T> {
    if (this.#stopped || signal?.aborted === true)
      return { promise: Promise.resolve(fallback), settle: () => undefined };
    let resolve: (value: T) => void = () => undefined;
    const promise = new Promise<T>((done) => (resolve = done));
    const settle = (value: T): void => {
      if (!this.#open.delete(giveUp)) return;
      clock.cancel();
      signal?.removeEventListener('abort', giveUp);
      resolve(value);
    };
    const giveUp = (): void => settle(fallback);
    this.#open.add(giveUp);
    const clock = this.#timer(ms, giveUp);
    signal?.addEventListener('abort', giveUp);
    return { promise, settle };
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
    for (const giveUp of [...this.#open]) giveUp();
  }
}
