import { isIPv6 } from 'node:net';
import { TopologError } from '../../common/errors.ts';
import { plainAddress } from '../../common/loopback.ts';

export interface AttemptLimits {
  /** Wrong passwords of an address, or of a user at a client of a proxy, within `attemptMs` of the first. */
  attempts: number;
  attemptMs: number;
}

/** Addresses remembered; beyond it the oldest are forgotten, as their time is up first. */
const MOST_KEPT = 10_000;

/** A host with an IPv6 address has all of its /64 (RFC 4291, 2.5.4). */
export const addressKey = (address: string | undefined): string => {
  const plain = plainAddress(address ?? '');
  if (!isIPv6(plain)) return plain;
  const [left = '', right = ''] = (plain.split('%')[0] ?? '').split('::');
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const [before, after] = [groups(left), groups(right)];
  const zeros = plain.includes('::') ? Math.max(0, 8 - before.length - after.length) : 0;
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
};

/** Identity that attempts count for: the user that a client of a proxy names, or an address. Without a proxy, all names of an address count together. */
const keyOf = (address: string | undefined, user: string | null): string =>
  user === null ? addressKey(address) : `${addressKey(address)} ${user.slice(0, LONGEST_USER)}`;

/** Nobody has a longer one. */
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

  /** Counts one, which `forgive` takes back: so many at once are no more than so many in turn. Throws `too_many_requests`. */
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
    if (entry.count >= attempts) throw tooMany(entry.until - now);
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
    if (entry !== undefined && left > 0 && entry.count >= this.#limits.attempts) throw tooMany(left);
  }

  #forgetOldest(): void {
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST_KEPT && oldest !== undefined) this.#counts.delete(oldest);
  }
}

const tooMany = (leftMs: number): TopologError => {
  const retry_after = Math.ceil(leftMs / 1000);
  return new TopologError('too_many_requests', { reason: 'Too many wrong passwords', retry_after });
};
