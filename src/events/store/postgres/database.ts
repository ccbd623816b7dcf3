import { setTimeout as pause } from 'node:timers/promises';
import { invalid, messageOf, TopologError } from '../../../common/errors.ts';
import { type Answer, isAnswer, isLost, Session, type Statement } from './session.ts';

/** Timeout of connecting to one host. Milliseconds. */
const CONNECT_MS = 3_000;
/** Delay after which the next host is tried in parallel. Milliseconds. */
const NEXT_MS = 200;
/** Timeout of a read; its connection is considered dead then. Milliseconds. */
const READ_MS = 15_000;

/** Connects to the host that accepts writes, which may be another one after a failover. */
export class Database {
  readonly #urls: string[];
  readonly place: string;
  readonly #application: string;

  constructor({ place, urls }: Address, application: string) {
    this.place = place;
    this.#urls = [...urls];
    this.#application = application;
  }

  /** Throws `log_unreachable`. */
  async connect(ms = CONNECT_MS): Promise<Session> {
    const tries: Promise<Session>[] = [];
    const found = { isEnded: false };
    for (const url of this.#urls) tries.push(this.#try(url, { ms, before: tries.at(-1), found }));
    try {
      return await Promise.any(tries);
    } catch (error) {
      const { errors } = error as AggregateError;
      throw unusable([...new Set(errors.map(reasonOf))].join('; '), errors.every(isAnswer), error);
    } finally {
      found.isEnded = true;
    }
  }

  async #try(
    url: string,
    { ms, before, found }: { ms: number; before: Promise<Session> | undefined; found: { isEnded: boolean } },
  ): Promise<Session> {
    if (before !== undefined)
      await Promise.race([before.catch(() => undefined), pause(NEXT_MS, undefined, { ref: false })]);
    if (found.isEnded) throw new Error('another host has answered');
    const session = await Session.open({ connectionString: url, application_name: this.#application }, ms);
    if (found.isEnded) {
      session.destroy();
      throw new Error('another host was faster');
    }
    found.isEnded = true;
    // The next connection tries this host first.
    this.#urls.splice(0, this.#urls.length, url, ...this.#urls.filter((other) => other !== url));
    return session;
  }
}

/** Errors of several addresses of one name have no message of their own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error);

/** A session that is opened on demand, and again after it was lost. */
export class Connection {
  readonly #database: Database;
  /** Sets up a new session. */
  readonly #begin: (session: Session) => Promise<unknown>;
  #session: Promise<Session> | null = null;
  #open: Session | null = null;
  #closed = false;

  constructor(database: Database, begin: (session: Session) => Promise<unknown> = () => Promise.resolve()) {
    this.#database = database;
    this.#begin = begin;
  }

  get alive(): boolean {
    return this.#open?.alive === true;
  }

  /** `ms`: timeout of connecting, and of the statement. */
  async run(statement: Statement, ms?: number): Promise<Answer> {
    const session = await this.session(ms);
    return session.run(statement, ms);
  }

  async session(ms?: number): Promise<Session> {
    if (this.#closed) throw new TopologError('shutting_down');
    if (this.#open !== null && !this.#open.alive) this.drop();
    this.#session ??= this.#connect(ms);
    return this.#session;
  }

  async #connect(ms?: number): Promise<Session> {
    try {
      const session = await this.#database.connect(ms);
      if (this.#closed) session.destroy();
      this.#open = session;
      await this.#begin(session);
      return session;
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  /** Closes the session at once; the next statement opens another one. */
  drop(): void {
    this.#open?.destroy();
    this.#open = null;
    this.#session = null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#open?.close();
  }

  /** Closes it at once. */
  destroy(): void {
    this.#closed = true;
    this.drop();
  }
}

/** Connections shared by reads. */
export class ReadPool {
  readonly #idle: Connection[];
  readonly #all: Connection[];
  readonly #waiting: ((line: Connection) => void)[] = [];

  constructor(database: Database, size: number) {
    this.#all = Array.from({ length: size }, () => new Connection(database));
    this.#idle = [...this.#all];
  }

  /** Retries once when the connection is lost. Throws `log_unreachable`. */
  async run(statement: Statement): Promise<unknown[][]> {
    const line = await this.#take();
    try {
      return await retried(line, statement);
    } finally {
      this.#give(line);
    }
  }

  #take(): Promise<Connection> | Connection {
    // Prefers a connected one.
    const at = Math.max(
      0,
      this.#idle.findIndex((line) => line.alive),
    );
    const [line] = this.#idle.splice(at, 1);
    return line ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(line: Connection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(line);
    else next(line);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((line) => line.close()));
  }
}

const retried = async (line: Connection, statement: Statement): Promise<unknown[][]> => {
  try {
    return (await line.run(statement, READ_MS)).rows;
  } catch (error) {
    if (error instanceof TopologError || !isLost(error)) throw error;
    line.drop();
  }
  try {
    return (await line.run(statement, READ_MS)).rows;
  } catch (error) {
    throw asUnreachable(error);
  }
};

export const asUnreachable = (error: unknown): unknown =>
  error instanceof TopologError || !isLost(error) ? error : unreachable(error);

export const unreachable = (error: unknown): TopologError => unusable(reasonOf(error), isAnswer(error), error);

/** `isReached`: the database answered with a refusal. */
const unusable = (reason: string, isReached: boolean, cause: unknown): TopologError => {
  const error = new TopologError('log_unreachable', { reason }, { cause });
  if (isReached) error.message = `The database of the log cannot be used: ${reason}`;
  return error;
};

/** Address of a database. */
interface Address {
  /** For people, without a password. */
  place: string;
  /** A URL for each host, in the order in which they are tried. */
  urls: string[];
}

/** Name or address of a host, and its port; empty: by the environment variables of libpq. */
const HOST = /^(?:\[[\da-fA-F:.]+\]|[^\s:[\]]+|%2[fF][^\s:]*)?(?::\d{1,5})?$/;

/**
 * Parses `postgres://user:password@host:port,host:port/database?parameters`. Its errors do not quote the text, which
 * may hold a password.
 */
export const addressOf = (text: string): Address => {
  const [, scheme = '', authority = '', database = '', parameters = ''] =
    /^(postgres(?:ql)?):\/\/([^/?#]*)(\/[^?#]*)?(\?.*)?$/.exec(text) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',');
  // An unescaped delimiter in a password makes an invalid host.
  if (scheme === '' || database.includes('@') || hosts.some((host) => !HOST.test(host))) throw noAddress();
  // pg treats these as verify-full, and warns each time.
  const given = parameters.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
  const urls = hosts.map((host) => `${scheme}://${authority.slice(0, at)}${host}${database}${given}`);
  const user = authority.slice(0, at).replace(/^([^:]*):.*@$/, '$1@');
  return { place: `${scheme}://${user}${hosts.join(',')}${database}`, urls };
};

const noAddress = (): Error =>
  invalid(
    'the log must be at an address like postgres://user@host:5432,host:5432/database, with / ? # @ of a password as %2F %3F %23 %40',
    { field: 'log' },
  );
