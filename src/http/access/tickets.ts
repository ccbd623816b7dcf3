import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { conflict, messageOf } from '../../common/errors.ts';
import type { FileSort } from '../../common/file-sort.ts';
import { placeOf, SECRETS, type Secrets, secretsOf } from '../../common/secrets.ts';
import type { PasswordHash } from './passwords.ts';
import type { Users } from './users.ts';

/** Seconds that a cookie is valid, unless the browser logs out or is closed before. */
const VALID_S = 7 * 24 * 3600;

/**
 * Cookies that this server signs, which a browser has in place of the password once it has logged in. One is void
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

/** Headers whose user is kept, as a browser sends the same one with every request. */
const MOST_KEPT = 1_000;

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
  /** `until`: milliseconds. `password`: the object changes whenever the users are read again. */
  const kept = new Map<string, { user: string; until: number; password: PasswordHash | undefined }>();
  const keep = (header: string, user: string, until: number): string => {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(header, { user, until, password: users.find(user) });
    return user;
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
      if (header === undefined) return null;
      const known = kept.get(header);
      if (known !== undefined && known.until > now() && known.password === users.find(known.user)) return known.user;
      const value = valueOf(header, name);
      const [, encoded = '', until = '', given = ''] = /^([\w-]+)\.(\d{1,12})\.([\w-]{43})$/.exec(value ?? '') ?? [];
      if (Number(until) * 1000 <= now()) return null;
      const user = Buffer.from(encoded, 'base64url').toString();
      const right = sign(user, until);
      if (right === null || !timingSafeEqual(Buffer.from(given), Buffer.from(right))) return null;
      return keep(header, user, Number(until) * 1000);
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

const NAME = SECRETS.login;
const BYTES = 32;
const SUM_BYTES = 8;

/**
 * The secret that cookies are signed with, made on first use and readable by its owner only. Throws `conflict` for what is none.
 * `kept`: a data directory, or what keeps it elsewhere.
 * `logger`: told why there is none that can be used; the key is then of this process.
 */
export const ticketKey = (kept: string | Secrets, logger: Logger | null = null): Promise<Buffer> =>
  storedKey(secretsOf(kept)).catch((error: unknown) => {
    if (logger === null) throw error;
    logger.warn(`logins end with this server: ${messageOf(error)}`);
    return randomBytes(BYTES);
  });

/** Throws `conflict` for one that is damaged; fine where there is none. */
export const checkTicketKey = async (kept: string | Secrets): Promise<void> => {
  const secrets = secretsOf(kept);
  const found = await secrets.get(NAME);
  if (found !== null) keyOf(secrets, found);
};

export const LOGIN_KEY: FileSort = {
  name: 'keys',
  what: 'the key that signs logins',
  at: [NAME],
  changed: 'named',
  check: ({ secrets }) => checkTicketKey(secrets),
};

const storedKey = async (secrets: Secrets): Promise<Buffer> => {
  const known = await secrets.get(NAME);
  return keyOf(secrets, known ?? (await secrets.keep(NAME, newKey())));
};

/** The key, and octets that tell whether it is as it was written; base64. */
const newKey = (): string => {
  const fresh = randomBytes(BYTES);
  return Buffer.concat([fresh, sumOf(fresh)]).toString('base64');
};

const sumOf = (key: Buffer): Buffer => createHash('sha256').update(key).digest().subarray(0, SUM_BYTES);

const keyOf = (secrets: Secrets, text: string): Buffer => {
  const found = Buffer.from(text, 'base64');
  const key = found.subarray(0, BYTES);
  // The first versions wrote the key without a checksum.
  const isWhole = found.length === BYTES || found.subarray(BYTES).equals(sumOf(key));
  if (key.length === BYTES && isWhole) return key;
  throw conflict(`${placeOf(secrets, NAME)} is no key of ${BYTES} bytes, or damaged; remove it`);
};
