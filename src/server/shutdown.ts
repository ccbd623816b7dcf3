import type { Logger } from 'pino';
import { messageOf } from '../common/errors.ts';

/** Milliseconds for a step that does not say how long it may take. */
const STEP_MS = 10_000;
/** Milliseconds for such a step once another was given up, as one cause, such as a disk, mostly makes both hang. */
const HURRIED_MS = 2_000;
/** Milliseconds for all steps together: less than service managers wait before they kill. */
const ALL_MS = 60_000;

interface Step {
  what: string;
  end: () => Promise<unknown>;
  ms: number;
}

/**
 * The steps that end the parts of a server, last part first. A step that hangs, as a process, a disk or a service does not answer, is given
 * up with a log line, so that the server always ends.
 */
export class Shutdown {
  readonly #logger: Logger;
  readonly #steps: Step[] = [];
  #until = Infinity;
  #givenUp = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Number of steps that were given up, of which something may still hang in this process. */
  get givenUp(): number {
    return this.#givenUp;
  }

  add(what: string, end: () => unknown, ms = STEP_MS): void {
    this.#steps.push({ what, end: () => Promise.resolve().then(end), ms });
  }

  /** Runs the step that was added last. */
  async runLast(): Promise<void> {
    const step = this.#steps.pop();
    if (step !== undefined) await this.run(step.what, step.end, step.ms);
  }

  async runAll(): Promise<void> {
    while (this.#steps.length > 0) await this.runLast();
  }

  /** Runs a step; never rejects. */
  async run(what: string, end: () => Promise<unknown>, ms = STEP_MS): Promise<void> {
    if (this.#until === Infinity) this.#until = performance.now() + ALL_MS;
    const given = this.#givenUp > 0 && ms === STEP_MS ? HURRIED_MS : ms;
    const left = Math.max(0, Math.min(given, this.#until - performance.now()));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), left)));
    try {
      if ((await Promise.race([end(), late])) !== 'late') return;
      this.#givenUp++;
      this.#logger.warn(`shutting down: ${what} did not end within ${Math.round(left / 1000)} s and is given up`);
    } catch (error) {
      this.#logger.error(`shutting down: ${what}: ${messageOf(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }
}
