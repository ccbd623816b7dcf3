import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Unix socket paths hold 104 to 108 octets, by platform. */
const LONGEST_PATH = 100;

/**
 * Where the socket of a data directory's fabric can be, the place for a new one first: a private directory of this user, and a
 * name made from the data directory's real path. There is more than one because XDG_RUNTIME_DIR is not set in every session.
 */
export async function socketPaths(dataDir: string): Promise<string[]> {
  const name = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
    .slice(0, 20);
  if (process.platform === 'win32') return [`\\\\.\\pipe\\topolog-${name}`];
  const paths = [...new Set(directories().map((directory) => join(directory, `${name}.sock`)))];
  return paths.filter((path) => Buffer.byteLength(path) < LONGEST_PATH);
}

function directories(): string[] {
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

/** Makes the directory private to this user. Throws when it belongs to somebody else. */
export async function makePrivate(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== ownId())
    throw new Error(`${directory} is not a directory of user ${ownId()}; remove it`);
  if ((found.mode & 0o077) !== 0) await chmod(directory, 0o700);
}

/** The private directory that the fabric of a data directory uses, made when it is not there; for sockets of its neighbours. */
export async function privateDirectory(dataDir: string): Promise<string> {
  let failure: unknown = new Error('there is no directory with a path short enough for a socket');
  for (const path of await socketPaths(dataDir)) {
    const directory = dirname(path);
    try {
      await makePrivate(directory);
      return directory;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
