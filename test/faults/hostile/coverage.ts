import { Session } from 'node:inspector';

/** Which parts of the programs below a folder have run. What is watched runs many times slower. */
export class Coverage {
  readonly #session = new Session();
  readonly #folder: string;
  readonly #reached = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  get reached(): number {
    return this.#reached.size;
  }

  /** How many parts ran since the last look for the first time. */
  look(): number {
    const before = this.#reached.size;
    // Answers before it returns: the session is in this thread.
    this.#session.post('Profiler.takePreciseCoverage', (_error, found) => {
      for (const { url, functions } of found?.result ?? []) {
        if (!url.includes(this.#folder)) continue;
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) this.#reached.add(`${url}:${startOffset}-${endOffset}`);
      }
    });
    return this.#reached.size - before;
  }

  stop(): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}
