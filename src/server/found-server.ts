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

/** Where a running server says how it can be reached; for the other commands. */
export const serverFile = (dataDir: string): string => path.join(dataDir, 'server.json');

const announcement = z.strictObject({
  /** Data directory, without links: a copy of it has the file, too. Absent in that of an earlier version. */
  data_dir: z.string().exactOptional(),
  /** Directory of projects, images and symbols. Absent in that of an earlier version: the data directory. */
  files_dir: z.string().exactOptional(),
  pid: z.number(),
  url: z.string(),
  /** Lets its bearer in. */
  token: z.string(),
});
type Announcement = z.infer<typeof announcement>;

/** Reads the file; null: there is none. Throws a conflict for one that is damaged. */
const announced = async (dataDir: string): Promise<Announcement | null> => {
  const file = serverFile(dataDir);
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null
    ? null
    : unsealed(text, announcement, file, 'the server writes it when it starts; remove it where none runs');
};

export const SERVER_FILE: FileSort = {
  ...{
    name: 'server.json',
    what: 'where the running server listens, and its token',
    at: ['server.json'],
    changed: 'named',
  },
  check: ({ dataDir }) => announced(dataDir),
};

/** For this user only. */
export const announce = async (dataDir: string, said: Announcement): Promise<void> => {
  const data_dir = await realpath(dataDir);
  await writeDurably(serverFile(dataDir), sealed({ data_dir, ...said }), 0o600);
};

export const withdraw = (dataDir: string): Promise<void> => removeDurably(serverFile(dataDir));

/** A running server. */
export interface FoundServer {
  url: string;
  /** Its directory of projects, images and symbols. */
  filesDir: string;
  /** Of every request: they prove that it comes from a tool of the server's user, and say who that is. */
  headers: Readonly<Record<string, string>>;
  client: Client;
}

/** As the shell says, else as the system knows the account: containers and services have no shell. */
const whoAsks = (): string | undefined =>
  [process.env['USER'], process.env['USERNAME'], accountName()].find((name) => name !== undefined && isUserName(name));

const accountName = (): string | undefined => {
  try {
    return userInfo().username;
  } catch {
    // A number without an account.
    return undefined;
  }
};

/** Milliseconds in which a running server answers, however busy its machine is. */
const ANSWER_MS = 10_000;

/** The server that holds a data directory, null when none says that it does. Throws a conflict when it is there and silent, or what it has said is damaged. */
export const findServer = async (dataDir: string, patience = ANSWER_MS): Promise<FoundServer | null> => {
  const said = await announced(dataDir);
  if (said === null) return null;
  const { url, token, data_dir, files_dir: filesDir = dataDir } = said;
  const signal = AbortSignal.timeout(patience);
  try {
    if (data_dir !== undefined && data_dir !== (await realpath(dataDir))) return null;
    const user = whoAsks();
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
