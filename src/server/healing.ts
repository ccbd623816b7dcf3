import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { messageOf } from '../common/errors.ts';
import { levelStore } from '../events/store/database.ts';
import type { OpenStore } from '../events/store/store.ts';
import type { Recovered } from '../actors/recovery/recover.ts';
import type { EngineReport } from '../emulators/kit/engines.ts';
import type { ReadOnly } from './read-only.ts';

export interface RunningServer {
  url: string;
  /** Of the second listener; null: there is none. */
  gns3Url: string | null;
  engines: EngineReport[];
  recovered: Recovered;
  /** Why it only reads; null: it writes. */
  readOnly: ReadOnly | null;
  adoptedFabric: boolean;
  fabricPid: number;
  /** Resolves when a client has asked for the end; its starter then closes it. */
  shutdownAsked: Promise<void>;
  /** Always ends. False: something did not end in its time and is left to the end of the process. */
  close(reason: string): Promise<boolean>;
}

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
}

/** A server that only reads until its place takes writes: then it is started again in this process. */
class Healed implements RunningServer {
  readonly #healing: Healing;
  #current: RunningServer;
  #timer: NodeJS.Timeout | null = null;
  #looking = Promise.resolve();
  #isClosed = false;
  #pause = LOOK_MS;
  #asked: () => void = () => undefined;
  readonly shutdownAsked = new Promise<void>((resolve) => (this.#asked = resolve));

  constructor(first: RunningServer, healing: Healing) {
    this.#current = first;
    this.#healing = healing;
    this.#take(first);
  }

  get url() {
    return this.#current.url;
  }
  get gns3Url() {
    return this.#current.gns3Url;
  }
  get engines() {
    return this.#current.engines;
  }
  get recovered() {
    return this.#current.recovered;
  }
  get readOnly() {
    return this.#current.readOnly;
  }
  get adoptedFabric() {
    return this.#current.adoptedFabric;
  }
  get fabricPid() {
    return this.#current.fabricPid;
  }

  #take(server: RunningServer): void {
    this.#current = server;
    void server.shutdownAsked.then(this.#asked);
    if (server.readOnly?.heals === true) this.#later();
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
    await this.#current.close('the log can be written again');
    try {
      this.#take(await this.#healing.again());
      if (this.readOnly === null) this.#healing.logger.info('the log can be written again');
      else this.#pause = Math.min(2 * this.#pause, SLOWEST_MS);
    } catch (error) {
      this.#healing.logger.error(`the server is not there while this lasts: ${messageOf(error)}`);
      this.#later();
    }
  }

  async close(reason: string): Promise<boolean> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
    return this.#current.close(reason);
  }
}

export const healing = (
  first: RunningServer,
  config: Config,
  { start, logger }: { start: (config: Config) => Promise<RunningServer>; logger: Logger },
): RunningServer => {
  const open: OpenStore = levelStore(path.join(config.dataDir, 'log'));
  const gns3Port = first.gns3Url === null ? null : portOf(first.gns3Url);
  const again = { ...config, port: portOf(first.url), gns3Port };
  return new Healed(first, { ready: async () => open.ready?.(), again: () => start(again), logger });
};

const portOf = (url: string): number => Number(new URL(url).port);
