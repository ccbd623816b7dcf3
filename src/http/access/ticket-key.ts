import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { FileSort } from '../../common/file-sort.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import { placeOf, SECRETS, type Secrets, secretsOf } from '../../common/secrets.ts';

const NAME = SECRETS.login;
const BYTES = 32;
const SUM_BYTES = 8;

/**
 * The secret that cookies are signed with, made on first use and readable by its owner only. Throws `conflict` for what is none.
 * `kept`: a data directory, or what keeps it elsewhere.
 * `logger`: told why there is none that can be used; the key is then of this process.
 */
export const ticketKey = (kept: string | Secrets, logger: Logger | null = null): Promise<Buffer> =>
  keptKey(secretsOf(kept)).catch((error: unknown) => {
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
  ...{ name: 'keys', what: 'the key that signs logins', at: [NAME], changed: 'named' },
  check: ({ secrets }) => checkTicketKey(secrets),
};

const keptKey = async (secrets: Secrets): Promise<Buffer> => {
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
  // The first versions wrote none.
  const isWhole = found.length === BYTES || found.subarray(BYTES).equals(sumOf(key));
  if (key.length === BYTES && isWhole) return key;
  throw conflict(`${placeOf(secrets, NAME)} is no key of ${BYTES} bytes, or damaged; remove it`);
};
