import { constants, promises as files } from 'node:fs';
import path from 'node:path';
import { makeDirectory, syncPath } from '../durable.ts';
import type { ParsedProject } from './parsed.ts';

/** Newest revision whose routers shared one directory. */
const SHARED_UNTIL = 6;

/** Where a kind keeps its nodes' directories, under `project-files`. */
export interface KindDirectories {
  get(kind: string): { directory: string } | undefined;
}

/**
 * Up to revision 6 all routers of a project kept their files in one directory, told apart by the instance number in the
 * file names (`c3600_i2_nvram`, `configs/i2_startup-config.cfg`). Copies each router's files into its own directory. The
 * originals stay, and so does a file that is already there, so it can be done again.
 *
 * `directory`: absolute path of the project's. Returns how many files were copied.
 */
export const gatherRouterFiles = async (
  project: ParsedProject,
  directory: string,
  kinds: KindDirectories,
): Promise<number> => {
  if (project.revision > SHARED_UNTIL) return 0;
  let copied = 0;
  for (const { node_id, kind, properties } of project.nodes) {
    const instance = properties.dynamips_id;
    const folder = kinds.get(kind)?.directory;
    if (folder === undefined || typeof instance !== 'number' || !Number.isInteger(instance)) continue;
    const shared = path.join(directory, 'project-files', folder);
    copied += await gather(shared, path.join(shared, node_id), instance);
  }
  return copied;
};

const gather = async (shared: string, own: string, instance: number): Promise<number> => {
  const state = (await names(shared)).filter((name) => name.includes(`_i${instance}_`));
  const configs = (await names(path.join(shared, 'configs'))).filter((name) => name.startsWith(`i${instance}_`));
  return (
    (await copyAll(shared, own, state)) +
    (await copyAll(path.join(shared, 'configs'), path.join(own, 'configs'), configs))
  );
};

/** Names of the regular files of a directory; none when there is no such directory. */
const names = async (directory: string): Promise<string[]> => {
  const entries = await files.readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
};

const copyAll = async (from: string, to: string, wanted: readonly string[]): Promise<number> => {
  if (wanted.length === 0) return 0;
  await makeDirectory(to);
  let copied = 0;
  for (const name of wanted) copied += await copyNew(path.join(from, name), path.join(to, name));
  await syncPath(to);
  return copied;
};

const copyNew = async (from: string, to: string): Promise<0 | 1> => {
  try {
    await files.copyFile(from, to, constants.COPYFILE_EXCL);
    await syncPath(to);
    return 1;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 0;
    throw error;
  }
};
