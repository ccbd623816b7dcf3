import { setTimeout as pause } from 'node:timers/promises';
import { invalid, messageOf, TopologError } from '../../../common/errors.ts';
import { type Answer, isAnswer, isLost, Session, type Statement } from './session.ts';

/** Longest that one host may take to answer. Milliseconds. */
const CONNECT_MS = 3_000;
/** A host that has not answered for so long is not waited for before the next one is tried. Milliseconds. */
const NEXT_MS = 200;
/** Longest that a read may take: then its connection is taken for dead. Milliseconds. */
const READ_MS = 15_000;

/** Makes connections to the host that can be written: after a failover that is another one. */
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
    // The next connection is tried there first.
    this.#urls.splice(0, this.#urls.length, url, ...this.#urls.filter((other) => other !== url));
    return session;
  }
}

/** Errors of several addresses of one name have no message of their own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error);

/** A session that is made when it is needed, and again when it was lost. */
export class Connection {
  readonly #database: Database;
  /** What a new session begins with. */
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

  /** `ms`: longest that connecting may take, and longest that the statement may. */
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

  /** Ends the session at once; the next statement makes another one. */
  drop(): void {
    this.#open?.destroy();
    this.#open = null;
    this.#session = null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#open?.close();
  }

  /** The same at once. */
  destroy(): void {
    this.#closed = true;
    this.drop();
  }
}

/** Connections that reads share. */
export class ReadPool {
  readonly #idle: Connection[];
  readonly #all: Connection[];
  readonly #waiting: ((line: Connection) => void)[] = [];

  constructor(database: Database, size: number) {
    this.#all = Array.from({ length: size }, () => new Connection(database));
    this.#idle = [...this.#all];
  }

  /** Asks once more when the connection is lost meanwhile. Throws `log_unreachable`. */
  async run(statement: Statement): Promise<unknown[][]> {
    const line = await this.#take();
    try {
      return await retried(line, statement);
    } finally {
      this.#give(line);
    }
  }

  #take(): Promise<Connection> | Connection {
    // One that is connected, if there is one.
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

/** `isReached`: it answers, and says why not. */
const unusable = (reason: string, isReached: boolean, cause: unknown): TopologError => {
  const error = new TopologError('log_unreachable', { reason }, { cause });
  if (isReached) error.message = `The database of the log cannot be used: ${reason}`;
  return error;
};

/** Where a database is. */
interface Address {
  /** In words, without a password. */
  place: string;
  /** A URL for each of its hosts, in the order in which they are tried. */
  urls: string[];
}

/** Name or address of a host and its port; none: what the environment of PostgreSQL's programs says. */
const HOST = /^(?:\[[\da-fA-F:.]+\]|[^\s:[\]]+|%2[fF][^\s:]*)?(?::\d{1,5})?$/;

/** `postgres://user:password@host:port,host:port/database?parameters`; no error of it has the text, which may hold a password. */
export const addressOf = (text: string): Address => {
  const [, scheme = '', authority = '', database = '', parameters = ''] =
    /^(postgres(?:ql)?):\/\/([^/?#]*)(\/[^?#]*)?(\?.*)?$/.exec(text) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',');
  // A password with one of these makes a host of the wrong part.
  if (scheme === '' || database.includes('@') || hosts.some((host) => !HOST.test(host))) throw noAddress();
  // The package takes these for the strictest, and warns of it each time.
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
