import { readFile, realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { FileSort } from '../common/file-sort.ts';
import { type Client, connect } from '../client/index.ts';
import { sealed, unsealed } from '../common/sealed.ts';
import { conflict } from '../common/errors.ts';
import { removeDurably, writeDurably } from '../common/durable.ts';
import { isUserName } from '../http/access/users.ts';

/** File by which a running server tells the other commands how to reach it. */
export const serverFile = (dataDir: string): string => path.join(dataDir, 'server.json');

const announcement = z.strictObject({
  /** Real path of the data directory, as a copy of it has the file, too. Absent in files of earlier versions. */
  data_dir: z.string().exactOptional(),
  /** Directory of projects, images and symbols. Absent in files of earlier versions: the data directory. */
  files_dir: z.string().exactOptional(),
  pid: z.number(),
  url: z.string(),
  /** Lets its bearer in. */
  token: z.string(),
});
type Announcement = z.infer<typeof announcement>;

/** Reads the file; null: there is none. Throws a conflict for a damaged one. */
const announced = async (dataDir: string): Promise<Announcement | null> => {
  const file = serverFile(dataDir);
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null
    ? null
    : unsealed(text, announcement, file, 'the server writes it when it starts; remove it where none runs');
};

export const SERVER_FILE: FileSort = {
  name: 'server.json',
  what: 'where the running server listens, and its token',
  at: ['server.json'],
  changed: 'named',
  check: ({ dataDir }) => announced(dataDir),
};

/** Writes the file, readable for this user only. */
export const announce = async (dataDir: string, announcement: Announcement): Promise<void> => {
  const data_dir = await realpath(dataDir);
  await writeDurably(serverFile(dataDir), sealed({ data_dir, ...announcement }), 0o600);
};

export const withdraw = (dataDir: string): Promise<void> => removeDurably(serverFile(dataDir));

export interface FoundServer {
  url: string;
  /** Its directory of projects, images and symbols. */
  filesDir: string;
  /** Headers of every request: they prove that it comes from a tool of the server's user, and name that user. */
  headers: Readonly<Record<string, string>>;
  client: Client;
}

/** Name of the user by the shell's environment, else by the account, as containers and services have no shell. */
const callerName = (): string | undefined =>
  [process.env['USER'], process.env['USERNAME'], accountName()].find((name) => name !== undefined && isUserName(name));

const accountName = (): string | undefined => {
  try {
    return userInfo().username;
  } catch {
    // A number without an account.
    return undefined;
  }
};

/** Milliseconds in which a running server answers even on a busy machine. */
const ANSWER_MS = 10_000;

/** The running server of a data directory; null: there is none. Throws a conflict for one that does not answer, and for a damaged file. */
export const findServer = async (dataDir: string, patience = ANSWER_MS): Promise<FoundServer | null> => {
  const said = await announced(dataDir);
  if (said === null) return null;
  const { url, token, data_dir, files_dir: filesDir = dataDir } = said;
  const signal = AbortSignal.timeout(patience);
  try {
    if (data_dir !== undefined && data_dir !== (await realpath(dataDir))) return null;
    const user = callerName();
    const who = user === undefined ? {} : { 'x-topolog-user': user };
    const headers = { authorization: `Bearer ${token}`, ...who };
    const client = connect({ url, headers });
    await client.get('/v2/version', { signal });
    return { url, filesDir, headers, client };
  } catch {
    if (signal.aborted) throw conflict(`the server at ${url} does not answer`);
    return null;
  }
};
