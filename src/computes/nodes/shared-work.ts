import { unlessAborted } from '../../common/promises.ts';

/** Runs work once for all who want it at the same time, by name, and aborts it when nobody waits for it any more. */
export class SharedWork<T> {
  readonly #running = new Map<string, { done: Promise<T>; waiting: number; end: AbortController }>();

  /** Calls `begin` where no work of that name is under way. Rejects with the reason of the signal as soon as that is aborted. */
  async of(name: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const work = this.#running.get(name) ?? this.#begun(name, begin);
    work.waiting++;
    try {
      return await unlessAborted(work.done, signal);
    } finally {
      if (--work.waiting === 0) this.#drop(name, work.end);
    }
  }

  /** The work of that name that is under way. */
  current(name: string): Promise<T> | undefined {
    return this.#running.get(name)?.done;
  }

  #begun(name: string, begin: (signal: AbortSignal) => Promise<T>) {
    const end = new AbortController();
    const done = begin(end.signal);
    const work = { done, waiting: 0, end };
    this.#running.set(name, work);
    return work;
  }

  #drop(name: string, end: AbortController): void {
    if (this.#running.get(name)?.end === end) this.#running.delete(name);
    end.abort(new Error(`nobody waits for ${name}`));
  }
}
