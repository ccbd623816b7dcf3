import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { diskError } from './disk-errors.ts';
import { receiveFile, writableFile } from './project-files.ts';
import { STAGING } from './project-parts.ts';
import { writeSynced } from './snapshot-files.ts';
import { moveTo, removeTree } from './tree.ts';

/**
 * Files that clients write: received beside, checked and on disk, then the fact, then moved to their places. What an end of the server
 * leaves is finished at the next start when its fact is there, and taken away otherwise.
 */
export interface UploadPlan {
  /** Where it goes: absolute. */
  file: string;
  /** In its fact as well. */
  upload: string;
  /** Of the project's chain when it was begun: its fact can only come later. */
  version: number;
}

interface Staged {
  bytes: number;
  sha256: string;
  discard(): Promise<void>;
}

const directoryOf = (projectPath: string, id: string): string => path.join(projectPath, STAGING, `upload-${id}`);
const CONTENT = 'content';
const PLAN = 'plan.json';

export const stageUpload = async (
  projectPath: string,
  id: string,
  target: { root: string; name: string } & Pick<UploadPlan, 'version'>,
  content: Readable,
  limit: number,
): Promise<Staged> => {
  const file = await writableFile(target.root, target.name);
  const directory = directoryOf(projectPath, id);
  try {
    const received = await receiveFile(content, path.join(directory, CONTENT), limit);
    const plan: UploadPlan = { file, upload: id, version: target.version };
    await mkdir(path.dirname(file), { recursive: true });
    await writeSynced(path.join(directory, PLAN), JSON.stringify(plan));
    return { ...received, discard: () => discardUpload(projectPath, id) };
  } catch (error) {
    await removeTree(directory);
    throw diskError(error, `${target.name} cannot be written`);
  }
};

export const discardUpload = (projectPath: string, id: string): Promise<void> =>
  removeTree(directoryOf(projectPath, id));

/** After its fact. */
export const placeUpload = async (projectPath: string, id: string): Promise<void> => {
  const directory = directoryOf(projectPath, id);
  const { file } = JSON.parse(await readFile(path.join(directory, PLAN), 'utf8')) as UploadPlan;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await moveTo(path.join(directory, CONTENT), file);
  } catch (error) {
    throw diskError(error, `${path.basename(file)} cannot be written`);
  } finally {
    await removeTree(directory);
  }
};

/** What is left of uploads; without a plan when they were not whole. */
export const leftUploads = async (projectPath: string): Promise<{ id: string; plan: UploadPlan | null }[]> => {
  const names = await readdir(path.join(projectPath, STAGING)).catch(() => []);
  const ids = names.filter((name) => name.startsWith('upload-')).map((name) => name.slice('upload-'.length));
  const read = (id: string): Promise<UploadPlan | null> =>
    readFile(path.join(directoryOf(projectPath, id), PLAN), 'utf8').then(
      (text) => JSON.parse(text) as UploadPlan,
      () => null,
    );
  return Promise.all(ids.map(async (id) => ({ id, plan: await read(id) })));
};
