import * as real from 'node:fs';
import path from 'node:path';
import { disk, DiskError, type Inode, isSimulated } from '../disk.ts';
import { world } from '../world.ts';
import { CALL_MS, decoded, type Encoding, Handle, handleOf, statOf } from './file-handle.ts';

export { handleOf };

/**
 * Stands in for `node:fs/promises` in the product's modules: the simulated disk, and this machine's for reading the program's own files.
 * A function that is not here is an error while the modules are linked.
 */

export const { constants } = real;

const text = (place: unknown): string => {
  if (typeof place !== 'string') throw new Error(`the simulation has no file ${String(place)}`);
  return path.resolve(place);
};

/** On the simulated disk; elsewhere as this machine has it, which never changes. */
const call = <T>(
  name: string,
  place: unknown,
  work: (place: string) => T,
  elsewhere?: (place: string) => T,
): Promise<T> =>
  world().io(`${name} ${String(place)}`, CALL_MS, () => {
    const file = text(place);
    if (isSimulated(file)) return work(file);
    if (elsewhere === undefined) throw new DiskError('EROFS', file);
    return elsewhere(file);
  });

const bytesOf = (place: string): Buffer => {
  const { bytes } = disk().get(place);
  if (bytes === null) throw new DiskError('EISDIR', place);
  return bytes;
};

export const stat = (place: string) =>
  call<unknown>(
    'stat',
    place,
    (file) => statOf(disk().get(file)),
    (file) => real.statSync(file),
  );
export const lstat = (place: string) =>
  call<unknown>(
    'lstat',
    place,
    (file) => statOf(disk().get(file)),
    (file) => real.lstatSync(file),
  );
export const access = (place: string, mode?: number) =>
  call<unknown>(
    'access',
    place,
    (file) => void disk().get(file),
    (file) => real.accessSync(file, mode),
  );
export const realpath = (place: string) =>
  call<string>(
    'realpath',
    place,
    (file) => {
      disk().get(file);
      return file;
    },
    (file) => real.realpathSync(file),
  );
export const readlink = (place: string) => call<string>('readlink', place, (file) => real.readlinkSync(file));
export const readFile = (place: string, options?: Encoding) =>
  call<string | Buffer>(
    'readFile',
    place,
    (file) => decoded(bytesOf(file), options),
    (file) => decoded(real.readFileSync(file), options),
  );
export const statfs = (_place: string) => Promise.resolve({ bsize: 4096, blocks: 1e9, bfree: 5e8, bavail: 5e8 });
export const chmod = (place: string, mode: number) =>
  call<unknown>('chmod', place, (file) => disk().chmod(disk().get(file).ino, mode));
export const utimes = (place: string) => call<unknown>('utimes', place, (file) => void disk().get(file));
export const link = (from: string, to: string) => call<unknown>('link', from, (file) => disk().link(file, text(to)));
export const symlink = (_to: string, place: string) =>
  call<unknown>('symlink', place, (file) => {
    throw new DiskError('EPERM', file);
  });
export const rename = (from: string, to: string) =>
  call<unknown>('rename', from, (file) => disk().rename(file, text(to)));
export const unlink = (place: string) => call<unknown>('unlink', place, (file) => disk().unlink(file));
export const rmdir = (place: string) => call<unknown>('rmdir', place, (file) => disk().rmdir(file));

export const mkdir = (place: string, given?: { recursive?: boolean; mode?: number } | number) => {
  const { recursive = false, mode = 0o777 } = typeof given === 'number' ? { mode: given } : (given ?? {});
  return call<string | undefined>('mkdir', place, (file) => {
    if (!recursive) disk().mkdir(file, mode);
    else makeAll(file, mode);
    return undefined;
  });
};

const makeAll = (place: string, mode: number): void => {
  const found = disk().find(place);
  if (found?.names === null) throw new DiskError('EEXIST', place);
  if (found !== null) return;
  makeAll(path.dirname(place), mode);
  disk().mkdir(place, mode);
};

export const mkdtemp = (prefix: string) => {
  const place = `${prefix}${world().random.uuid().slice(0, 6)}`;
  return call<string>('mkdtemp', place, (file) => {
    disk().mkdir(file, 0o700);
    return file;
  });
};

const entryOf = (parent: string, [name, node]: [string, Inode]) => ({
  name,
  parentPath: parent,
  path: parent,
  ...statOf(node),
});

export const readdir = (place: string, options?: { withFileTypes?: boolean; recursive?: boolean } | null) =>
  call<unknown[]>(
    'readdir',
    place,
    (file) => {
      const { names } = disk().get(file);
      if (names === null) throw new DiskError('ENOTDIR', file);
      if (options?.recursive === true) return recursive(file, options.withFileTypes === true);
      return [...names].map((entry) => (options?.withFileTypes === true ? entryOf(file, entry) : entry[0]));
    },
    (file) => real.readdirSync(file, (options ?? {}) as { withFileTypes: false }),
  );

const recursive = (root: string, types: boolean): unknown[] => {
  const inside = (place: string): unknown[] =>
    [...(disk().get(place).names ?? [])].flatMap((entry) => {
      const here = path.join(place, entry[0]);
      return [types ? entryOf(place, entry) : path.relative(root, here), ...inside(here)];
    });
  return inside(root);
};

/** Each entry is a step of its own, as the system has it. */
export const rm = async (place: string, given: { recursive?: boolean; force?: boolean } = {}): Promise<void> => {
  const found = await call<Inode | null>('look', place, (file) => disk().find(file));
  if (found === null) {
    if (given.force === true) return;
    throw new DiskError('ENOENT', place);
  }
  if (found.names === null) return gone(unlink(place));
  if (given.recursive !== true) throw new DiskError('ERR_FS_EISDIR', place);
  for (const name of [...found.names.keys()]) await rm(path.join(place, name), { recursive: true, force: true });
  await gone(rmdir(place));
};

const gone = async (removing: Promise<unknown>): Promise<void> => {
  await removing.catch((error: unknown) => {
    if ((error as DiskError).code !== 'ENOENT') throw error;
  });
};

export const copyFile = (from: string, to: string, mode = 0) =>
  call<unknown>('copyFile', from, (file) => {
    const bytes = bytesOf(file);
    const target = text(to);
    if (disk().find(target) !== null && (mode & constants.COPYFILE_EXCL) !== 0) throw new DiskError('EEXIST', target);
    const { ino } = disk().find(target) ?? disk().create(target, disk().get(file).mode);
    disk().truncate(ino, 0);
    disk().write(ino, 0, bytes);
  });

/** Files one by one. */
export const cp = async (
  from: string,
  to: string,
  options: { recursive?: boolean; force?: boolean } = {},
): Promise<void> => {
  const found = await call<Inode | null>('look', from, (file) => disk().find(file));
  if (found === null) throw new DiskError('ENOENT', from);
  if (found.names === null) {
    await copyFile(from, to);
    return;
  }
  await mkdir(to, { recursive: true });
  for (const name of [...found.names.keys()]) await cp(path.join(from, name), path.join(to, name), options);
};

export const writeFile = async (
  place: string,
  data: string | Uint8Array,
  given?: string | { flag?: string; mode?: number },
) => {
  const { flag = 'w', mode = 0o666 } = typeof given === 'object' ? given : {};
  const handle = await open(place, flag, mode);
  try {
    await handle.writeFile(data);
  } finally {
    await handle.close();
  }
};

const flagsOf = (flags: string | number) => {
  if (typeof flags === 'number')
    return {
      create: (flags & constants.O_CREAT) !== 0,
      exclusive: (flags & constants.O_EXCL) !== 0,
      truncate: (flags & constants.O_TRUNC) !== 0,
      append: (flags & constants.O_APPEND) !== 0,
    };
  return {
    create: /[wa]/.test(flags),
    exclusive: flags.includes('x'),
    truncate: flags.includes('w'),
    append: flags.includes('a'),
  };
};

export const open = (place: string, flags: string | number = 'r', mode = 0o666): Promise<Handle> =>
  call<Handle>('open', place, (file) => {
    const how = flagsOf(flags);
    const found = disk().find(file);
    if (found === null && !how.create) throw new DiskError('ENOENT', file);
    if (found !== null && how.exclusive) throw new DiskError('EEXIST', file);
    const node = found ?? disk().create(file, mode);
    if (how.truncate && found?.bytes != null) disk().truncate(node.ino, 0);
    return new Handle(file, node.ino, how.append ? (node.bytes?.length ?? 0) : 0);
  });

const notHere = (what: string) => (): never => {
  throw new Error(`the simulation has no ${what}`);
};
export const chown = notHere('chown');
