import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../../common/errors.ts';

/** A password as it is kept (RFC 7914): `scrypt$N$r$p$salt$hash`, salt and hash in base64. */
export interface PasswordHash {
  N: number;
  r: number;
  p: number;
  salt: Buffer;
  hash: Buffer;
}

/** One of the settings that OWASP recommends: 32 MiB and a third of a second of an old computer. */
const COST = { N: 32_768, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Above these a line of the file would stop the server rather than check a password. */
const MOST = { N: 1 << 20, r: 32, p: 16 };

const derive = promisify<string | Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);

const run = (password: string, { N, r, p, salt, hash }: PasswordHash): Promise<Buffer> =>
  derive(password.normalize('NFC'), salt, hash.length, { N, r, p, maxmem: 256 * N * r });

export const hashPassword = async (password: string): Promise<string> => {
  const kept = { ...COST, salt: randomBytes(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
  const hash = await run(password, kept);
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${kept.salt.toString('base64')}$${hash.toString('base64')}`;
};

const BASE64 = '[0-9A-Za-z+/]{16,}={0,2}';
const LINE = new RegExp(`^scrypt\\$(\\d{1,8})\\$(\\d{1,3})\\$(\\d{1,3})\\$(${BASE64})\\$(${BASE64})$`);

/** Throws `invalid_request` for what is not such a text, or could not be computed. */
export const parseHash = (text: string): PasswordHash => {
  const [, N, r, p, salt = '', hash = ''] = LINE.exec(text) ?? [];
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const isPower = cost.N >= 2 && (cost.N & (cost.N - 1)) === 0;
  if (!isPower || cost.N > MOST.N || !(cost.r >= 1 && cost.r <= MOST.r) || !(cost.p >= 1 && cost.p <= MOST.p))
    throw invalid('a password must be kept as scrypt$N$r$p$salt$hash');
  return { ...cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
};

/** Takes as long for a wrong password as for the right one. */
export const isPassword = async (password: string, kept: PasswordHash): Promise<boolean> =>
  timingSafeEqual(await run(password, kept), kept.hash);

/** No password fits it; of the same cost as `like`, so that the time does not tell who is a user. */
export const nobodysHash = (like: PasswordHash | undefined): PasswordHash => ({
  ...(like ?? COST),
  salt: randomBytes(SALT_BYTES),
  hash: randomBytes(HASH_BYTES),
});
