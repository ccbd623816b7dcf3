import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { levelStore } from '../events/store/level-store.ts';
import { EventLog } from '../events/log/log.ts';
import type { Places } from '../events/file-paths.ts';
import { type Directories, findPlaces, watchDirectories } from '../files/project/data-directory.ts';
import { keepCheckpoints } from '../projections/past/checkpoints.ts';
import { Records } from '../projections/store.ts';
import { messageOf, reporting } from '../common/errors.ts';
import { finishRepair } from '../session/repair.ts';
import type { Ends } from './ends.ts';
import { holdPlace } from './hold-place.ts';
import { canBeRead, openReadOnly, type ReadOnly } from './read-only.ts';
import { isDiskFault } from '../events/view-log.ts';
import type { OpenStore } from '../events/store/store.ts';

export interface OpenedLog {
  log: EventLog;
  records: Records;
  places: Places;
  /** null: it can be written. */
  readOnly: ReadOnly | null;
  close(): Promise<void>;
}

/** Pauses before a log that the disk did not let be read is opened again: that may be over at once. Milliseconds. */
const AGAIN_MS = [100, 300, 600];

/**
 * Opens the log of a data directory and loads the records from it; cheap, whatever the length of the log. One that is damaged, or
 * whose place takes no writes, is opened for reading.
 */
export const openLog = async (directories: Directories, logger: Logger): Promise<OpenedLog> => {
  const held = await holdPlace(directories.dataDir);
  try {
    const opened = await openHeld(directories, logger);
    const close = async (): Promise<void> => {
      try {
        await opened.close();
      } finally {
        await held.release();
      }
    };
    return { ...opened, close };
  } catch (error) {
    await held.release();
    throw error;
  }
};

const openHeld = async (directories: Directories, logger: Logger): Promise<OpenedLog> => {
  const { dataDir, filesDir } = directories;
  const directory = path.join(dataDir, 'log');
  await finishRepair(dataDir).catch(reporting(logger, {}, 'a repair cannot be finished'));
  try {
    return await pastFaults(() => openWritable(levelStore(directory), directories, logger), logger);
  } catch (error) {
    if (!(await canBeRead(directory, error))) throw error;
    const opened = await openReadOnly(directory, error);
    logger.error(`only reading: ${opened.readOnly.reason}; ${opened.readOnly.remedy}`);
    return { ...opened, places: await findPlaces(filesDir, opened.log.store) };
  }
};

/** An error of the disk is no damage of the log: neither while it may be over, nor in what is said of it. */
const pastFaults = async <T>(open: () => Promise<T>, logger: Logger): Promise<T> => {
  for (let n = 0; ; n++) {
    try {
      return await open();
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      const reason = `the disk failed while the log was opened: ${messageOf(error)}`;
      const pause = AGAIN_MS[n];
      if (pause === undefined) throw new Error(reason, { cause: error });
      logger.warn(`${reason}; it is opened again`);
      await sleep(pause);
    }
  }
};

/** A log that can be written, with its records. */
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
    // Another server of a cell has had it elsewhere.
    if (places.movedFrom !== null && logsMoves) logger.info(`${what} was ${places.movedFrom}; it is ${filesDir} now`);
    log.keepPaths(places);
    return { log, records, places, readOnly: null, close: () => log.close() };
  } catch (error) {
    await log.close().catch(() => undefined);
    throw error;
  }
};

interface Watched {
  config: Directories;
  log: EventLog;
  logger: Logger;
  turn: { isOver: boolean };
  ends: Ends;
}

/** The log takes nothing while its directories are gone. */
export const watchPlaces = async ({ config, log, logger, turn, ends }: Watched, hasLog: boolean): Promise<void> => {
  const gone = (why: string | null): void => {
    if (turn.isOver) return;
    log.refuse(why);
    logger.error(why ?? 'the log can be written again');
  };
  ends.push('watching the directories', await watchDirectories({ ...config, hasLog }, gone));
};
