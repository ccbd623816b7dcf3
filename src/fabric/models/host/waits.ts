import type { ModelContext } from '../../model.ts';

export interface Wait<T> {
  promise: Promise<T>;
  /** The first one counts. */
  settle: (value: T) => void;
}

/** Every wait of a host: each ends by its value, its time, the caller's signal or the end of the host, so none hangs. */
export interface Waits {
  /** `fallback` is the value when the time is over, the signal fires or the host stops. */
  wait: <T>(ms: number, fallback: T, signal?: AbortSignal) => Wait<T>;
  readonly stopped: boolean;
  stop: () => void;
}

export function createWaits(timer: ModelContext['timer']): Waits {
  const open = new Set<() => void>();
  let stopped = false;
  return {
    wait<T>(ms: number, fallback: T, signal?: AbortSignal): Wait<T> {
      if (stopped || signal?.aborted === true) return { promise: Promise.resolve(fallback), settle: () => undefined };
      let resolve: (value: T) => void = () => undefined;
      const promise = new Promise<T>((done) => (resolve = done));
      const settle = (value: T): void => {
        if (!open.delete(giveUp)) return;
        clock.cancel();
        signal?.removeEventListener('abort', giveUp);
        resolve(value);
      };
      const giveUp = (): void => settle(fallback);
      open.add(giveUp);
      const clock = timer(ms, giveUp);
      signal?.addEventListener('abort', giveUp);
      return { promise, settle };
    },
    get stopped() {
      return stopped;
    },
    stop() {
      stopped = true;
      for (const giveUp of [...open]) giveUp();
    },
  };
}
