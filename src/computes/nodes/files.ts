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
import { besideDirectory } from '../../files/project/node-directories.ts';
import { removeTree, walk } from '../../files/project/tree.ts';
import { encodedPath, listOf } from '../client/answers.ts';
import type { ComputeClient } from '../client/client-contract.ts';

/**
 * The files of nodes that run elsewhere: their directories here are copies. Links, empty directories and owners are nothing that a compute
 * tells: links stay as they are here.
 */

export interface FileParts {
  client: ComputeClient;
  /** For messages. */
  compute: string;
}

/** Lists of files at one compute, one of each project for all nodes whose files are sent at the same time: it reads every file for each. */
export class FileLists {
  readonly #lists = new Map<string, { list: Promise<Listed[]> | null; waiting: number }>();

  async during(
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

export type NodeOfFiles = Pick<KindNode, 'project_id' | 'node_directory'> & { node_id: string };

/** A node, and the directory of its kind below `project-files/`. */
export interface NodePlace {
  node: NodeOfFiles;
  directory: string;
  /** Names of what is sent: the compute may have newer ones of the others. Absent: all. */
  only?: readonly string[];
}

const LISTED = z.object({ path: z.string(), md5sum: z.string() });
type Listed = z.infer<typeof LISTED>;

/** Nodes whose files are fetched at the same time. */
const AT_ONCE = 4;

const placeOf = ({ node, directory }: NodePlace): string => `project-files/${directory}/${node.node_id}`;

/** Uploads what the compute lacks of a node's directory, or has with other content. */
export const sendFiles = (
  parts: FileParts & { lists: FileLists },
  at: NodePlace,
  signal?: AbortSignal,
): Promise<void> => {
  const { project_id } = at.node;
  // No signal: others wait for the list as well.
  const read = (): Promise<Listed[]> => listFiles(parts, project_id);
  return parts.lists.during(project_id, read, (list) => sendListed(parts, at, list, signal));
};

const sendListed = async (parts: FileParts, at: NodePlace, list: ReadList, signal?: AbortSignal): Promise<void> => {
  const { node_directory: root, project_id } = at.node;
  const ours = root === null ? new Map<string, string>() : await sumsIn(root);
  if (root === null || ours.size === 0) return;
  const theirs = belowNode(await list(), at);
  for (const [name, md5] of ours) {
    if (theirs.get(name)?.md5 === md5 || at.only?.includes(name) === false) continue;
    const content = await openProjectFile(root, name);
    try {
      await parts.client.upload(pathOf(project_id, `${placeOf(at)}/${name}`), content, signal);
    } finally {
      content.destroy();
    }
  }
};

/**
 * Brings a node's directory to what the compute has of it. Until all is fetched and has the MD5 sums that the compute tells, nothing
 * changes. Throws `forbidden` for names that lead out of the directory.
 */
export const fetchFiles = async (parts: FileParts, at: NodePlace, signal?: AbortSignal): Promise<void> =>
  fetchListed(parts, at, await listFiles(parts, at.node.project_id, signal), signal);

/** The same for all nodes of a project that are there. The first failure ends it; what was fetched by then stays. */
export const fetchProject = async (
  parts: FileParts,
  projectId: string,
  places: readonly NodePlace[],
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

interface Theirs {
  /** As the compute has it, from the project on. */
  path: string;
  md5: string;
}

/** Files of a node by their names below its directory. Throws `forbidden`. */
const belowNode = (list: readonly Listed[], at: NodePlace): Map<string, Theirs> => {
  const place = `${placeOf(at)}/`;
  const found = new Map<string, Theirs>();
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
 * Logs say what ran where; the existing server's archives leave them out too. What the server is writing is no file yet, and a name with
 * a backslash is another one on another system.
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
  at: NodePlace,
  list: readonly Listed[],
  signal?: AbortSignal,
): Promise<void> => {
  const { node_directory: root, project_id } = at.node;
  const theirs = belowNode(list, at);
  // A compute that has nothing at all of a node has lost it: what is here may be all that there is.
  if (root === null || theirs.size === 0) return;
  const ours = await sumsIn(root);
  const other = [...theirs].filter(([name, { md5 }]) => ours.get(name) !== md5);
  for (const [name] of other) await targetOf(root, name);
  const { part } = besideDirectory(root);
  try {
    const fetched = new Map<string, string>();
    for (const [name, file] of other) {
      const to = path.join(part, String(fetched.size));
      await download(parts, { url: pathOf(project_id, file.path), name: file.path, md5: file.md5, to }, signal);
      fetched.set(name, to);
    }
    const gone = [...ours.keys()].filter((name) => !theirs.has(name));
    await put(root, fetched, gone);
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
  // The disk keeps what it needs; the compute has taken more than that before.
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

/** Where a file goes; a link of its name is replaced, one on the way there is followed inside the directory. Throws `forbidden`. */
const targetOf = async (root: string, name: string): Promise<string> => {
  const folder = path.dirname(name);
  if (folder === '.') return path.join(root, name);
  const real = await confined(root, path.join(root, folder));
  if (real !== null) return path.join(real, path.basename(name));
  throw new TopologError('forbidden', { reason: `${name} leads out of the node's directory over a link` });
};

/** Each file is the old or the new one at every moment. */
const put = async (root: string, fetched: ReadonlyMap<string, string>, gone: readonly string[]): Promise<void> => {
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
