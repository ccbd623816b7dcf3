import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Users } from './users.ts';

/** How long a browser need not ask for the password again, if it is not ended before. Seconds. */
const VALID_S = 7 * 24 * 3600;

/**
 * What a browser has in place of the password once it has logged in: a cookie that this server has signed. It is void
 * when its user is gone or has another password; a server that is started again knows it still.
 */
export interface Tickets {
  /** Header `Set-Cookie` that lets the user in. Undefined for who is no user. */
  issue(user: string): string | undefined;
  /** Header `Set-Cookie` that takes it away. */
  revoke(): string;
  /** The user of a request's header `Cookie`; null: none of ours, or no longer valid. */
  userOf(header: string | undefined): string | null;
}

/** `key`: a secret of this server that lasts. */
export const createTickets = (key: Buffer, users: Pick<Users, 'find'>, now: () => number = Date.now): Tickets => {
  // Browsers hold cookies by host, whatever the port: servers of one host must not take each other's away.
  const name = `topolog-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
  const cookie = (value: string, rest = ''): string => `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${rest}`;
  const sign = (user: string, until: string): string | null => {
    const known = users.find(user);
    if (known === undefined) return null;
    const text = JSON.stringify([user, until, known.salt.toString('hex'), known.hash.toString('hex')]);
    return createHmac('sha256', key).update(text).digest('base64url');
  };
  return {
    issue(user) {
      const until = String(Math.floor(now() / 1000) + VALID_S);
      const signature = sign(user, until);
      if (signature === null) return undefined;
      return cookie(`${Buffer.from(user).toString('base64url')}.${until}.${signature}`);
    },
    revoke: () => cookie('', '; Max-Age=0'),
    userOf(header) {
      const value = header === undefined ? undefined : valueOf(header, name);
      const [, encoded = '', until = '', given = ''] = /^([\w-]+)\.(\d{1,12})\.([\w-]{43})$/.exec(value ?? '') ?? [];
      if (Number(until) * 1000 <= now()) return null;
      const user = Buffer.from(encoded, 'base64url').toString();
      const right = sign(user, until);
      return right !== null && timingSafeEqual(Buffer.from(given), Buffer.from(right)) ? user : null;
    },
  };
};

/** RFC 6265, 4.2.1. */
const valueOf = (header: string, name: string): string | undefined =>
  header
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
