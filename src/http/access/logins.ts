import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { TopologError } from '../../common/errors.ts';
import { Attempts, type AttemptLimits } from './attempts.ts';
import { isPassword, nobodysHash } from './passwords.ts';
import type { Users } from './users.ts';

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
  readonly #key = randomBytes(32);
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
    const given = basicOf(header);
    if (header === undefined || given === null) throw new TopologError('unauthorized');
    // Also before what is remembered: an address that guesses must not learn that a guess was right.
    const by: Attempt = [address, isTold ? given.name : null];
    this.#attempts.check(...by);
    const key = createHmac('sha256', this.#key).update(header).digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > Date.now()) return kept.user;
    return this.#compute(key, given, by);
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
      // Not computed at all.
      () => false,
    );
    void isWrong.then((wrong) => {
      if (!wrong) this.#attempts.forgive(...by);
      if (this.#running.get(key) === attempt) this.#running.delete(key);
    });
    return attempt;
  }

  /** Computes as much for a name that nobody has. */
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
