import { access } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir } from '../server/config.ts';
import { conflict, invalid, TopologError } from '../common/errors.ts';
import { history } from '../events/history.ts';
import { lastPosition, readRecords } from '../events/read.ts';
import type { LogView } from '../events/store/view.ts';
import type { Directories } from '../files/project/data-directory.ts';
import { findServer, type FoundServer } from '../server/found-server.ts';
import { pick } from './names.ts';
import { viewLog } from '../events/view-log.ts';

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

export const ofServer = ({ client }: FoundServer): LogSource => ({
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

/** The log of a data directory that no server holds, to be read: no file of it changes. */
export const openView = async (dataDir: string): Promise<Pick<LogView, 'store' | 'close'>> =>
  viewLog(await logDirectory(dataDir));

const ofStore = async (dataDir: string): Promise<LogSource> => {
  const { store, close } = await openView(dataDir);
  return {
    isLive: false,
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

export const openSource = async (dataDir: string): Promise<LogSource> => {
  const server = await findServer(dataDir);
  return server === null ? ofStore(dataDir) : ofServer(server);
};

/** What `topolog` does when it is told to. */
export interface Command {
  help: string;
  /** Gets the arguments after the command's name, resolves with the exit code. */
  run: (args: string[]) => Promise<number>;
}

export const command = (help: string, run: Command['run']): Command => ({ help, run });

/** Flags that every command has. */
export const COMMON = { 'data-dir': { type: 'string' } } as const;

/** Flags of commands that read files of labs as well. */
export const WITH_FILES = { ...COMMON, files: { type: 'string' } } as const;

export const directoriesOf = (values: { 'data-dir'?: string | undefined; files?: string | undefined }): Directories => {
  const dataDir = dataDirOf(values['data-dir']);
  return { dataDir, filesDir: values.files === undefined ? dataDir : path.resolve(values.files) };
};

export const dataDirOf = (given: string | undefined): string =>
  given === undefined ? defaultDataDir() : path.resolve(given);

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
    throw invalid(error instanceof Error ? error.message : String(error));
  }
};

/** A command as help and completion list it. */
export interface Entry {
  name: string;
  /** Its arguments, as help shows them. */
  takes: string;
  does: string;
  /** What it needs is loaded with it: most of the time of a short command would go into loading the server. */
  load: () => Promise<Command>;
}
