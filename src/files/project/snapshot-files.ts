import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { sealed, unsealed } from '../../common/sealed.ts';
import { makeDirectory, moveTo, settleNames, writeDurably } from '../../common/durable.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import { digestOf } from './content.ts';
import { codeOf, diskError } from './disk-errors.ts';
import { projectParts, SNAPSHOTS, STAGING } from './parts.ts';
import { type CopiedEntry, copyEntry, isThere, putAside, removeTree, syncTree, walk } from './tree.ts';

/**
 * Files of snapshots: `<project>/snapshots/<snapshot_id>/` with `manifest.json`, which lists every entry with its
 * checksum, and `files/`. The log has the checksum of the manifest, so a snapshot that was changed since is not
 * restored.
 */
interface Manifest {
  v: 1;
  snapshot_id: string;
  /** Copied parts of the project's directory; see projectParts. */
  parts: string[];
  entries: CopiedEntry[];
}

const MANIFEST = 'manifest.json';
const FILES = 'files';

export const snapshotDirectory = (projectPath: string, id: string): string => path.join(projectPath, SNAPSHOTS, id);
export const preparedSnapshot = (projectPath: string, id: string): string =>
  path.join(projectPath, STAGING, `snapshot-${id}`);
const removedSnapshot = (projectPath: string, id: string): string => path.join(projectPath, STAGING, `removed-${id}`);

export interface PreparedSnapshot {
  files: number;
  bytes: number;
  manifest_sha256: string;
}

/** Copies the content of a project beside its snapshots, verified and synced. Removes everything after a failure. */
export const prepareSnapshot = async (projectPath: string, own: boolean, id: string): Promise<PreparedSnapshot> => {
  const parts = await projectParts(projectPath, own);
  return prepareFrom(projectPath, parts, preparedSnapshot(projectPath, id), id);
};

/** `prepareSnapshot` with parts from another directory into `target`, for a snapshot from an archive. */
export const prepareFrom = async (
  from: string,
  parts: string[],
  target: string,
  id: string,
): Promise<PreparedSnapshot> => {
  try {
    await makeDirectory(path.join(target, FILES));
    const entries: CopiedEntry[] = [];
    for (const part of parts)
      for await (const entry of walk(from, part)) entries.push(await copyEntry(entry, from, path.join(target, FILES)));
    const text = JSON.stringify({ v: 1, snapshot_id: id, parts, entries } satisfies Manifest);
    await syncTree(path.join(target, FILES));
    await writeDurably(path.join(target, MANIFEST), text);
    const files = entries.flatMap((e) => (e.type === 'file' ? [e.bytes] : []));
    return {
      files: files.length,
      bytes: files.reduce((sum, bytes) => sum + bytes, 0),
      manifest_sha256: sha256(text),
    };
  } catch (error) {
    await removeTree(target);
    throw diskError(error, 'the files of the project cannot be copied');
  }
};

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Moves a prepared snapshot into place. Idempotent. */
export const placeSnapshot = async (projectPath: string, id: string): Promise<void> => {
  const prepared = preparedSnapshot(projectPath, id);
  if (!(await isThere(prepared))) return;
  if (await isThere(snapshotDirectory(projectPath, id))) return removeTree(prepared);
  await makeDirectory(path.join(projectPath, SNAPSHOTS));
  await moveTo(prepared, snapshotDirectory(projectPath, id));
};

/** Moved aside first, so that a snapshot is complete or absent. */
export const removeSnapshot = async (projectPath: string, id: string): Promise<void> => {
  const [from, to] = [snapshotDirectory(projectPath, id), removedSnapshot(projectPath, id)];
  if (!(await isThere(from))) return;
  await makeDirectory(path.dirname(to));
  await moveTo(from, to);
  await removeTree(to);
};

/** Directory for the files of a restore. */
export const restoreDirectory = (projectPath: string, staged: string): string =>
  path.join(projectPath, STAGING, `restore-${staged}`);

const plan = z.strictObject({ own: z.boolean(), parts: z.array(z.string()) });
type Plan = z.infer<typeof plan>;
const PLAN = 'plan.json';

/**
 * Copies and verifies the files of a snapshot, to be moved into place by renaming. The project is not touched.
 * Removes everything after a failure.
 */
export const stageRestore = async (
  projectPath: string,
  own: boolean,
  snapshot: { snapshot_id: string; manifest_sha256: string },
  staged: string,
): Promise<void> => {
  const place = restoreDirectory(projectPath, staged);
  const from = snapshotDirectory(projectPath, snapshot.snapshot_id);
  try {
    await removeTree(place);
    const manifest = await readManifest(from, snapshot.manifest_sha256);
    await makeDirectory(path.join(place, 'new'));
    for (const entry of manifest.entries) {
      const expected = entry.type === 'file' ? entry.sha256 : null;
      await copyEntry(entry, path.join(from, FILES), path.join(place, 'new'), { expected });
    }
    await syncTree(path.join(place, 'new'));
    await writeDurably(path.join(place, PLAN), sealed({ own, parts: manifest.parts } satisfies Plan));
  } catch (error) {
    await removeTree(place);
    throw diskError(error, 'the files of the snapshot cannot be restored');
  }
};

const readManifest = async (directory: string, expected: string): Promise<Manifest> => {
  const text = await readFile(path.join(directory, MANIFEST)).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? conflict(`the files of the snapshot are not in ${directory}`) : error;
  });
  if (sha256(text) !== expected) throw conflict('the files of the snapshot were changed since it was made');
  return JSON.parse(text.toString()) as Manifest;
};

/** Throws a conflict for a damaged plan, which is kept with its files. */
const planOf = async (text: string, place: string): Promise<Plan> => {
  try {
    return unsealed(text, plan, path.join(place, PLAN), 'its files are kept');
  } catch {
    throw conflict(
      `the files of the restored snapshot could not take their places: their list is damaged; they are in ${await putAside(place)}`,
    );
  }
};

/** Moves the files of a restore into place. Idempotent, also after an interruption. */
export const finishRestore = async (projectPath: string, staged: string): Promise<void> => {
  const place = restoreDirectory(projectPath, staged);
  const text = await readFile(path.join(place, PLAN), 'utf8').catch(() => null);
  if (text !== null) {
    const planned = await planOf(text, place);
    const parts = new Set([...(await projectParts(projectPath, planned.own)), ...planned.parts]);
    let old = 0;
    const aside = async (part: string): Promise<void> => {
      const to = path.join(place, 'old', String(old++));
      await makeDirectory(path.dirname(to));
      if (await isThere(to)) await aside(part);
      else await moveTo(path.join(projectPath, part), to);
    };
    for (const part of parts) {
      const fresh = path.join(place, 'new', part);
      const waits = await isThere(fresh);
      // It is in place already.
      if (planned.parts.includes(part) && !waits) {
        await settleNames(path.dirname(path.join(projectPath, part)));
        continue;
      }
      if (await isThere(path.join(projectPath, part))) await aside(part);
      if (!waits) continue;
      await makeDirectory(path.dirname(path.join(projectPath, part)));
      await moveTo(fresh, path.join(projectPath, part));
    }
    // Removing the plan marks the restore as done: files written from now on stay.
    await moveTo(path.join(place, PLAN), path.join(place, 'done.json'));
  }
  await removeTree(place);
};

/** Directory of a snapshot's files, and the parts of a project that they are. */
export const snapshotFiles = async (projectPath: string, id: string): Promise<{ root: string; parts: string[] }> => {
  const directory = snapshotDirectory(projectPath, id);
  const { parts } = JSON.parse(await readFile(path.join(directory, MANIFEST), 'utf8')) as Manifest;
  return { root: path.join(directory, FILES), parts };
};

/** Describes the files of a snapshot that differ from its manifest. */
export const checkSnapshot = async (
  projectPath: string,
  snapshot: { snapshot_id: string; manifest_sha256: string },
): Promise<string[]> => {
  const place = snapshotDirectory(projectPath, snapshot.snapshot_id);
  const wrong: string[] = [];
  try {
    const { entries } = await readManifest(place, snapshot.manifest_sha256);
    for (const entry of entries) {
      if (entry.type !== 'file') continue;
      const now = await digestOf(path.join(place, FILES, entry.path), 'sha256').catch(messageOf);
      if (now !== entry.sha256) wrong.push(`its file ${entry.path} is not as it was copied`);
    }
  } catch (error) {
    wrong.push(messageOf(error));
  }
  return wrong;
};
