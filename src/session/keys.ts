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

/** The key that signs the sessions of a log: Ed25519 (RFC 8032). */
export interface SessionKey {
  /** DER SubjectPublicKeyInfo (RFC 8410), base64. */
  publicKey: string;
  /** Base64 signature over the text's UTF-8 bytes. */
  sign(text: string): string;
}

const NAME = SECRETS.session;
const BESIDE = SECRETS.sessionPublic;

const spki = (publicKey: KeyObject): string => publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

/** Opens the key that is kept there; makes it on first use. One that is there and cannot be read is never replaced. */
export const openSessionKey = async (kept: string | Secrets): Promise<SessionKey> => {
  const secrets = secretsOf(kept);
  const key = keyOf(secrets, (await secrets.get(NAME)) ?? (await secrets.keep(NAME, newKey())));
  const known = await secrets.get(BESIDE);
  if (known === null) await secrets.keep(BESIDE, `${key.publicKey}\n`).catch(() => undefined);
  else if (known !== `${key.publicKey}\n`) throw unlike(secrets);
  return key;
};

const keyOf = (secrets: Secrets, pem: string): SessionKey => {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is of the type ${key.asymmetricKeyType}`);
  } catch (error) {
    const place = placeOf(secrets, NAME);
    throw new Error(`${place} is not an Ed25519 private key in PEM: ${messageOf(error)}`, { cause: error });
  }
  return {
    publicKey: spki(createPublicKey(key)),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
};

const unlike = (secrets: Secrets): Error =>
  new Error(
    `${placeOf(secrets, NAME)} and ${placeOf(secrets, BESIDE)} are not of one key: one of them is damaged or was exchanged; where the first is right, remove the other`,
  );

/** Throws for a key that is damaged; fine where there is none. Changes nothing. */
export const checkSessionKey = async (kept: string | Secrets): Promise<void> => {
  const secrets = secretsOf(kept);
  const pem = await secrets.get(NAME);
  if (pem === null) return;
  const known = await secrets.get(BESIDE);
  const { publicKey } = keyOf(secrets, pem);
  if (known !== null && known !== `${publicKey}\n`) throw unlike(secrets);
};

export const SESSION_KEYS: FileSort = {
  ...{ name: 'keys', what: 'the key that signs sessions, and its public half', at: [NAME, BESIDE], changed: 'log' },
  check: ({ secrets }) => checkSessionKey(secrets),
};

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** SHA-256 (hex) of the key's DER form: what `openssl pkey -pubin -outform DER | sha256sum` prints. */
export const fingerprint = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');

/** Base64 has several spellings of the same bytes; only the usual one is taken. */
const canonicalBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

/** Whether a signature fits; false for anything that is no key or no signature. */
export const verifySignature = (publicKey: string, text: string, signature: string): boolean => {
  if (!canonicalBase64(publicKey) || !canonicalBase64(signature)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519' || spki(key) !== publicKey) return false;
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
};
