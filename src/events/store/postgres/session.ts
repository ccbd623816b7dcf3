import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Client, type ClientConfig, DatabaseError } from 'pg';
import { messageOf } from '../../../common/errors.ts';

/** `name`: the statement is prepared once per session; the same name always has the same text. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

export interface Answer {
  rows: unknown[][];
  /** Rows changed or found. */
  count: number;
  /** The commit is on this disk only, as somebody cancelled waiting for the standbys. */
  isAlone: boolean;
}

/** Idle time after which TCP keep-alive probes a silent peer. Milliseconds. */
const KEEP_ALIVE_MS = 5_000;

/**
 * Settings of every session, where the server knows them: no timeouts of the operator on what must not be cut off,
 * and plans that use the primary keys, as every statement here does, even when the server has no statistics of a
 * table yet.
 */
const SETTINGS = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  default_transaction_isolation: 'read committed',
  client_min_messages: 'warning',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  jit: 'off',
};

const SET_UP = `
  SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
    current_setting('server_version_num')::integer, current_setting('server_encoding'),
    (SELECT count(set_config(name, value, false)) FROM pg_settings JOIN json_each_text($1) AS s (name, value) USING (name))`;

const OLDEST = 150_000;

/** Timeout of closing a connection. Milliseconds. */
const CLOSE_MS = 1_000;

/** One connection to the database; statements run one after another. */
export class Session {
  readonly #client: Client;
  #last: Promise<unknown> = Promise.resolve();
  #alive = true;
  #isAlone = false;

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', () => (this.#alive = false));
    client.on('end', () => (this.#alive = false));
    // The server's messages may be translated; the name of its function is not.
    client.on('notice', ({ routine, code, message }) => {
      if (routine === 'SyncRepWaitForLSN' || code === '57P01' || /synchronous replication/.test(message ?? ''))
        this.#isAlone = true;
    });
  }

  /** Throws for a server that accepts no writes or is too old. `ms`: timeout. */
  static async open(config: ClientConfig, ms: number): Promise<Session> {
    const client = new Client({
      ...config,
      connectionTimeoutMillis: ms,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    // Looked up here: pg warns that it will stop reading the password file itself.
    const password = client.password ?? (await passwordOf(client));
    if (password !== undefined) client.password = password;
    const session = new Session(client);
    try {
      await client.connect();
      const { rows } = await session.run({ text: SET_UP, values: [JSON.stringify(SETTINGS)] }, ms);
      const [isReadOnly, version, encoding] = rows[0] as [boolean, number, string];
      if (version < OLDEST) throw new UnfitDatabase('it is older than PostgreSQL 15');
      if (encoding !== 'UTF8') throw new UnfitDatabase(`its encoding is ${encoding}, not UTF8`);
      if (isReadOnly) throw new UnfitDatabase('it is a standby, or takes no writes');
      return session;
    } catch (error) {
      session.destroy();
      // pg reports a missing password by the step of the exchange in which it is needed.
      if (password === undefined && /password must be a string/i.test(messageOf(error)))
        throw new UnfitDatabase('no password: give it by PGPASSWORD, PGPASSFILE or ~/.pgpass');
      throw error;
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  onNotification(listener: (payload: string) => void): void {
    this.#client.on('notification', ({ payload = '' }) => listener(payload));
  }

  /** `ms`: timeout; then the connection is destroyed. */
  run(statement: Statement, ms?: number): Promise<Answer> {
    const answer = this.#last.then(() => this.#run(statement, ms));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #run(statement: Statement, ms?: number): Promise<Answer> {
    this.#isAlone = false;
    const timer = ms === undefined ? null : setTimeout(() => this.destroy(), ms);
    try {
      const { rows, rowCount } = await this.#client.query<unknown[]>({ ...statement, rowMode: 'array' });
      return { rows, count: rowCount ?? 0, isAlone: this.#isAlone };
    } catch (error) {
      if (isLost(error)) this.destroy();
      throw error;
    } finally {
      if (timer !== null) clearTimeout(timer);
    }
  }

  /** Closes it once running statements are done. */
  async close(): Promise<void> {
    await this.#last;
    this.#alive = false;
    const timer = setTimeout(() => this.destroy(), CLOSE_MS);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  /** Closes it at once: running statements reject, and their outcome is unknown. */
  destroy(): void {
    this.#alive = false;
    this.#client.end().catch(() => undefined);
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/** A database that answers, but cannot hold the log. */
export class UnfitDatabase extends Error {}

/** Whether the error was sent by the database itself, and not about its start or end. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof UnfitDatabase || (error instanceof DatabaseError && !/^(?:08|57P)/.test(error.code ?? '08'));

/** Whether the connection or session was lost: the outcome of the statement is unknown then. */
export const isLost = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || /^(?:08|57P)/.test(error.code ?? '08') || error.severity === 'FATAL';

interface Target {
  host: string;
  port: number;
  user?: string | undefined;
  database?: string | undefined;
}

/**
 * Password for this address from PostgreSQL's password file (`PGPASSFILE`, or `.pgpass`): lines of
 * `host:port:database:user:password`, where `*` matches any value. Undefined: none, or the file is readable by others
 * than its owner.
 */
export const passwordOf = async ({ host, port, user = '', database = '' }: Target): Promise<string | undefined> => {
  const file = process.env['PGPASSFILE'] ?? path.join(homedir(), '.pgpass');
  const place = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of (await privateText(file)).split('\n')) {
    const [password, ...wanted] = fieldsOf(line).reverse();
    if (wanted.length !== place.length) continue;
    if (wanted.reverse().every((field, i) => field === '*' || field === place[i])) return password;
  }
  return undefined;
};

/** Fields separated by colons; a backslash escapes a character. */
const fieldsOf = (line: string): string[] => {
  if (line.startsWith('#')) return [];
  return [...line.matchAll(/(?:^|:)((?:[^:\\]|\\.)*)/g)]
    .map(([, field = '']) => field.replace(/\\(.)/g, '$1'))
    .slice(0, 5);
};

const privateText = async (file: string): Promise<string> => {
  try {
    const { mode } = await stat(file);
    return (mode & 0o077) === 0 ? await readFile(file, 'utf8') : '';
  } catch {
    return '';
  }
};
