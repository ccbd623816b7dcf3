import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type OpenedLog, openWritable, type ReadOnly } from '../cluster/opened-log.ts';
import { messageOf, reporting, TopologError } from '../common/errors.ts';
import { EventLog } from '../events/log/log.ts';
import { levelStore } from '../events/store/level-store.ts';
import type { LogView } from '../events/store/view.ts';
import { isDiskFault, isUnwritable, viewLog } from '../events/view-log.ts';
import { type Directories, findPlaces, watchDirectories } from '../files/project/data-directory.ts';
import { recoverLog } from '../projections/recover-log.ts';
import { Records } from '../projections/store.ts';
import { finishRepair } from '../session/repair.ts';
import { holdDataDirectory } from './data-directory.ts';
import type { Shutdown } from './shutdown.ts';

/** Pauses before a log is opened again after an error of the disk, which may be over at once. Milliseconds. */
const RETRY_MS = [100, 300, 600];

/**
 * Opens the log of a data directory and loads its records, in a time that does not depend on the length of the log. A damaged log, and one
 * whose directory takes no writes, is opened for reading.
 */
export const openLog = async (directories: Directories, logger: Logger): Promise<OpenedLog> => {
  const held = await holdDataDirectory(directories.dataDir);
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
    return await retryDiskFaults(() => openWritable(levelStore(directory), directories, logger), logger);
  } catch (error) {
    if (!(await canBeRead(directory, error))) throw error;
    const opened = await openReadOnly(directory, error);
    logger.error(`only reading: ${opened.readOnly.reason}; ${opened.readOnly.remedy}`);
    return { ...opened, places: await findPlaces(filesDir, opened.log.store) };
  }
};

/** Retries after errors of the disk, which may pass. One that stays is told as such, and not as damage of the log. */
const retryDiskFaults = async <T>(open: () => Promise<T>, logger: Logger): Promise<T> => {
  for (let n = 0; ; n++) {
    try {
      return await open();
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      const reason = `the disk failed while the log was opened: ${messageOf(error)}`;
      const pause = RETRY_MS[n];
      if (pause === undefined) throw new Error(reason, { cause: error });
      logger.warn(`${reason}; it is opened again`);
      await sleep(pause);
    }
  }
};

interface Watching {
  config: Directories;
  log: EventLog;
  logger: Logger;
  turn: { isOver: boolean };
  shutdown: Shutdown;
}

/** Lets the log refuse writes while its directories are gone. `hasLog`: the log is in the data directory. */
export const watchPlaces = async (
  { config, log, logger, turn, shutdown }: Watching,
  hasLog: boolean,
): Promise<void> => {
  const gone = (why: string | null): void => {
    if (turn.isOver) return;
    log.refuse(why);
    logger.error(why ?? 'the log can be written again');
  };
  shutdown.add('watching the directories', await watchDirectories({ ...config, hasLog }, gone));
};

/** Whether a log that could not be opened can still be read: not while another server has it, nor where there is none. */
const canBeRead = async (directory: string, error: unknown): Promise<boolean> =>
  !(error instanceof TopologError && error.code === 'conflict') &&
  (await stat(path.join(directory, 'CURRENT'))
    .catch(() => stat(directory))
    .catch(() => null)) !== null;

/** Opens a log to read what is undamaged in it. `cause`: why it could not be opened to be written. Changes nothing. */
const openReadOnly = async (
  directory: string,
  cause: unknown,
): Promise<Omit<OpenedLog, 'places'> & { readOnly: ReadOnly }> => {
  const view = await viewLog(directory);
  try {
    const { records, damage } = isUnwritable(cause) && !view.repaired ? await asStored(view) : await salvaged(view);
    const isWhole = damage.missing.length === 0 && damage.projects.length === 0 && damage.records.length === 0;
    const heals = (isUnwritable(cause) || isDiskFault(cause)) && !view.repaired && isWhole;
    const readOnly = { reason: messageOf(cause), remedy: remedyOf(heals, cause, directory), heals, damage };
    const reason = new Error(`${readOnly.reason}; ${readOnly.remedy}`, { cause });
    const log = await EventLog.readOnly(view.store, records, reason);
    return { log, records, readOnly, close: () => view.close() };
  } catch (error) {
    await view.close();
    throw error;
  }
};

const remedyOf = (heals: boolean, cause: unknown, directory: string): string => {
  if (heals) return 'the server writes again by itself as soon as that is possible';
  const repair = `stop the server and run: topolog repair --data-dir ${path.dirname(directory)}`;
  return isDiskFault(cause)
    ? `look after the disk and start the server again; if that does not help, ${repair}`
    : repair;
};

const NO_DAMAGE: ReadOnly['damage'] = { missing: [], projects: [], records: [] };

const asStored = async (view: LogView): Promise<{ records: Records; damage: ReadOnly['damage'] }> => {
  const records = new Records();
  try {
    await records.load(view.store);
  } catch {
    return salvaged(view);
  }
  return { records, damage: NO_DAMAGE };
};

const salvaged = async (view: LogView): Promise<{ records: Records; damage: ReadOnly['damage'] }> => {
  const { records, missing, breaks, lost } = await recoverLog(view.store);
  for (const { collection, id } of lost) records.lose(collection, id);
  const projects = [...new Set(breaks.flatMap(({ project_id }) => (project_id === null ? [] : [project_id])))];
  return { records, damage: { missing, projects, records: lost } };
};
