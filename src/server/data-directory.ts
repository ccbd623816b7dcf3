import { hostname } from 'node:os';
import path from 'node:path';
import type { LabSettings } from '../actors/context.ts';
import { conflict, TopologError } from '../common/errors.ts';
import type { FileSort } from '../common/file-sort.ts';
import { isThere } from '../common/file.ts';
import { newServerId, placeOf, secretsOf, SERVER_ID, serverIdIn } from '../common/secrets.ts';
import { lockDirectory } from '../events/store/directory-lock.ts';
import type { Config } from './config.ts';
import { findServer } from './found-server.ts';

/** The directory that a server of a cell holds. */
const cellIn = (dataDir: string): string => path.join(dataDir, 'cell');

/** Whether the log of its server is in a database. A server that moved its log back into the data directory has both. */
export const isOfCell = async (dataDir: string): Promise<boolean> =>
  (await isThere(cellIn(dataDir))) && !(await isThere(path.join(dataDir, 'log')));

/** For commands, and for a server that was given no database. */
export const ELSEWHERE = 'its log is in a database: give --log and --cell, or TOPOLOG_LOG and TOPOLOG_CELL';

/**
 * Keeps servers of a cell off the data directory of a server with a log of its own, until `release`. Throws a conflict where one has it, or
 * had it last: an empty log would be begun then, and nodes that still run there would be ended.
 */
export const holdDataDirectory = async (dataDir: string): Promise<{ release: () => Promise<void> }> => {
  if (await isOfCell(dataDir)) {
    await lockDirectory(cellIn(dataDir), null).then((held) => held.release());
    throw conflict(`${dataDir}: ${ELSEWHERE}; without ${cellIn(dataDir)} a new log begins there`);
  }
  const none = { release: () => Promise.resolve() };
  if (!(await isThere(cellIn(dataDir)))) return none;
  return lockDirectory(cellIn(dataDir), null).catch((error: unknown) => {
    if (error instanceof TopologError) throw error;
    // A directory that takes no writes can still be read.
    return none;
  });
};

/** For a server of a cell: throws a conflict where a server with a log of its own uses the data directory. */
export const checkDataDirectory = async (dataDir: string): Promise<void> => {
  // A server that found this directory holds it, which fails the attempt to hold it afterwards.
  if (await isThere(cellIn(dataDir))) return;
  if ((await findServer(dataDir)) !== null)
    throw conflict(`another server uses ${dataDir}; end it, or take another data directory`);
};

/** Id and name of this server among those that have had its log. The id is made on first use, unless the server only reads. */
export const identityOf = async (
  { dataDir, cell }: Config,
  isReading: boolean,
  owner: string | null,
): Promise<LabSettings['server']> => {
  const secrets = secretsOf(dataDir);
  const text = isReading
    ? ((await secrets.get(SERVER_ID)) ?? newServerId())
    : await secrets.keep(SERVER_ID, `${newServerId()}\n`);
  const id = serverIdIn(text, placeOf(secrets, SERVER_ID));
  return { id, name: cell?.advertise ?? owner ?? hostname() };
};

export const SERVER_ID_FILE: FileSort = {
  name: 'server id',
  what: 'which server this is',
  at: [SERVER_ID],
  changed: 'named',
  async check({ dataDir }) {
    const secrets = secretsOf(dataDir);
    const text = await secrets.get(SERVER_ID);
    if (text !== null) serverIdIn(text, placeOf(secrets, SERVER_ID));
  },
};

export const DEBUG_FILE: FileSort = {
  name: 'debug',
  what: 'a text for those who look for a fault',
  at: ['debug/debug.txt'],
  changed: 'idle',
};
