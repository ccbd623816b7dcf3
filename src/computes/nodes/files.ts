import { createHash, type Hash } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { confined } from '../../common/file.ts';
import { makeDirectory, moveTo, removeDurably, UNFINISHED } from '../../common/durable.ts';
import { conflict, TopologError } from '../../common/errors.ts';
import type { KindNode } from '../../emulators/kit/contract.ts';
import { diskError } from '../../files/project/disk-errors.ts';
import { openProjectFile, plainPath, receiveFile } from '../../files/project/files.ts';
import { replacementOf } from '../../files/project/node-directories.ts';
import { removeTree, walk } from '../../files/project/tree.ts';
import { listOf } from '../client/errors.ts';
import { encodedPath } from '../client/target.ts';
import type { ComputeClient } from '../client/client.ts';

/**
 * Files of nodes at other computes, whose directories here are copies. A compute does not tell links, empty directories and owners; links
 * here stay as they are.
 */

export interface FileParts {
  client: ComputeClient;
  /** For messages. */
  compute: string;
}

/** Lists of files at one compute. Nodes of a project whose files are sent at the same time share one, as the compute reads every file for it. */
export class FileLists {
  readonly #lists = new Map<string, { list: Promise<Listed[]> | null; waiting: number }>();

  async share(
    projectId: string,
    read: () => Promise<Listed[]>,
    work: (list: ReadList) => Promise<void>,
  ): Promise<void> {
    const shared = this.#lists.get(projectId) ?? { list: null, waiting: 0 };
    this.#lists.set(projectId, shared);
    shared.waiting++;
    try {
      await work(() => (shared.list ??= read()));
    } catch (error) {
      shared.list = null;
      throw error;
    } finally {
      if (--shared.waiting === 0) this.#lists.delete(projectId);
    }
  }
}

type ReadList = () => Promise<Listed[]>;

export type NodeWithFiles = Pick<KindNode, 'project_id' | 'node_directory'> & { node_id: string };

/** A node, and the name of its kind's directory in `project-files/`. */
export interface NodeFiles {
  node: NodeWithFiles;
  directory: string;
  /** Names of the files to send, as the compute may have newer ones of the others; absent: all. */
  only?: readonly string[];
}

const LISTED = z.object({ path: z.string(), md5sum: z.string() });
type Listed = z.infer<typeof LISTED>;

/** Nodes whose files are fetched at the same time. */
const AT_ONCE = 4;

const remoteDirectoryOf = ({ node, directory }: NodeFiles): string => `project-files/${directory}/${node.node_id}`;

/** Uploads the files of a node's directory that the compute lacks or has with other content. */
export const sendFiles = (
  parts: FileParts & { lists: FileLists },
  at: NodeFiles,
  signal?: AbortSignal,
): Promise<void> => {
  const { project_id } = at.node;
  // Without the signal, as others may wait for the list as well.
  const read = (): Promise<Listed[]> => listFiles(parts, project_id);
  return parts.lists.share(project_id, read, (list) => sendListed(parts, at, list, signal));
};

const sendListed = async (parts: FileParts, at: NodeFiles, list: ReadList, signal?: AbortSignal): Promise<void> => {
  const { node_directory: root, project_id } = at.node;
  const ours = root === null ? new Map<string, string>() : await sumsIn(root);
  if (root === null || ours.size === 0) return;
  const theirs = belowNode(await list(), at);
  for (const [name, md5] of ours) {
    if (theirs.get(name)?.md5 === md5 || at.only?.includes(name) === false) continue;
    const content = await openProjectFile(root, name);
    try {
      await parts.client.upload(pathOf(project_id, `${remoteDirectoryOf(at)}/${name}`), content, signal);
    } finally {
      content.destroy();
    }
  }
};

/**
 * Makes a node's directory what the compute has. Changes nothing until all files are fetched and have the MD5 sums that the compute
 * tells. Throws `forbidden` for names that lead out of the directory.
 */
export const fetchFiles = async (parts: FileParts, at: NodeFiles, signal?: AbortSignal): Promise<void> =>
  fetchListed(parts, at, await listFiles(parts, at.node.project_id, signal), signal);

/** Fetches the files of several nodes of a project. The first failure ends it; files fetched by then stay. */
export const fetchProject = async (
  parts: FileParts,
  projectId: string,
  places: readonly NodeFiles[],
  signal?: AbortSignal,
): Promise<void> => {
  if (places.length === 0) return;
  const list = await listFiles(parts, projectId, signal);
  const left = [...places];
  const next = async (): Promise<void> => {
    for (let at = left.shift(); at !== undefined; at = left.shift())
      await fetchListed(parts, at, list, signal).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, next));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

const pathOf = (projectId: string, name: string): string => `/projects/${projectId}/files/${encodedPath(name)}`;

const listFiles = async (
  { client, compute }: FileParts,
  projectId: string,
  signal?: AbortSignal,
): Promise<Listed[]> => {
  const call = signal === undefined ? {} : { signal };
  return listOf(LISTED, await client.request('GET', `/projects/${projectId}/files`, call), {
    compute,
    what: `files of project ${projectId}`,
  });
};

interface RemoteFile {
  /** Path in the project. */
  path: string;
  md5: string;
}

/** Files of a node at the compute, by their names in its directory. Throws `forbidden`. */
const belowNode = (list: readonly Listed[], at: NodeFiles): Map<string, RemoteFile> => {
  const place = `${remoteDirectoryOf(at)}/`;
  const found = new Map<string, RemoteFile>();
  for (const { path: name, md5sum } of list) {
    if (!name.startsWith(place)) continue;
    const plain = plainName(name.slice(place.length));
    if (isCopied(plain)) found.set(plain, { path: name, md5: md5sum.toLowerCase() });
  }
  return found;
};

const plainName = (name: string): string => {
  try {
    return plainPath(name);
  } catch {
    throw new TopologError('forbidden', {
      reason: `${JSON.stringify(name)} of the compute leads out of the node's directory`,
    });
  }
};

/**
 * Not copied are logs, which the existing server's archives leave out too, unfinished files of the server, and names with a backslash,
 * which mean another path on another system.
 */
const isCopied = (name: string): boolean =>
  !/(\\|\.log$|_log\.txt$)/i.test(name) &&
  !name.split('/').some((part) => part.startsWith('.topolog') || part.endsWith(UNFINISHED));

/** MD5 sums of the files in a directory, by their names in it. */
const sumsIn = async (root: string): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  for await (const entry of walk(root, '.')) {
    const name = path.posix.normalize(entry.path);
    if (entry.type !== 'file' || !isCopied(name)) continue;
    const md5 = createHash('md5');
    for await (const block of await openProjectFile(root, name)) md5.update(block as Buffer);
    found.set(name, md5.digest('hex'));
  }
  return found;
};

const fetchListed = async (
  parts: FileParts,
  at: NodeFiles,
  list: readonly Listed[],
  signal?: AbortSignal,
): Promise<void> => {
  const { node_directory: root, project_id } = at.node;
  const theirs = belowNode(list, at);
  // A compute without any file of the node has lost it: the files here may be the only ones.
  if (root === null || theirs.size === 0) return;
  const ours = await sumsIn(root);
  const other = [...theirs].filter(([name, { md5 }]) => ours.get(name) !== md5);
  for (const [name] of other) await targetOf(root, name);
  const { part } = replacementOf(root);
  try {
    const fetched = new Map<string, string>();
    for (const [name, file] of other) {
      const to = path.join(part, String(fetched.size));
      await download(parts, { url: pathOf(project_id, file.path), name: file.path, md5: file.md5, to }, signal);
      fetched.set(name, to);
    }
    const gone = [...ours.keys()].filter((name) => !theirs.has(name));
    await replaceFiles(root, fetched, gone);
  } finally {
    await removeTree(part);
  }
};

interface Download {
  url: string;
  /** For messages. */
  name: string;
  md5: string;
  to: string;
}

const download = async (
  { client, compute }: FileParts,
  { url, name, md5, to }: Download,
  signal?: AbortSignal,
): Promise<void> => {
  const hash = createHash('md5');
  const content = await client.download(url, signal);
  // Limited only by the room on the disk.
  await receiveFile(Readable.from(tapped(content, hash), { objectMode: false }), to, Infinity);
  const sum = hash.digest('hex');
  if (sum === md5) return;
  throw conflict(
    `${name} of ${compute} has the MD5 sum ${sum} and was listed with ${md5}: it has changed meanwhile; fetch it when its node is stopped`,
    { compute, file: name },
  );
};

async function* tapped(content: Readable, md5: Hash): AsyncGenerator<Buffer> {
  for await (const block of content) {
    md5.update(block as Buffer);
    yield block as Buffer;
  }
}

/** Path for a file. A link of its name is replaced; links among its directories are followed inside the node's. Throws `forbidden`. */
const targetOf = async (root: string, name: string): Promise<string> => {
  const folder = path.dirname(name);
  if (folder === '.') return path.join(root, name);
  const real = await confined(root, path.join(root, folder));
  if (real !== null) return path.join(real, path.basename(name));
  throw new TopologError('forbidden', { reason: `${name} leads out of the node's directory over a link` });
};

/** Removes and replaces files; at every moment each file is the old or the new one. */
const replaceFiles = async (
  root: string,
  fetched: ReadonlyMap<string, string>,
  gone: readonly string[],
): Promise<void> => {
  try {
    for (const name of gone) {
      await removeDurably(path.join(root, name));
      await removeEmpty(root, path.dirname(name));
    }
    for (const [name, from] of fetched) {
      const to = await targetOf(root, name);
      await makeDirectory(path.dirname(to));
      await moveTo(from, to);
    }
  } catch (error) {
    throw diskError(error, `files cannot be put into ${root}`);
  }
};

const removeEmpty = async (root: string, folder: string): Promise<void> => {
  for (let name = folder; name !== '.'; name = path.dirname(name))
    if (
      !(await rmdir(path.join(root, name)).then(
        () => true,
        () => false,
      ))
    )
      return;
};
