import path from 'node:path';
import { conflict, TopologError } from '../common/errors.ts';
import { isThere } from '../common/file.ts';
import { holdDirectory } from '../events/store/directory-lock.ts';
import { findServer } from './found-server.ts';

/** The directory that a server of a cell holds. */
const cellIn = (dataDir: string): string => path.join(dataDir, 'cell');

/** Its server has its log in a database. One that moved back into the data directory has both. */
export const isOfCell = async (dataDir: string): Promise<boolean> =>
  (await isThere(cellIn(dataDir))) && !(await isThere(path.join(dataDir, 'log')));

/** For the commands, and for a server that was told of no database. */
export const ELSEWHERE = 'its log is in a database: give --log and --cell, or TOPOLOG_LOG and TOPOLOG_CELL';

/**
 * For a server with a log of its own: no server of a cell has the data directory, and none gets it before `release`. Throws a conflict where
 * one has it, or had it last, as an empty log would be begun then and what still runs there would be ended.
 */
export const holdPlace = async (dataDir: string): Promise<{ release: () => Promise<void> }> => {
  if (await isOfCell(dataDir)) {
    await holdDirectory(cellIn(dataDir), null).then((held) => held.release());
    throw conflict(`${dataDir}: ${ELSEWHERE}; without ${cellIn(dataDir)} a new log begins there`);
  }
  const none = { release: () => Promise.resolve() };
  if (!(await isThere(cellIn(dataDir)))) return none;
  return holdDirectory(cellIn(dataDir), null).catch((error: unknown) => {
    if (error instanceof TopologError) throw error;
    // A place that takes no writes is still to be read.
    return none;
  });
};

/** For a server of a cell: none with a log of its own has the data directory. Throws a conflict. */
export const checkPlace = async (dataDir: string): Promise<void> => {
  // One that found it holds it, which is seen when this server wants it.
  if (await isThere(cellIn(dataDir))) return;
  if ((await findServer(dataDir)) !== null)
    throw conflict(`another server uses ${dataDir}; end it, or take another data directory`);
};
