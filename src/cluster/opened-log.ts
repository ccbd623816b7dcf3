import type { Logger } from 'pino';
import { messageOf } from '../common/errors.ts';
import type { Cell } from '../events/cell.ts';
import type { FilePaths } from '../events/file-paths.ts';
import { EventLog } from '../events/log/log.ts';
import { findFollowedEnd } from '../events/log/startup.ts';
import { readEvents } from '../events/read.ts';
import type { AnyEvent } from '../events/schemas.ts';
import type { OpenStore } from '../events/store/store.ts';
import { type Directories, findPlaces } from '../files/project/data-directory.ts';
import { keepCheckpoints } from '../projections/past/checkpoints.ts';
import type { Gap, LostRecord } from '../projections/recover-log.ts';
import { Records } from '../projections/store.ts';

/** A log with the records of its events: opened to be written, or to be read while another server writes it. */
export interface OpenedLog {
  log: EventLog;
  records: Records;
  places: FilePaths;
  /** null: it can be written. */
  readOnly: ReadOnly | null;
  close(): Promise<void>;
}

/** The reason for which a server only reads, and the gaps in what it reads. */
export interface ReadOnly {
  reason: string;
  /** A sentence that says how to end it. */
  remedy: string;
  /** The log is whole: the server writes again as soon as its place takes writes. */
  heals: boolean;
  damage: { missing: Gap[]; projects: string[]; records: LostRecord[] };
}

/** Opens a log to be written. `logsMoves`: logs that the directory of files has moved since the last start. */
export const openWritable = async (
  open: OpenStore,
  { dataDir, filesDir }: Directories,
  logger: Logger,
  logsMoves = true,
): Promise<OpenedLog> => {
  const records = new Records();
  const log = await EventLog.open(open, records, {
    report: ({ position, message }) => logger.warn(`log, position ${position}: ${message}`),
  });
  try {
    log.onProblem((message) => logger.error(message));
    await records.load(log.store);
    keepCheckpoints(log, records.committed);
    const places = await findPlaces(filesDir, log.store);
    const what = filesDir === dataDir ? 'the data directory' : 'the directory of files';
    // In a cell, another server may have had the files elsewhere.
    if (places.movedFrom !== null && logsMoves) logger.info(`${what} was ${places.movedFrom}; it is ${filesDir} now`);
    log.keepPaths(places);
    return { log, records, places, readOnly: null, close: () => log.close() };
  } catch (error) {
    await log.close().catch(() => undefined);
    throw error;
  }
};

/** Events that a standby folds at once. */
const BLOCK = 500;

const STANDS_BY = new Error('this server stands by; another server of the cell writes');

/** Opens the log of a cell that another server writes, and follows it as it grows. */
export const followLog = async (cell: Cell, filesDir: string, logger: Logger): Promise<OpenedLog> => {
  const records = new Records();
  const moment = await cell.moment();
  let found;
  try {
    found = await findFollowedEnd(moment);
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
  const closed = new AbortController();
  cell.onChange(() => follower.wake(), { signal: closed.signal });
  follower.wake();
  const close = async (): Promise<void> => {
    closed.abort();
    await follower.close();
    await log.close();
  };
  return { log, records, readOnly, places: await findPlaces(filesDir, store), close };
};

/** Reads the new events of a log whenever it is woken. What fails is retried with the next wake-up. */
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
        await this.#readNew();
        if (this.#problem !== null) this.#logger.info('the log can be read again');
        this.#problem = null;
      } catch (error) {
        if (this.#problem === null) this.#logger.warn(`the log cannot be read at the moment: ${messageOf(error)}`);
        this.#problem = messageOf(error);
      }
    }
  }

  async #readNew(): Promise<void> {
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
