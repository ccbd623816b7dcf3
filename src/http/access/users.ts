import { readFileSync, statSync } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { Logger } from 'pino';
import { isOpenToOthers, makeDirectory, moveTo, ownerFor } from '../../common/durable.ts';
import { conflict, fileTroubleOf, invalid, notFound, reasonIn, TopologError } from '../../common/errors.ts';
import type { FileSort } from '../../common/file-sort.ts';
import { hashPassword, parseHash, type PasswordHash } from './passwords.ts';

/** Users of the server, as their file has them at the moment. */
export interface Users {
  /** Somebody is to be asked for a password. */
  areAsked(): boolean;
  find(name: string): PasswordHash | undefined;
  /** One of them, for the cost of its password. */
  any(): PasswordHash | undefined;
  /** Another number after every change. */
  generation(): number;
}

const NAME = /^[\w.@+-](?:[\w.@ +-]{0,62}[\w.@+-])?$/;
/** Principals of events that are no users. */
const RESERVED = new Set(['anonymous', 'system']);

export const isUserName = (name: string): boolean => NAME.test(name) && !RESERVED.has(name);

const RULE = 'has 1 to 64 letters, digits, blanks and . _ @ + -, no blank at its ends, and is not anonymous or system';

/** Throws `invalid_request`. */
export const checkUserName = (name: string): string => {
  if (!isUserName(name)) throw invalid(`a user name ${RULE}`, { field: 'name' });
  return name;
};

/** User that the header X-Topolog-User names; null: none. Throws `invalid_request`. */
export const namedUser = (header: string | string[] | undefined): string | null => {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !isUserName(header))
    throw invalid(`X-Topolog-User: a user name ${RULE}; leave the header out to be nobody in particular`, {
      header: 'X-Topolog-User',
    });
  return header;
};

/** Adds a checksum to a line: `$` and the CRC-32 of all before it. */
export const sealedLine = (line: string): string => `${line}$${crc32(line).toString(16).padStart(8, '0')}`;

/** Checks and removes the checksum; a line that was written by hand, or by an earlier version, has none. */
const unsealed = (line: string): string => {
  const parts = line.split('$');
  if (parts.length !== 7) return line;
  const body = parts.slice(0, -1).join('$');
  if (sealedLine(body) === line) return body;
  throw invalid('it does not fit its checksum: it is damaged, or was changed by hand; set the password again');
};

/** Lines `name:scrypt$N$r$p$salt$hash$checksum`; empty ones and those that begin with # are passed over. */
export const parseUsers = (text: string): Map<string, PasswordHash> => {
  const users = new Map<string, PasswordHash>();
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    try {
      const kept = unsealed(line);
      const colon = kept.indexOf(':');
      users.set(checkUserName(kept.slice(0, Math.max(colon, 0))), parseHash(kept.slice(colon + 1)));
    } catch (error) {
      // Without the line itself, which is a secret.
      throw invalid(`line ${index + 1} of the users is not valid: ${reasonIn(error)}`);
    }
  });
  return users;
};

/**
 * The users of a file, read again whenever it has changed. Once somebody was asked for a password, everybody is until the server
 * ends: a file that is gone, empty or broken lets nobody in. Throws `invalid_request` when it is broken from the beginning.
 */
export const openUsers = (file: string, logger: Logger): Users => {
  let seen = '';
  let asked = false;
  let generation = 0;
  let users = new Map<string, PasswordHash>();

  let problem = '';

  /** False: the file is as it was. */
  const look = (): boolean => {
    const found = statSync(file, { throwIfNoEntry: false });
    const stamp = found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
    if (stamp === seen) return false;
    seen = stamp;
    generation += 1;
    users = new Map();
    if (found === undefined) return true;
    // Until the file has been parsed.
    const before = asked;
    asked = true;
    users = parseUsers(readFileSync(file, 'utf8'));
    asked = before || users.size > 0;
    if (isOpenToOthers(found.mode)) logger.warn(`${file} can be read by others; chmod 600 ${file}`);
    return true;
  };
  /** Logs a problem once, and its end. */
  const tell = (now: string): void => {
    if (now !== '' && now !== problem) logger.error(`nobody is let in: ${file}${now}`);
    if (now === '' && problem !== '') logger.info(`the users of ${file} are let in again`);
    problem = now;
  };
  look();
  let isRecent = false;
  const forget = (): void => {
    isRecent = false;
  };
  /** Once for all requests that have come together: a look at the file costs as much as the rest of the admission. */
  const lookAgain = (): void => {
    if (isRecent) return;
    isRecent = true;
    setImmediate(forget);
    try {
      if (!look()) return;
      if (!asked || users.size > 0) tell('');
      else tell(seen === '' ? ' is gone' : ' has no users');
    } catch (error) {
      tell(`: ${reasonIn(error)}`);
    }
  };
  return {
    areAsked() {
      lookAgain();
      return asked;
    },
    find: (name) => users.get(name),
    any: () => users.values().next().value,
    generation: () => generation,
  };
};

const read = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};

/** Names in the order of the file. */
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
  name: 'users',
  what: 'who may use the server',
  at: ['users'],
  changed: 'named',
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
    // A file that cannot be parsed is left as it is.
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
