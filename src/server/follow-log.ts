import type { Logger } from 'pino';
import { messageOf } from '../common/errors.ts';
import type { Cell } from '../events/cell.ts';
import { EventLog } from '../events/log/log.ts';
import { findFollowed } from '../events/log/startup.ts';
import { readEvents } from '../events/read.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { findPlaces } from '../files/project/data-directory.ts';
import { Records } from '../projections/store.ts';
import type { OpenedLog } from './open-log.ts';

/** Events that are taken in at once. */
const BLOCK = 500;

const STANDS_BY = new Error('this server stands by; another server of the cell writes');

/** The log of a cell that another server writes, read on as it grows. */
export const followLog = async (cell: Cell, filesDir: string, logger: Logger): Promise<OpenedLog> => {
  const records = new Records();
  const moment = await cell.moment();
  let found;
  try {
    found = await findFollowed(moment);
    await records.load(moment);
  } finally {
    await moment.close();
  }
  const store = await cell.reading();
  const log = await EventLog.readOnly(store, records, STANDS_BY, found);
  const readOnly = {
    reason: STANDS_BY.message,
    remedy: '',
    heals: false,
    damage: { missing: [], projects: [], records: [] },
  };
  const follower = new Follower(log, logger);
  const stop = cell.onChange(() => follower.wake());
  follower.wake();
  const close = async (): Promise<void> => {
    stop();
    await follower.close();
    await log.close();
  };
  return { log, records, readOnly, places: await findPlaces(filesDir, store), close };
};

/** Reads on whenever it is woken; what fails is tried again with the next wake-up. */
class Follower {
  readonly #log: EventLog;
  readonly #logger: Logger;
  #reading: Promise<void> | null = null;
  #isWoken = false;
  #isClosed = false;
  #problem: string | null = null;

  constructor(log: EventLog, logger: Logger) {
    this.#log = log;
    this.#logger = logger;
  }

  wake(): void {
    this.#isWoken = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
  }

  async #read(): Promise<void> {
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      try {
        await this.#readOn();
        if (this.#problem !== null) this.#logger.info('the log can be read again');
        this.#problem = null;
      } catch (error) {
        if (this.#problem === null) this.#logger.warn(`the log cannot be read at the moment: ${messageOf(error)}`);
        this.#problem = messageOf(error);
      }
    }
  }

  async #readOn(): Promise<void> {
    let block: AnyEvent[] = [];
    for await (const event of readEvents(this.#log.store, this.#log.status().position + 1)) {
      block.push(event);
      if (block.length < BLOCK) continue;
      this.#log.follow(block);
      block = [];
      if (this.#isClosed) return;
    }
    if (block.length > 0) this.#log.follow(block);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reading;
  }
}
