import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chmod, chown, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { makeTemp } from './temp.ts';

const run = promisify(execFile);

const PLACE = '/usr/lib/postgresql';

/** Where Debian's package of PostgreSQL has its programs; null: it is not installed. */
const binaries = (): string | null => {
  const versions = existsSync(PLACE) ? readdirSync(PLACE).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => path.join(PLACE, version, 'bin')).find((bin) => existsSync(`${bin}/initdb`)) ?? null;
};

/** Why tests with a database are skipped; false: they are not. */
export const noPostgres = (): string | false =>
  binaries() === null ? 'PostgreSQL is not installed (apt-get install postgresql)' : false;

/** PostgreSQL refuses to run as root; the package has made a user of its own. */
const user = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
};

/** A database server of a test, in a directory of its own. */
export interface Postgres {
  readonly port: number;
  /** Of a database that is there. */
  url(database?: string): string;
  /** Makes a database, and answers its URL. */
  create(database: string): Promise<string>;
  /** As superuser. */
  sql(text: string, values?: unknown[], database?: string): Promise<unknown[][]>;
  /** Asks again and again until there is a row. */
  until(text: string, values?: unknown[], database?: string): Promise<void>;
  /** Does something while a transaction that has run this statement is open. */
  locked<T>(database: string, text: string, use: () => Promise<T>): Promise<T>;
  /** Changes settings of a running server that need no start. */
  set(settings: Record<string, string>): Promise<void>;
  /** A copy that follows this one, and that this one waits for when it commits. It goes with `stop` of its own. */
  standby(): Promise<Postgres>;
  /** Makes a standby the one that is written. */
  promote(): Promise<void>;
  /** Sends a signal to the server: SIGINT ends it in order, SIGQUIT at once; then it can be started again. */
  end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its directory. */
  stop(): Promise<void>;
}

const READY = /database system is ready to accept (?:read-only )?connections/;

class Server implements Postgres {
  readonly #directory: string;
  readonly port: number;
  #process: ChildProcess | null = null;

  constructor(directory: string, port: number) {
    this.#directory = directory;
    this.port = port;
  }

  get #data(): string {
    return path.join(this.#directory, 'data');
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async create(database: string): Promise<string> {
    await this.sql(`CREATE DATABASE "${database}"`);
    return this.url(database);
  }

  sql(text: string, values: unknown[] = [], database?: string): Promise<unknown[][]> {
    return bare(this.url(database), (client) => rowsOf(client, text, values));
  }

  until(text: string, values: unknown[] = [], database?: string): Promise<void> {
    return bare(this.url(database), async (client) => {
      while ((await rowsOf(client, text, values)).length === 0) await client.query('SELECT pg_sleep(0.02)');
    });
  }

  locked<T>(database: string, text: string, use: () => Promise<T>): Promise<T> {
    return bare(this.url(database), async (client) => {
      await client.query('BEGIN');
      await client.query(text);
      return use();
    });
  }

  async set(settings: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) await this.sql(`ALTER SYSTEM SET ${name} = '${value}'`);
    const heard = this.#hears(/received SIGHUP, reloading configuration files/);
    await this.sql('SELECT pg_reload_conf()');
    await heard;
    // Each process of the server reads them by itself.
    for (const [name, value] of Object.entries(settings))
      await this.until('SELECT WHERE current_setting($1) = $2', [name, value]);
  }

  async standby(): Promise<Postgres> {
    const directory = await directoryOf();
    const port = await freePort();
    const other = new Server(directory, port);
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres'];
    await program('pg_basebackup', [...from, '-D', other.#data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
    await other.start();
    await this.until(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`);
    await this.set({ synchronous_standby_names: 'ANY 1 (*)' });
    await this.until(`SELECT FROM pg_stat_replication WHERE sync_state = 'quorum'`);
    return other;
  }

  async promote(): Promise<void> {
    await this.sql('SELECT pg_promote()');
    // It waits for nobody: the standby of before is the only one.
    await this.set({ synchronous_standby_names: '' });
  }

  async start(): Promise<void> {
    const options = [`-p${this.port}`, '-k', this.#directory, '-D', this.#data];
    const bin = path.join(binaries() ?? '', 'postgres');
    this.#process = spawn(bin, options, { ...user(), cwd: this.#directory, stdio: ['ignore', 'ignore', 'pipe'] });
    await this.#hears(READY);
  }

  async end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const ending = this.#process;
    this.#process = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.end('SIGQUIT');
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Resolves when the server says so in its log; rejects with what it has said when it ends before. */
  async #hears(words: RegExp): Promise<void> {
    const { stderr } = this.#process ?? {};
    if (stderr == null) throw new Error('the database server does not run');
    const said: string[] = [];
    const lines = createInterface({ input: stderr });
    for await (const line of lines) {
      said.push(line);
      if (!words.test(line)) continue;
      lines.close();
      // Nobody reads what comes now; it must not wait for that.
      stderr.resume();
      return;
    }
    throw new Error(`the database server has ended: ${said.join('\n')}`);
  }
}

const rowsOf = async (client: Client, text: string, values: unknown[]): Promise<unknown[][]> =>
  (await client.query<unknown[]>({ text, values, rowMode: 'array' })).rows;

/** Past everything of ours. */
export const bare = async <T>(url: string, use: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};

const program = (name: string, args: string[]): Promise<unknown> =>
  run(path.join(binaries() ?? '', name), args, { ...user(), cwd: '/' });

const directoryOf = async (): Promise<string> => {
  const directory = await makeTemp('topolog-postgres');
  const { uid, gid } = user();
  await chmod(directory, 0o700);
  if (uid !== undefined && gid !== undefined) await chown(directory, uid, gid);
  return directory;
};

const SETTINGS = `
listen_addresses = '127.0.0.1'
lc_messages = 'C'
max_wal_senders = 4
`;

/** Starts a database server that trusts everyone who connects from this machine, and puts on disk what it commits. */
export const startPostgres = async (settings: Record<string, string> = {}): Promise<Postgres> => {
  const directory = await directoryOf();
  const data = path.join(directory, 'data');
  await program('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const more = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(path.join(data, 'postgresql.conf'), `${SETTINGS}${more.join('')}`);
  const server = new Server(directory, await freePort());
  await server.start();
  return server;
};
