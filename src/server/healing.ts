import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { messageOf } from '../common/errors.ts';
import { levelStore } from '../events/store/level-store.ts';
import type { OpenStore } from '../events/store/store.ts';
import type { Doors } from './listening.ts';
import { atSameAddresses, ReplacedServer, type RunningServer } from './running.ts';

/** Milliseconds between two looks whether the place of the log takes writes. */
const LOOK_MS = 2_000;
/** At most, after starts that came to nothing: each takes the server away for a moment. Milliseconds. */
const SLOWEST_MS = 30_000;

interface Healing {
  /** Rejects while nothing can be written. */
  ready(): Promise<void>;
  /** Starts the server again, at the addresses that it had. */
  again(): Promise<RunningServer>;
  logger: Logger;
  doors: Doors;
}

/** A server that only reads until its place takes writes: then it is started again in this process. */
class Healed extends ReplacedServer {
  readonly #healing: Healing;
  #timer: NodeJS.Timeout | null = null;
  #looking = Promise.resolve();
  #isClosed = false;
  #pause = LOOK_MS;

  constructor(first: RunningServer, healing: Healing) {
    super(first);
    this.#healing = healing;
    this.#later();
  }

  #later(): void {
    if (!this.#isClosed) this.#timer = setTimeout(() => void (this.#looking = this.#look()), this.#pause);
  }

  async #look(): Promise<void> {
    const isReady = await this.#healing.ready().then(
      () => true,
      () => false,
    );
    if (!isReady || this.#isClosed) return this.#later();
    await this.current.close('the log can be written again', true);
    try {
      this.replaceBy(await this.#healing.again());
      if (this.readOnly === null) this.#healing.logger.info('the log can be written again');
      else this.#pause = Math.min(2 * this.#pause, SLOWEST_MS);
      if (this.readOnly?.heals === true) this.#later();
    } catch (error) {
      this.#healing.logger.error(`the server is not there while this lasts: ${messageOf(error)}`);
      this.#later();
    }
  }

  async close(reason: string): Promise<boolean> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
    const isWhole = await this.current.close(reason);
    this.#healing.doors.leave(false);
    return isWhole;
  }
}

export const healing = (
  first: RunningServer,
  config: Config,
  { start, logger, doors }: { start: (config: Config) => Promise<RunningServer> } & Pick<Healing, 'logger' | 'doors'>,
): RunningServer => {
  const open: OpenStore = levelStore(path.join(config.dataDir, 'log'));
  const again = atSameAddresses(config, first);
  return new Healed(first, { ready: async () => open.ready?.(), again: () => start(again), logger, doors });
};
