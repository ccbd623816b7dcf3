import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Client, type ClientConfig, DatabaseError } from 'pg';
import { messageOf } from '../../../common/errors.ts';

/** `name`: it is prepared once on each session; the same name is always the same text. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

export interface Answer {
  rows: unknown[][];
  /** Rows that it has changed or found. */
  count: number;
  /** What it committed is on this disk alone, as somebody ended the wait for the others. */
  isAlone: boolean;
}

/** Idle seconds after which a silent peer is asked whether it lives. */
const KEEP_ALIVE_MS = 5_000;

/**
 * What every session is set to, where the server knows it: no limits of the operator's on what must not be cut off, and plans
 * that go by the primary keys, as every statement of ours does, also when the server has not counted the rows of a table yet.
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

/** Longest that the server may take to hear that a connection ends. Milliseconds. */
const CLOSE_MS = 1_000;

/** One connection to the database; a statement waits for the one before it. */
export class Session {
  readonly #client: Client;
  #last: Promise<unknown> = Promise.resolve();
  #alive = true;
  #isAlone = false;

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', () => (this.#alive = false));
    client.on('end', () => (this.#alive = false));
    // The server's words may be translated; the name of its function is not.
    client.on('notice', ({ routine, code, message }) => {
      if (routine === 'SyncRepWaitForLSN' || code === '57P01' || /synchronous replication/.test(message ?? ''))
        this.#isAlone = true;
    });
  }

  /** Throws when it cannot be written there: a server in recovery, or one that is too old. `ms`: for so long at most. */
  static async open(config: ClientConfig, ms: number): Promise<Session> {
    const client = new Client({
      ...config,
      connectionTimeoutMillis: ms,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    // Else the package warns that it does not look there any more one day.
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
      // The package says of which step of the exchange it has none.
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

  /** `ms`: for so long at most; then the connection is given up. */
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

  /** Ends it once what runs on it is done. */
  async close(): Promise<void> {
    await this.#last;
    this.#alive = false;
    const timer = setTimeout(() => this.destroy(), CLOSE_MS);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  /** Ends it at once: what runs on it rejects, and whether that was done is not known. */
  destroy(): void {
    this.#alive = false;
    this.#client.end().catch(() => undefined);
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/** It answers, and the log cannot be there. */
export class UnfitDatabase extends Error {}

/** Whether the database itself has said it, other than that it begins or ends. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof UnfitDatabase || (error instanceof DatabaseError && !/^(?:08|57P)/.test(error.code ?? '08'));

/** Whether an error is one of the connection, or of the end of the session: then the outcome of a statement is not known. */
export const isLost = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || /^(?:08|57P)/.test(error.code ?? '08') || error.severity === 'FATAL';

interface Target {
  host: string;
  port: number;
  user?: string | undefined;
  database?: string | undefined;
}

/**
 * The password that the file of PostgreSQL's programs has for this place (`PGPASSFILE`, or `.pgpass`): lines of
 * `host:port:database:user:password`, where `*` is any. Undefined: none, or others than its owner may read the file.
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

/** Fields between colons; a backslash stands before one that belongs to a field. */
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
