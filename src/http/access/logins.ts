import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TopologError } from '../../common/errors.ts';
import { addressKey } from './client-address.ts';
import { isPassword, nobodysHash } from './passwords.ts';
import type { Users } from './users.ts';

interface AttemptLimits {
  /** Wrong passwords of an address, or of a user at a client of a proxy, within `attemptMs` of the first. */
  attempts: number;
  attemptMs: number;
}

/** Addresses remembered; beyond it the oldest are forgotten, as their time is up first. */
const MOST_ADDRESSES = 10_000;

/** Identity that attempts count for: the user that a client of a proxy names, or an address. Without a proxy, all names of an address count together. */
const keyOf = (address: string | undefined, user: string | null): string =>
  user === null ? addressKey(address) : `${addressKey(address)} ${user.slice(0, LONGEST_USER)}`;

/** Longest user name, by `isUserName`. */
const LONGEST_USER = 64;

/** Counts wrong passwords by address. */
export class Attempts {
  readonly #limits: AttemptLimits;
  readonly #now: () => number;
  readonly #counts = new Map<string, { count: number; until: number }>();

  constructor(limits: AttemptLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts an attempt before its password is checked, so that parallel ones count as well; `forgive` takes it back. Throws `too_many_requests`. */
  begin(address: string | undefined, user: string | null = null): void {
    const key = keyOf(address, user);
    const { attempts, attemptMs } = this.#limits;
    const now = this.#now();
    let entry = this.#counts.get(key);
    if (entry === undefined || entry.until <= now) {
      this.#counts.delete(key);
      entry = { count: 0, until: now + attemptMs };
      this.#counts.set(key, entry);
      this.#forgetOldest();
    }
    if (entry.count >= attempts) throw tooManyPasswords(entry.until - now);
    entry.count += 1;
  }

  forgive(address: string | undefined, user: string | null = null): void {
    const entry = this.#counts.get(keyOf(address, user));
    if (entry !== undefined && entry.count > 0) entry.count -= 1;
  }

  /** Throws `too_many_requests` for one who has used up the attempts. */
  check(address: string | undefined, user: string | null = null): void {
    if (this.#counts.size === 0) return;
    const entry = this.#counts.get(keyOf(address, user));
    const left = (entry?.until ?? 0) - this.#now();
    if (entry !== undefined && left > 0 && entry.count >= this.#limits.attempts) throw tooManyPasswords(left);
  }

  #forgetOldest(): void {
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST_ADDRESSES && oldest !== undefined) this.#counts.delete(oldest);
  }
}

const tooManyPasswords = (leftMs: number): TopologError => {
  const retry_after = Math.ceil(leftMs / 1000);
  return new TopologError('too_many_requests', { reason: 'Too many wrong passwords', retry_after });
};

export interface LoginLimits extends AttemptLimits {
  /** How long a password that was right is not computed again. */
  loginMs: number;
}

/** Passwords that are computed at once, of the four threads that the file system needs as well; and how many may wait. */
const AT_ONCE = 2;
const MOST_WAITING = 64;
const MOST_KEPT = 1_000;

/** HTTP Basic (RFC 7617) against the users. */
export class Logins {
  readonly #users: Users;
  readonly #limits: LoginLimits;
  readonly #attempts: Attempts;
  /** Names by a keyed hash of the header, so that no password is kept. */
  readonly #key = randomBytes(32).toString('base64');
  readonly #kept = new Map<string, { user: string; until: number }>();
  readonly #running = new Map<string, Promise<string | null>>();
  readonly #waiting: (() => void)[] = [];
  #computing = 0;
  #generation = -1;

  constructor(users: Users, limits: LoginLimits) {
    this.#users = users;
    this.#limits = limits;
    this.#attempts = new Attempts(limits);
  }

  /** Whether anybody is asked for a password. Reads the users again when they have changed. */
  areAsked(): boolean {
    const asked = this.#users.areAsked();
    if (this.#users.generation() !== this.#generation) {
      this.#generation = this.#users.generation();
      this.#kept.clear();
      this.#running.clear();
    }
    return asked;
  }

  /**
   * The user's name. Throws `unauthorized`, or `too_many_requests` after too many wrong passwords. `isTold`: the address is what a proxy
   * tells; behind it many share one, so that each user counts alone.
   */
  check(header: string | undefined, address: string | undefined, isTold = false): string | Promise<string> {
    if (header === undefined) throw new TopologError('unauthorized');
    const key = hash('sha256', this.#key + header, 'base64');
    const kept = this.#kept.get(key);
    const known = kept !== undefined && kept.until > Date.now() ? kept.user : null;
    const given = known === null ? basicOf(header) : { name: known, password: '' };
    if (given === null) throw new TopologError('unauthorized');
    // Asked for a kept one as well: an address that guesses must not learn that a guess was right.
    const by: Attempt = [address, isTold ? given.name : null];
    this.#attempts.check(...by);
    return known ?? this.#compute(key, given, by);
  }

  async #compute(key: string, given: Given, by: Attempt): Promise<string> {
    // A client's requests that come side by side are one attempt.
    const running = this.#running.get(key) ?? this.#attempt(key, given, by);
    const user = await running;
    if (user === null) throw new TopologError('unauthorized');
    return user;
  }

  #attempt(key: string, given: Given, by: Attempt): Promise<string | null> {
    this.#attempts.begin(...by);
    const attempt = this.#verify(key, given);
    this.#running.set(key, attempt);
    const isWrong = attempt.then(
      (user) => user === null,
      // The password was not checked at all.
      () => false,
    );
    void isWrong.then((wrong) => {
      if (!wrong) this.#attempts.forgive(...by);
      if (this.#running.get(key) === attempt) this.#running.delete(key);
    });
    return attempt;
  }

  /** Computes a hash also for an unknown name, so that the time does not tell who is a user. */
  async #verify(key: string, { name, password }: Given): Promise<string | null> {
    await this.#turn();
    try {
      const generation = this.#generation;
      const known = this.#users.find(name);
      const right = await isPassword(password, known ?? nobodysHash(this.#users.any()));
      if (known === undefined || !right || generation !== this.#generation) return null;
      if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
      this.#kept.set(key, { user: name, until: Date.now() + this.#limits.loginMs });
      return name;
    } finally {
      this.#computing -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#computing >= AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING)
        throw new TopologError('too_many_requests', { reason: 'Too many passwords are being checked', retry_after: 1 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#computing += 1;
  }
}

/** Arguments by which an attempt is counted. */
type Attempt = Parameters<Attempts['begin']>;

interface Given {
  name: string;
  password: string;
}

const MOST_PASSWORD = 1024;

const basicOf = (header: string | undefined): Given | null => {
  const [, encoded] = /^Basic +([0-9A-Za-z+/_-]+={0,2}) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0 || text.length > MOST_PASSWORD) return null;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
};

/** Compares a header with `Bearer <token>` in a time that does not tell where they differ. */
export const bearerCheck = (token: string | null): ((header: string | undefined) => boolean) => {
  if (token === null) return () => false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const right = digest(`Bearer ${token}`);
  return (header) => header?.startsWith('Bearer ') === true && timingSafeEqual(digest(header), right);
};
