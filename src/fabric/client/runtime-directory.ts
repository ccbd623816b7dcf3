import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readlink, realpath, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenPrivately } from '../io/private-socket.ts';

/** Unix socket paths hold 104 to 108 octets, by platform. */
const LONGEST_PATH = 100;
/** Longest path below the directory: that of a node's run, and a socket in it. Octets. */
const LONGEST_NAME = 42;

/** Names a data directory by its path: a copy of it, or the same one after a move, has another hash. */
const hashOf = (real: string): string => createHash('sha256').update(real).digest('hex').slice(0, 20);

/**
 * The directory for the sockets of a data directory: its fabric's, and those of nodes. It is in the data directory, so that the next
 * server finds it whatever its environment, its session and its `/tmp` are, and no cleaner takes it away. Where the path would be
 * too long for a socket, a link with a short name leads there. Where the file system has no sockets, it is in the user's directory.
 */
export async function privateDirectory(dataDir: string): Promise<string> {
  const real = await realpath(dataDir);
  const own = join(real, 'run');
  try {
    await makePrivate(own);
    const place = fits(own) ? own : await linkTo(own, join(await userDirectory(), hashOf(real)));
    if (await takesSockets(place)) return place;
  } catch {
    // For instance, it is not writable.
  }
  const place = join(await userDirectory(), hashOf(real));
  if ((await lstat(place).catch(() => null))?.isSymbolicLink() === true) await unlink(place);
  await makePrivate(place);
  return place;
}

/** Removes the link or directory outside of the data directory once its last socket is gone. It is made again when needed. */
export async function removeOutside(dataDir: string): Promise<void> {
  const real = await realpath(dataDir);
  if (fits(join(real, 'run'))) return;
  const place = join(await userDirectory(), hashOf(real));
  await ((await lstat(place)).isSymbolicLink() ? unlink(place) : rmdir(place));
}

const fits = (directory: string): boolean => Buffer.byteLength(directory) + LONGEST_NAME <= LONGEST_PATH;

/** This user's directory outside of the data directory. `/tmp` first, which is the same in every session; TMPDIR is not. */
export async function userDirectory(): Promise<string> {
  let failure: unknown = new Error('there is no directory with a path short enough for a socket');
  for (const directory of new Set(['/tmp', tmpdir()].map((place) => join(place, `topolog-${ownId()}`)))) {
    if (!fits(join(directory, hashOf('')))) continue;
    try {
      await makePrivate(directory);
      return directory;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Makes a link, or replaces one with another target. A directory at its place is used as it is. */
async function linkTo(target: string, link: string): Promise<string> {
  const found = await readlink(link).catch((error: unknown) => (isCode(error, 'EINVAL') ? link : null));
  if (found === link || found === target) return link;
  if (found !== null) await unlink(link);
  await symlink(target, link).catch((error: unknown) => {
    // Another process made the same one meanwhile.
    if (!isCode(error, 'EEXIST')) throw error;
  });
  return link;
}

const probed = new Map<string, Promise<boolean>>();

/** Some file systems have no sockets: shares of virtual machines, for instance. */
const takesSockets = (directory: string): Promise<boolean> => {
  const known = probed.get(directory) ?? probe(join(directory, `probe-${randomBytes(4).toString('hex')}`));
  probed.set(directory, known);
  return known;
};

const probe = async (path: string): Promise<boolean> => {
  const server = await listenPrivately(path, (socket) => socket.destroy()).catch(() => null);
  if (server !== null) await new Promise((resolve) => server.close(resolve));
  await rm(path, { force: true });
  return server !== null;
};

/** Where the fabric of a data directory listens, then where those of earlier releases did, by the environment of this process. */
export async function socketPaths(dataDir: string): Promise<string[]> {
  const name = hashOf(await realpath(dataDir));
  if (process.platform === 'win32') return [`\\\\.\\pipe\\topolog-${name}`];
  const earlier = new Set(earlierDirectories().map((directory) => join(directory, `${name}.sock`)));
  const own = join(await privateDirectory(dataDir), 'fabric.sock');
  return [own, ...earlier].filter((path) => Buffer.byteLength(path) <= LONGEST_PATH);
}

function earlierDirectories(): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  const user = `topolog-${ownId()}`;
  return [
    ...(runtime === undefined || runtime === '' ? [] : [join(runtime, 'topolog')]),
    join(tmpdir(), user),
    `/tmp/${user}`,
  ];
}

/** A container may run as a user that the system has no name for. */
const ownId = (): number => process.getuid?.() ?? -1;

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Makes the directory private to this user. Throws when it belongs to somebody else. */
export async function makePrivate(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error;
  });
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== ownId())
    throw new Error(`${directory} is not a directory of user ${ownId()}; remove it`);
  if ((found.mode & 0o077) !== 0) await chmod(directory, 0o700);
}
