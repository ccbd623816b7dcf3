import { readFile, realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { type Client, connect } from '../client/index.ts';
import { conflict } from '../common/errors.ts';
import { removeDurably, writeDurably } from '../common/durable.ts';
import { isUserName } from '../http/access/users.ts';

/** Where a running server says how it can be reached; for the other commands. */
export const serverFile = (dataDir: string): string => path.join(dataDir, 'server.json');

/** What it says. `token` lets its bearer in. */
interface Announcement {
  /** Data directory, without links: a copy of it has the file, too. Absent in that of an earlier version. */
  data_dir?: string;
  /** Directory of projects, images and symbols. Absent in that of an earlier version: the data directory. */
  files_dir?: string;
  pid: number;
  url: string;
  token: string;
}

/** For this user only. */
export const announce = async (dataDir: string, said: Announcement): Promise<void> => {
  const data_dir = await realpath(dataDir);
  await writeDurably(serverFile(dataDir), JSON.stringify({ data_dir, ...said }), 0o600);
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

/** The server that holds a data directory, null when none says that it does. Throws a conflict when it is there and silent. */
export const findServer = async (dataDir: string, patience = ANSWER_MS): Promise<FoundServer | null> => {
  const signal = AbortSignal.timeout(patience);
  let place = '';
  try {
    const {
      url,
      token,
      data_dir,
      files_dir: filesDir = dataDir,
    } = JSON.parse(await readFile(serverFile(dataDir), 'utf8')) as Announcement;
    if (data_dir !== undefined && data_dir !== (await realpath(dataDir))) return null;
    place = url;
    const user = whoAsks();
    const who = user === undefined ? {} : { 'x-topolog-user': user };
    const headers = { authorization: `Bearer ${token}`, ...who };
    const client = connect({ url, headers });
    await client.get('/v2/version', { signal });
    return { url, filesDir, headers, client };
  } catch {
    if (signal.aborted) throw conflict(`the server at ${place} does not answer`);
    return null;
  }
};
