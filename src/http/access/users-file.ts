import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FileSort } from '../../common/file-sort.ts';
import { makeDirectory, moveTo, ownerFor } from '../../common/durable.ts';
import { conflict, fileTroubleOf, notFound, TopologError } from '../../common/errors.ts';
import { hashPassword } from './passwords.ts';
import { checkUserName, parseUsers, sealedLine } from './users.ts';

const read = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};

/** Names, as the file has them. */
export const listUsers = async (file: string): Promise<string[]> => [...parseUsers(await read(file)).keys()];

/** Adds a user or changes the password of one. */
export const addUser = async (file: string, name: string, password: string): Promise<'added' | 'changed'> => {
  const line = sealedLine(`${checkUserName(name)}:${await hashPassword(password)}`);
  return change(file, (lines) => {
    const at = lines.findIndex((known) => known.startsWith(`${name}:`));
    if (at >= 0) lines[at] = line;
    else lines.push(line);
    return at >= 0 ? 'changed' : 'added';
  });
};

/** Throws `not_found`. */
export const removeUser = (file: string, name: string): Promise<void> =>
  change(file, (lines) => {
    const at = lines.findIndex((known) => known.startsWith(`${name}:`));
    if (at < 0) throw notFound('User', name);
    lines.splice(at, 1);
  });

export const USERS_FILE: FileSort = {
  ...{ name: 'users', what: 'who may use the server', at: ['users'], changed: 'named' },
  check: async ({ dataDir }) => parseUsers(await read(path.join(dataDir, 'users'))),
};

const opened = async (file: string): Promise<FileHandle> => {
  await makeDirectory(path.dirname(file));
  return open(file, 'wx', 0o600);
};

const notWritten = (file: string, error: unknown): TopologError =>
  conflict(`${file} cannot be written: ${fileTroubleOf(error)}; no user was changed`);

/** Replaces the file whole, so that a server never reads half of it; owner and mode stay. The new one is the lock of who changes it. */
const change = async <T>(file: string, edit: (lines: string[]) => T): Promise<T> => {
  const next = `${file}.new`;
  const handle = await opened(next).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notWritten(file, error);
    throw conflict(`${next} is there: somebody else changes the users; when nobody does, remove it`);
  });
  try {
    const text = await read(file);
    // Nothing is made of a file that is not understood.
    parseUsers(text);
    const lines = text.split(/\r?\n/).filter((line, at, all) => line !== '' || at < all.length - 1);
    const result = edit(lines);
    const { mode, owner } = await ownerFor(file, path.dirname(file));
    if (owner !== null) await handle.chown(owner.uid, owner.gid);
    if (mode !== null) await handle.chmod(mode);
    await handle.writeFile(lines.map((line) => `${line}\n`).join(''));
    await handle.sync();
    await moveTo(next, file);
    return result;
  } catch (error) {
    await rm(next, { force: true });
    throw error instanceof TopologError ? error : notWritten(file, error);
  } finally {
    await handle.close();
  }
};
