import { access } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CellPlace, cellPlaceOf } from '../cluster/cell-config.ts';
import { conflict, fileTroubleOf, invalid, messageOf, TopologError } from '../common/errors.ts';
import { flagError } from '../common/forms/suggestions.ts';
import { type Cell, type FirstEntry, openCell } from '../events/cell.ts';
import { history } from '../events/history.ts';
import { lastPosition, readRecords } from '../events/read.ts';
import type { Store } from '../events/store/store.ts';
import { viewLog } from '../events/view-log.ts';
import type { Directories } from '../files/project/data-directory.ts';
import { defaultDataDir } from '../server/config.ts';
import { findServer, type FoundServer } from '../server/found-server.ts';
import { pick } from './names.ts';

/** Where a log and its files are. */
export interface Place extends Directories {
  /** The log is in a database, and read there also while a server writes; null: in the data directory. */
  cell: CellPlace | null;
}

/** Where a command reads: the server that holds the data directory, or the log itself when none runs. */
export interface LogSource {
  /** Its server answers: new events come. */
  readonly isLive: boolean;
  /** The id of a project as `pick` takes it. Throws `not_found`. */
  projectId(idOrName: string): Promise<string>;
  /** Stored events of a project from a position on; empty at the end. */
  page(projectId: string, query: PageQuery): Promise<string[]>;
  close(): Promise<void>;
}

/** Events wanted: from a position on; of times (ISO, inclusive); of types, with commas. */
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

/** Throws `not_found` for a mistyped directory: LevelDB would begin a log there. */
export const logDirectory = async (dataDir: string): Promise<string> => {
  const directory = path.join(dataDir, 'log');
  await access(directory).catch(() => {
    throw new TopologError('not_found', { what: 'The log', id: directory });
  });
  return directory;
};

/** A log to be read: nothing of it changes. */
export interface View {
  store: Store;
  /** The cell that it is of; null: it is that of a data directory. */
  cell: Cell | null;
  /** LevelDB's own list of files was damaged. */
  repaired: boolean;
  close: () => Promise<void>;
}

/** How long a lease is that a command takes. Milliseconds. */
const LEASE_MS = 5_000;

/** Throws `not_found` where there is none, unless it is to begin one with this in it. */
export const openCellAt = (place: CellPlace, create: FirstEntry | false = false): Promise<Cell> =>
  openCell({ ...place, leaseMs: LEASE_MS, create });

/** The log of a data directory that no server holds, or of a cell as it is at this moment. */
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

/** A cell goes on while it is read. */
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

/** The server that a log is asked of; null: it is read itself. */
export const serverOf = ({ dataDir, cell }: Place): Promise<FoundServer | null> =>
  cell === null ? findServer(dataDir) : Promise.resolve(null);

export const openSource = async (place: Place): Promise<LogSource> => {
  const server = await serverOf(place);
  return server === null ? ofStore(place) : ofServer(server);
};

/** What `topolog` does when it is told to. */
export interface Command {
  help: string;
  /** Gets the arguments after the command's name, resolves with the exit code. */
  run: (args: string[]) => Promise<number>;
}

export const command = (help: string, run: Command['run']): Command => ({ help, run });

/** Too many arguments, or too few. `usage`: what would be right, from the command's name on. */
export const wrongUsage = (usage: string): TopologError =>
  TopologError.saying('invalid_request', `${USAGE} topolog ${usage}`);

/** How a sentence begins that is no complaint of `topolog`, but what it takes. */
export const USAGE = 'usage:';

/** Flags that every command has. */
export const COMMON = { 'data-dir': { type: 'string' } } as const;

export const dataDirOf = (given: string | undefined): string =>
  given === undefined ? defaultDataDir() : path.resolve(given);

/** Flags of commands that read a log, wherever it is. */
export const LOG = { ...COMMON, log: { type: 'string' }, cell: { type: 'string' } } as const;

/** Flag of commands that read files of labs as well. */
export const FILES = { files: { type: 'string' } } as const;

/** Of those that read a log, its files, and its keys. */
export const LOG_AND_FILES = { ...LOG, ...FILES, 'cell-key': { type: 'string' } } as const;

export const LOG_HELP = `  --log URL        the log is in a database: postgres://user@host/database (TOPOLOG_LOG); it is read there, also while a server writes
  --cell NAME      its name there (TOPOLOG_CELL, default)
`;

export const FILES_HELP = `  --files DIR      projects, images and symbols (the data directory)
`;

export const LOG_AND_FILES_HELP = `${LOG_HELP}  --cell-key FILE  key of the cell (TOPOLOG_CELL_KEY is the key itself)
${FILES_HELP}`;

/** What to do about a damaged log in a database. */
export const FROM_BACKUP = 'restore its database from a backup (docs/how-to/move-a-log.md)';

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

/** The data directory of a command that needs its log alone. Throws a conflict while a server holds it. */
export const unheldDataDir = async (given: string | undefined): Promise<string> => {
  const dataDir = dataDirOf(given);
  const server = await findServer(dataDir);
  if (server !== null) throw conflict(`the server at ${server.url} holds ${dataDir}; stop it first`);
  return dataDir;
};

/** `parseArgs` whose complaints are errors of ours. */
export const parse = <T extends NonNullable<Parameters<typeof parseArgs>[0]>>(
  config: T,
): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw flagError(error, config.options ?? {});
  }
};

/** What is wrong with a file that was named, as an error of ours; what else is thrown goes on. */
export const cannotBe =
  (done: 'read' | 'written', file: string) =>
  (error: unknown): never => {
    const trouble = fileTroubleOf(
      error,
      done === 'written' ? `there is no directory ${path.dirname(file)}` : undefined,
    );
    if (trouble === messageOf(error)) throw error;
    throw invalid(`${file} cannot be ${done}: ${trouble}`);
  };

/** A command as help and completion list it. */
export interface Entry {
  name: string;
  /** Its arguments, as help shows them. */
  takes: string;
  does: string;
  /** Words that other tools have for it. */
  also: readonly string[];
  /** What it needs is loaded with it: most of the time of a short command would go into loading the server. */
  load: () => Promise<Command>;
}
