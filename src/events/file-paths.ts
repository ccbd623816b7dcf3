import path from 'node:path';
import type { Store } from './store/store.ts';
import type { AnyDraft, DataOf } from './schemas.ts';
import { lastPosition, readRecords, startsAndStops } from './read.ts';

/**
 * Paths of a log's files. Files below the directory of files (the data directory unless `--files` names another one)
 * are stored by their relative paths, so that the directory can be moved, copied and shared.
 */
export interface FilePaths {
  /** The present directory: as it was given, and with symbolic links resolved. */
  filesDirs: readonly string[];
  /** Earlier paths of the directory. */
  former: readonly string[];
  /** Events and records up to this position were written by versions that stored absolute paths. */
  wholeUntil: number;
}

const insideOf = (directories: readonly string[], file: string): string | null => {
  for (const directory of directories)
    if (file.startsWith(directory + path.sep)) return file.slice(directory.length + 1).replaceAll(path.sep, '/');
  return null;
};

/** Path as it is stored. */
const storedPath = ({ filesDirs }: FilePaths, file: string): string => insideOf(filesDirs, file) ?? file;

/** Absolute path today of a stored path. `created`: position of the event that the path belongs to. */
export const currentPath = ({ filesDirs, former, wholeUntil }: FilePaths, file: string, created: number): string => {
  const [filesDir = ''] = filesDirs;
  if (!path.isAbsolute(file)) return path.join(filesDir, file);
  const inside = former.length === 0 || created > wholeUntil ? null : insideOf(former, file);
  return inside === null ? file : path.join(filesDir, inside);
};

/** Value of a setting that names a file: settings are stored with absolute paths, as they were given. */
export const currentSetting = ({ filesDirs, former }: FilePaths, value: string): string => {
  const inside = insideOf(former, value);
  return inside === null ? value : path.join(filesDirs[0] ?? '', inside);
};

/** Draft with its paths as they are stored. */
export const withStoredPaths = (places: FilePaths, draft: AnyDraft): AnyDraft => {
  const { data } = draft;
  switch (draft.type) {
    case 'project.created':
    case 'project.replaced':
    case 'capture.start_requested':
      return { ...draft, data: { ...data, path: storedPath(places, draft.data.path) } } as AnyDraft;
    case 'node.created':
    case 'node.restored': {
      const { node_directory } = draft.data;
      if (node_directory === null) return draft;
      return { ...draft, data: { ...data, node_directory: storedPath(places, node_directory) } } as AnyDraft;
    }
    case 'link.restored': {
      const { capture } = draft.data;
      if (capture === null) return draft;
      return {
        ...draft,
        data: { ...data, capture: { ...capture, path: storedPath(places, capture.path) } },
      } as AnyDraft;
    }
    default:
      return draft;
  }
};

type Started = DataOf<'server.started'>;

/**
 * Finds the paths of a log that is opened with a directory of files (`filesDirs`, the path as given first). A log
 * whose version stored absolute paths shows its directory by its projects: those that have a directory here belong to
 * it. `isHere`: whether a project has one.
 */
export const filePathsOf = async (
  store: Store,
  filesDirs: readonly string[],
  isHere: (projectId: string) => Promise<boolean>,
): Promise<FilePaths & { movedFrom: string | null }> => {
  const started = await lastStart(store);
  const known = started === null ? await directoriesOfProjects(store, isHere) : [started.data_dir ?? ''];
  const former = [...(started?.former_data_dirs ?? []), ...known].filter((directory) => !filesDirs.includes(directory));
  return {
    filesDirs,
    former: [...new Set(former)],
    wholeUntil: started?.whole_paths_until ?? (await lastPosition(store)),
    movedFrom: known.find((directory) => !filesDirs.includes(directory)) ?? null,
  };
};

const directoriesOfProjects = async (
  store: Store,
  isHere: (projectId: string) => Promise<boolean>,
): Promise<string[]> => {
  const found = new Set<string>();
  for await (const [collection, id, record] of readRecords(store)) {
    if (collection !== 'project') continue;
    const { path: place } = record as { path: string };
    const own = path.basename(place) === id && path.basename(path.dirname(place)) === 'projects';
    if (own && path.isAbsolute(place) && (await isHere(id))) found.add(path.dirname(path.dirname(place)));
  }
  return [...found];
};

/** Data of the last start that recorded its directory of files; null: none did. */
const lastStart = async (store: Store): Promise<Started | null> => {
  for await (const { type, data } of startsAndStops(store))
    if (type === 'server.started') return data.data_dir === undefined ? null : data;
  return null;
};

/** Fields of `server.started`. */
export const startedWith = ({ filesDirs, former, wholeUntil }: FilePaths): Partial<Started> => ({
  data_dir: filesDirs[0] ?? '',
  former_data_dirs: [...former],
  whole_paths_until: wholeUntil,
});
