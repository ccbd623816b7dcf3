import { access } from 'node:fs/promises';
import path from 'node:path';
import { type CellPlace, cellPlaceOf } from '../cluster/cell-config.ts';
import { conflict, TopologError } from '../common/errors.ts';
import type { Cell, FirstEntry } from '../events/cell.ts';
import { history } from '../events/history.ts';
import { openCell } from '../events/open-cell.ts';
import { lastPosition, readRecords } from '../events/read.ts';
import type { Store } from '../events/store/store.ts';
import { viewLog } from '../events/view-log.ts';
import type { Directories } from '../files/project/data-directory.ts';
import { findServer, type FoundServer } from '../server/found-server.ts';
import { dataDirOf } from './command.ts';
import { pick } from './names.ts';

/** Location of a log and its files. */
export interface Place extends Directories {
  /** Database of the log, where it can be read while a server writes; null for a log in the data directory. */
  cell: CellPlace | null;
}

/** Source of events: the server that holds the data directory, or the log itself if none runs. */
export interface LogSource {
  /** Whether new events may come. */
  readonly isLive: boolean;
  /** Id of a project, found as by `pick`. Throws `not_found`. */
  projectId(idOrName: string): Promise<string>;
  /** A page of stored events of a project; empty at the end. */
  page(projectId: string, query: PageQuery): Promise<string[]>;
  close(): Promise<void>;
}

/** Selects events: from a position on; by times (ISO, inclusive); by types, separated by commas. */
interface PageQuery {
  from: number;
  since?: string;
  until?: string;
  type?: string;
}

const PAGE = 1000;

interface Project {
  project_id: string;
  name: string | null;
}

const projectId = (projects: readonly Project[], wanted: string): string =>
  pick(
    'project',
    projects.map(({ project_id: id, name }) => ({ id, names: [name ?? id] })),
    wanted,
  ).id;

const ofServer = ({ client }: FoundServer): LogSource => ({
  isLive: true,
  projectId: async (wanted) => projectId(await client.get('/v2/projects'), wanted),
  page: async (project_id, query) => {
    const texts: string[] = [];
    const call = { path: { project_id }, query: { limit: PAGE, ...query } };
    for await (const text of client.lines('/v2/projects/{project_id}/events', call)) texts.push(text);
    return texts;
  },
  close: () => Promise.resolve(),
});

/** Directory of a log. Throws `not_found` if it is missing, where LevelDB would begin a log. */
export const logDirectory = async (dataDir: string): Promise<string> => {
  const directory = path.join(dataDir, 'log');
  await access(directory).catch(() => {
    throw new TopologError('not_found', { what: 'The log', id: directory });
  });
  return directory;
};

/** A log that is only read. */
export interface View {
  store: Store;
  /** Cell of the log; null for that of a data directory. */
  cell: Cell | null;
  /** Whether LevelDB's own list of files was damaged. */
  repaired: boolean;
  close: () => Promise<void>;
}

/** Duration of a lease that a command takes. Milliseconds. */
const LEASE_MS = 5_000;

/** Opens a cell. Throws `not_found` if there is none, unless `create` has the first entry of a new one. */
export const openCellAt = (place: CellPlace, create: FirstEntry | false = false): Promise<Cell> =>
  openCell({ ...place, leaseMs: LEASE_MS, create });

/** Opens the log of a data directory that no server holds, or a snapshot of a cell. */
export const openView = async ({ dataDir, cell }: Place): Promise<View> =>
  cell === null
    ? { ...(await viewLog(await logDirectory(dataDir))), cell: null }
    : viewCell(cell, (opened) => opened.moment());

const viewCell = async (place: CellPlace, open: (cell: Cell) => Promise<Store>): Promise<View> => {
  const cell = await openCellAt(place);
  try {
    const store = await open(cell);
    const close = async (): Promise<void> => {
      await store.close();
      await cell.close();
    };
    return { store, cell, repaired: false, close };
  } catch (error) {
    await cell.close();
    throw error;
  }
};

/** Reads the log itself. A cell may grow meanwhile. */
const ofStore = async (place: Place): Promise<LogSource> => {
  const { store, cell, close } = await (place.cell === null
    ? openView(place)
    : viewCell(place.cell, (opened) => opened.reading()));
  return {
    isLive: cell !== null,
    async projectId(wanted) {
      const projects: Project[] = [];
      for await (const [collection, , record] of readRecords(store))
        if (collection === 'project') projects.push(record as Project);
      return projectId(projects, wanted);
    },
    page: async (id, { type, ...query }) => {
      const types = type === undefined ? {} : { types: type.split(',') };
      const wanted = { project_id: id, limit: PAGE, ...query, ...types };
      return (await history(store, await lastPosition(store), wanted)).texts;
    },
    close,
  };
};

/** Server through which a log is read; null to read the log itself. */
export const serverOf = ({ dataDir, cell }: Place): Promise<FoundServer | null> =>
  cell === null ? findServer(dataDir) : Promise.resolve(null);

export const openSource = async (place: Place): Promise<LogSource> => {
  const server = await serverOf(place);
  return server === null ? ofStore(place) : ofServer(server);
};

interface Given {
  'data-dir'?: string | undefined;
  log?: string | undefined;
  cell?: string | undefined;
  'cell-key'?: string | undefined;
  files?: string | undefined;
}

export const placeOf = (given: Given): Place => {
  const dataDir = dataDirOf(given['data-dir']);
  const filesDir = given.files === undefined ? dataDir : path.resolve(given.files);
  return { dataDir, filesDir, cell: cellPlaceOf(given, process.env) };
};

/** Data directory of a command that needs exclusive access to the log. Throws a conflict while a server holds it. */
export const unheldDataDir = async (given: string | undefined): Promise<string> => {
  const dataDir = dataDirOf(given);
  const server = await findServer(dataDir);
  if (server !== null) throw conflict(`the server at ${server.url} holds ${dataDir}; stop it first`);
  return dataDir;
};

/** Advice about a damaged log in a database. */
export const FROM_BACKUP = 'restore its database from a backup (docs/how-to/move-a-log.md)';
