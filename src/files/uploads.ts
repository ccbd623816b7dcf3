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
 * Files written by clients: received, checked and synced in a staging directory, then recorded by an event, then
 * moved into place. After a crash the next start completes uploads with an event, and deletes others.
 */
const planOf = z.strictObject({
  /** Id, which its event has as well. */
  upload: z.string(),
  /** Version of the project's stream when the upload began: its event has a later one. */
  version: z.int().nonnegative(),
  /**
   * Node on another compute that has to get the file; the plan stays until it has. `path`: below the node's
   * directory.
   */
  node: z.strictObject({ node_id: z.string(), path: z.string() }).exactOptional(),
  /** In plans of earlier versions. */
  file: z.string().exactOptional(),
});
export type UploadPlan = z.infer<typeof planOf>;

interface Staged {
  /** Absolute path of its place. */
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

/** `target.project`: the project whose own files must not be overwritten. */
export interface UploadTarget extends Pick<UploadPlan, 'version' | 'node'> {
  root: string;
  name: string;
  project?: { path: string; filename: string };
}

/** Content of a request, and its maximum size in octets. */
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

/** Called before the event: refuses when the place has become unusable since. One at a time below a root. */
export const readyPlace = async ({ root, name, project }: UploadTarget): Promise<void> => {
  const file = await writableFile(root, name, project);
  try {
    await makeDirectory(path.dirname(file));
  } catch (error) {
    throw diskError(error, `${name} cannot be written`);
  }
};

export const discardUpload = (place: string, id: string): Promise<void> => removeTree(directoryOf(place, id));

/** Called after the event. Idempotent. */
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

/** Uploads left by a crash. `plan` null: incomplete; `broken`: complete, but unreadable. */
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

/** Whether the upload is in place. */
export const isPlaced = async (place: string, id: string): Promise<boolean> =>
  !(await isThere(path.join(directoryOf(place, id), CONTENT)));

/** Directory in which an upload is kept that cannot be completed. */
export const keptUpload = (place: string, id: string): string => directoryOf(place, id);
