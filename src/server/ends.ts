import type { Logger } from 'pino';
import { messageOf } from '../common/errors.ts';

/** Milliseconds for a step that does not say how long it may take. */
const STEP_MS = 10_000;
/** Of those, once another was given up: what hung there mostly hangs here too, such as a disk. */
const HURRIED_MS = 2_000;
/** Milliseconds for all steps together: less than service managers wait before they kill. */
const ALL_MS = 60_000;

interface Step {
  what: string;
  end: () => Promise<unknown>;
  ms: number;
}

/**
 * What has to be ended when the server ends, in reverse order. A step that hangs (a process, a disk, a service that does not answer) is
 * given up with a sentence, so that the server ends whatever hangs.
 */
export class Ends {
  readonly #logger: Logger;
  readonly #steps: Step[] = [];
  #until = Infinity;
  #givenUp = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Steps that were given up: something of this process may still hang. */
  get givenUp(): number {
    return this.#givenUp;
  }

  push(what: string, end: () => unknown, ms = STEP_MS): void {
    this.#steps.push({ what, end: () => Promise.resolve().then(end), ms });
  }

  /** The step that was pushed last. */
  async last(): Promise<void> {
    const step = this.#steps.pop();
    if (step !== undefined) await this.run(step.what, step.end, step.ms);
  }

  async all(): Promise<void> {
    while (this.#steps.length > 0) await this.last();
  }

  /** A step in between; never rejects. */
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
