import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { makeDirectory, syncPath, UNFINISHED } from '../../common/durable.ts';
import { conflict, fileNotFound, TopologError } from '../../common/errors.ts';
import { confined, needRoom } from '../../common/file.ts';
import { codeOf, diskError } from './disk-errors.ts';
import { isProjectFile, projectParts, SNAPSHOTS, STAGING } from './parts.ts';
import { walk } from './tree.ts';

/** Files of a project or node, read and written by clients. Neither names nor links lead out of the root. */

const forbidden = (reason: string): TopologError => new TopologError('forbidden', { reason });

/** Limits of a name below a root, leaving room for longer paths in snapshots and archives. */
const MOST_PARTS = 64;
const MOST_OCTETS = 1_024;

/** Name below the root, without `.` and repeated slashes: clients send `//etc/hosts` for `etc/hosts`. */
export const plainPath = (name: string): string => {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (name.includes('\0') || name.includes('\\') || parts.includes('..') || /^[a-z]:/i.test(parts[0] ?? ''))
    throw forbidden(`${JSON.stringify(name)} leads out of the directory`);
  if (parts.length === 0) throw fileNotFound(JSON.stringify(name));
  if (parts.length > MOST_PARTS || Buffer.byteLength(name) > MOST_OCTETS)
    throw forbidden(`${name.slice(0, 40)}… has more than ${MOST_PARTS} parts, or than ${MOST_OCTETS} octets`);
  if (parts[0] === STAGING) throw forbidden(`${STAGING} is the server's own`);
  return parts.join('/');
};

/** Absolute path of a file below `root`, with links resolved. Throws `forbidden` when it leads out. */
export const fileBelow = async (root: string, name: string): Promise<string> => {
  const file = await confined(root, path.join(root, plainPath(name)));
  if (file === null) throw forbidden(`${name} leads out of the directory over a link, or to nothing`);
  return file;
};

/** Throws `not_found`, also for anything but a regular file. */
const openBelow = async (root: string, name: string): Promise<{ handle: FileHandle; size: number }> => {
  const file = await fileBelow(root, name);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch(() => null);
  if (handle === null) throw fileNotFound(name);
  const stat = await handle.stat();
  if (!stat.isFile()) {
    await handle.close();
    throw fileNotFound(name);
  }
  return { handle, size: stat.size };
};

/** Content of a file. Throws `not_found`. */
export const openProjectFile = async (root: string, name: string): Promise<Readable> =>
  (await openBelow(root, name)).handle.createReadStream();

/** Bytes. Larger files get no ETag, as they are not read as a whole. */
const MOST_TAGGED = 1 << 20;

const tagOf = (sha256: string): string => `"${sha256}"`;
const EMPTY = createHash('sha256').digest('hex');
const NO_CONTENT = { bytes: Buffer.alloc(0), etag: tagOf(EMPTY) };

/** A file with its ETag by content; large files have none. A missing file: `not_found`, or empty with `ifMissing`. */
export const readProjectFile = async (
  root: string,
  name: string,
  ifMissing?: 'empty',
): Promise<{ bytes: Buffer; etag: string } | { stream: Readable }> => {
  const found = await openBelow(root, name).catch((error: unknown) => {
    if (ifMissing !== undefined && error instanceof TopologError && error.code === 'not_found') return null;
    throw error;
  });
  if (found === null) return NO_CONTENT;
  const { handle, size } = found;
  if (size > MOST_TAGGED) return { stream: handle.createReadStream() };
  try {
    const bytes = await handle.readFile();
    return { bytes, etag: tagOf(createHash('sha256').update(bytes).digest('hex')) };
  } finally {
    await handle.close();
  }
};

/** ETag of a file of any size; a missing file counts as empty. */
export const etagOfFile = async (root: string, name: string): Promise<string> => {
  const content = await openProjectFile(root, name).catch(() => null);
  if (content === null) return NO_CONTENT.etag;
  const hash = createHash('sha256');
  for await (const block of content) hash.update(block as Buffer);
  return tagOf(hash.digest('hex'));
};

/** Files in a project's own directory, with MD5 sums to compare versions, as existing tools do. */
export const listProjectFiles = async (
  projectPath: string,
  own: boolean,
): Promise<{ path: string; md5sum: string }[]> => {
  const found: { path: string; md5sum: string }[] = [];
  for (const part of await projectParts(projectPath, own))
    for await (const entry of walk(projectPath, part)) {
      if (entry.type !== 'file') continue;
      const md5 = createHash('md5');
      for await (const block of await openProjectFile(projectPath, entry.path)) md5.update(block as Buffer);
      found.push({ path: entry.path, md5sum: md5.digest('hex') });
    }
  return found;
};

/**
 * Path for writing a file: neither a directory nor a file of the server itself, in any spelling and over any link.
 * `project`: the project whose own files are protected.
 */
export const writableFile = async (
  root: string,
  name: string,
  project?: { path: string; filename: string },
): Promise<string> => {
  const file = await fileBelow(root, name);
  if (isWorkingFile(plainPath(name)) || isWorkingFile(path.basename(file)))
    throw forbidden(`${name} is a file of the server's own`);
  if (project !== undefined) await refuseKept(project, name, file);
  if ((await lstat(file).catch(() => null))?.isDirectory() === true) throw conflict(`${name} is a directory`);
  return file;
};

const isWorkingFile = (name: string): boolean =>
  name.split('/').some((part) => /^\.topolog/i.test(part) || part.toLowerCase().endsWith(UNFINISHED));

const refuseKept = async (project: { path: string; filename: string }, name: string, file: string): Promise<void> => {
  const inside = path.relative(await realpath(project.path).catch(() => project.path), file);
  const first = (inside.split(path.sep)[0] ?? '').toLowerCase();
  if (first === STAGING) throw forbidden(`${STAGING} is the server's own`);
  if (first === SNAPSHOTS)
    throw forbidden('files of snapshots cannot be written; POST /v2/projects/{project_id}/snapshots makes one');
  const own = path.join(project.path, project.filename);
  const [there, kept] = await Promise.all([stat(file), stat(own)].map((found) => found.catch(() => null)));
  const isSame = there != null && kept != null && there.ino === kept.ino && there.dev === kept.dev;
  if (isSame || isProjectFile(first))
    throw forbidden(
      `${name} is the project file, which the server writes; change the project itself, or load another file (POST /v2/projects/load)`,
    );
};

/** Writes a stream to a new file, on disk when it resolves. More than `limit` bytes: 413. */
export const receiveFile = async (
  stream: Readable,
  file: string,
  limit: number,
): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await needRoom(file);
    await makeDirectory(path.dirname(file));
    const handle = await open(file, 'wx');
    try {
      for await (const block of stream) {
        const chunk = block as Buffer;
        bytes += chunk.length;
        if (bytes > limit) throw new TopologError('body_too_large', { limit });
        hash.update(chunk);
        await needRoom(file, chunk.length);
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncPath(path.dirname(file));
  } catch (error) {
    throw ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error))
      ? error
      : diskError(error, 'the file cannot be written');
  }
  return { bytes, sha256: hash.digest('hex') };
};
