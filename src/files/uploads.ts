import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { sealed, unsealed } from '../common/sealed.ts';
import { makeDirectory, moveTo, settleNames, writeDurably } from '../common/durable.ts';
import { diskError } from './project/disk-errors.ts';
import { receiveFile, writableFile } from './project/files.ts';
import { STAGING } from './project/parts.ts';
import { isThere, removeTree } from './project/tree.ts';

/**
 * Files that clients write: received beside, checked and on disk, then the event, then moved to their places. What an end of the server
 * leaves is finished at the next start when its event is there, and taken away otherwise.
 */
const planOf = z.strictObject({
  /** In its event as well. */
  upload: z.string(),
  /** Of the project's stream when it was begun: its event can only come later. */
  version: z.int().nonnegative(),
  /** Node on another compute, which has to get the file: the plan stays until it has. `path`: below the node's directory. */
  node: z.strictObject({ node_id: z.string(), path: z.string() }).exactOptional(),
  /** In those of earlier versions. */
  file: z.string().exactOptional(),
});
export type UploadPlan = z.infer<typeof planOf>;

interface Staged {
  /** Where it goes: absolute. */
  file: string;
  bytes: number;
  sha256: string;
  discard(): Promise<void>;
}

const SORT = 'upload-';
const directoryOf = (place: string, id: string): string => path.join(place, STAGING, `${SORT}${id}`);
const CONTENT = 'content';
const PLAN = 'plan.json';
const KEPT = 'the upload is kept beside';

/** `target.project`: directory of the project when its own files must not be written over. */
export interface UploadTarget extends Pick<UploadPlan, 'version' | 'node'> {
  root: string;
  name: string;
  project?: { path: string; filename: string };
}

/** What comes, and how many octets of it may. */
export interface Incoming {
  content: Readable;
  limit: number;
}

export const stageUpload = async (
  place: string,
  id: string,
  { root, name, version, project, node }: UploadTarget,
  { content, limit }: Incoming,
): Promise<Staged> => {
  const file = await writableFile(root, name, project);
  const directory = directoryOf(place, id);
  try {
    const received = await receiveFile(content, path.join(directory, CONTENT), limit);
    await writeDurably(
      path.join(directory, PLAN),
      sealed({ upload: id, version, ...(node === undefined ? {} : { node }) } satisfies UploadPlan),
    );
    return { ...received, file, discard: () => discardUpload(place, id) };
  } catch (error) {
    await removeTree(directory);
    throw diskError(error, `${name} cannot be written`);
  }
};

/** Before its event: what came into its way since it was staged refuses it. One at a time below a root. */
export const readyPlace = async ({ root, name, project }: UploadTarget): Promise<void> => {
  const file = await writableFile(root, name, project);
  try {
    await makeDirectory(path.dirname(file));
  } catch (error) {
    throw diskError(error, `${name} cannot be written`);
  }
};

export const discardUpload = (place: string, id: string): Promise<void> => removeTree(directoryOf(place, id));

/** After its event. Fine when it is there already. */
export const placeUpload = async (place: string, id: string, file: string): Promise<void> => {
  const content = path.join(directoryOf(place, id), CONTENT);
  try {
    if (!(await isThere(content))) return await settleNames(path.dirname(file));
    await makeDirectory(path.dirname(file));
    await moveTo(content, file);
  } catch (error) {
    throw diskError(error, `${path.basename(file)} cannot be written`);
  }
};

/** What is left of uploads. `plan` null: it was not whole; `broken`: it was, and cannot be read. */
export const leftUploads = async (place: string): Promise<{ id: string; plan: UploadPlan | null | 'broken' }[]> => {
  const names = await readdir(path.join(place, STAGING)).catch(() => []);
  const ids = names.filter((name) => name.startsWith(SORT)).map((name) => name.slice(SORT.length));
  return Promise.all(ids.map(async (id) => ({ id, plan: await readPlan(place, id) })));
};

const readPlan = async (place: string, id: string): Promise<UploadPlan | null | 'broken'> => {
  const file = path.join(directoryOf(place, id), PLAN);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const plan = unsealed(text, planOf, file, KEPT);
    return plan.upload === id ? plan : 'broken';
  } catch {
    return 'broken';
  }
};

/** It is in its place. */
export const isPlaced = async (place: string, id: string): Promise<boolean> =>
  !(await isThere(path.join(directoryOf(place, id), CONTENT)));

/** Where an upload is kept that cannot be finished. */
export const keptUpload = (place: string, id: string): string => directoryOf(place, id);
