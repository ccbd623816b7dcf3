import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { FileSort } from '../common/file-sort.ts';
import { messageOf } from '../common/errors.ts';
import { placeOf, SECRETS, type Secrets, secretsOf } from '../common/secrets.ts';
import type { DataOf } from '../events/schemas.ts';

/** The key that signs the sessions of a log: Ed25519 (RFC 8032). */
export interface SessionKey {
  /** DER SubjectPublicKeyInfo (RFC 8410), base64. */
  publicKey: string;
  /** Base64 signature over the text's UTF-8 bytes. */
  sign(text: string): string;
}

const PRIVATE_KEY = SECRETS.session;
const PUBLIC_KEY = SECRETS.sessionPublic;

const spki = (publicKey: KeyObject): string => publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

/** Opens the stored key; makes it on first use. Throws for one that cannot be read, and never replaces it. */
export const openSessionKey = async (kept: string | Secrets): Promise<SessionKey> => {
  const secrets = secretsOf(kept);
  const key = keyOf(secrets, (await secrets.get(PRIVATE_KEY)) ?? (await secrets.keep(PRIVATE_KEY, newKey())));
  const known = await secrets.get(PUBLIC_KEY);
  if (known === null) await secrets.keep(PUBLIC_KEY, `${key.publicKey}\n`).catch(() => undefined);
  else if (known !== `${key.publicKey}\n`) throw keysDiffer(secrets);
  return key;
};

const keyOf = (secrets: Secrets, pem: string): SessionKey => {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is of the type ${key.asymmetricKeyType}`);
  } catch (error) {
    const place = placeOf(secrets, PRIVATE_KEY);
    throw new Error(`${place} is not an Ed25519 private key in PEM: ${messageOf(error)}`, { cause: error });
  }
  return {
    publicKey: spki(createPublicKey(key)),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
};

const keysDiffer = (secrets: Secrets): Error =>
  new Error(
    `${placeOf(secrets, PRIVATE_KEY)} and ${placeOf(secrets, PUBLIC_KEY)} are not of one key: one of them is damaged or was exchanged; where the first is right, remove the other`,
  );

/** Throws for a damaged key; does nothing where there is none. Changes nothing. */
export const checkSessionKey = async (kept: string | Secrets): Promise<void> => {
  const secrets = secretsOf(kept);
  const pem = await secrets.get(PRIVATE_KEY);
  if (pem === null) return;
  const known = await secrets.get(PUBLIC_KEY);
  const { publicKey } = keyOf(secrets, pem);
  if (known !== null && known !== `${publicKey}\n`) throw keysDiffer(secrets);
};

export const SESSION_KEYS: FileSort = {
  name: 'keys',
  what: 'the key that signs sessions, and its public half',
  at: [PRIVATE_KEY, PUBLIC_KEY],
  changed: 'log',
  check: ({ secrets }) => checkSessionKey(secrets),
};

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

type Repair = Pick<DataOf<'log.repaired'>, 'lost' | 'records_lost' | 'events' | 'kept_as'>;

/** The text that a repair signs: the losses, the number of events left and where the old log is kept. */
export const repairText = ({ lost, records_lost, events, kept_as }: Repair): string =>
  JSON.stringify(['topolog-repair', 1, lost, records_lost, events, kept_as]);

/** SHA-256 (hex) of the key's DER form: what `openssl pkey -pubin -outform DER | sha256sum` prints. */
export const fingerprint = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');

/** Base64 can spell the same bytes in several ways; only the canonical one is accepted. */
const isCanonicalBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

/** Whether a signature fits; false for an invalid key or signature. */
export const verifySignature = (publicKey: string, text: string, signature: string): boolean => {
  if (!isCanonicalBase64(publicKey) || !isCanonicalBase64(signature)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519' || spki(key) !== publicKey) return false;
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
};
