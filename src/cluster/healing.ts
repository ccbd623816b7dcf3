import path from 'node:path';
import type { Logger } from 'pino';
import { messageOf } from '../common/errors.ts';
import { levelStore } from '../events/store/level-store.ts';
import type { OpenStore } from '../events/store/store.ts';
import type { ListenerHandoff } from './handoff.ts';
import { type ListenerPorts, portsOf, ReplacedServer, type RunningServer } from './running-server.ts';

/** Between two checks whether the place of the log takes writes. Milliseconds. */
const LOOK_MS = 2_000;
/** Longest pause, after starts that failed: each makes the server unavailable for a moment. Milliseconds. */
const SLOWEST_MS = 30_000;

interface HealingParts {
  dataDir: string;
  /** Starts the server again. */
  start: (ports: ListenerPorts) => Promise<RunningServer>;
  logger: Logger;
  handoff: ListenerHandoff;
}

/** A server that only reads until the place of its log takes writes; then it is started again in this process, at the same ports. */
export class HealingServer extends ReplacedServer {
  readonly #parts: HealingParts;
  readonly #open: OpenStore;
  readonly #ports: ListenerPorts;
  #timer: NodeJS.Timeout | null = null;
  #checking = Promise.resolve();
  #isClosed = false;
  #pause = LOOK_MS;

  constructor(first: RunningServer, parts: HealingParts) {
    super(first);
    this.#parts = parts;
    this.#open = levelStore(path.join(parts.dataDir, 'log'));
    this.#ports = portsOf(first);
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#isClosed) this.#timer = setTimeout(() => void (this.#checking = this.#check()), this.#pause);
  }

  async #check(): Promise<void> {
    const isReady = await this.#isWritable();
    if (!isReady || this.#isClosed) return this.#schedule();
    const { start, logger } = this.#parts;
    await this.current.close('the log can be written again', true);
    try {
      this.replaceBy(await start(this.#ports));
      if (this.readOnly === null) logger.info('the log can be written again');
      else this.#pause = Math.min(2 * this.#pause, SLOWEST_MS);
      if (this.readOnly?.heals === true) this.#schedule();
    } catch (error) {
      logger.error(`the server is not there while this lasts: ${messageOf(error)}`);
      this.#schedule();
    }
  }

  async #isWritable(): Promise<boolean> {
    try {
      await this.#open.ready?.();
      return true;
    } catch {
      return false;
    }
  }

  async close(reason: string): Promise<boolean> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#checking;
    const isWhole = await this.current.close(reason);
    this.#parts.handoff.release(false);
    return isWhole;
  }
}
