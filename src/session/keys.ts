import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeDurably } from '../common/durable.ts';
import { messageOf } from '../common/errors.ts';

/** The key that signs the sessions of a data directory: Ed25519 (RFC 8032). */
export interface SessionKey {
  /** DER SubjectPublicKeyInfo (RFC 8410), base64. */
  publicKey: string;
  /** Base64 signature over the text's UTF-8 bytes. */
  sign(text: string): string;
}

/** PKCS #8 PEM. */
const keyFile = (dataDir: string): string => path.join(dataDir, 'keys', 'session.pem');

const spki = (publicKey: KeyObject): string => publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

/** Opens the key of a data directory; makes it on first use. One that is there and cannot be read is never replaced. */
export const openSessionKey = async (dataDir: string): Promise<SessionKey> => {
  const file = keyFile(dataDir);
  const pem = (await read(file)) ?? (await create(file));
  const key = keyOf(file, pem);
  await checkPublic(file, key.publicKey);
  return key;
};

const keyOf = (file: string, pem: string): SessionKey => {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is of the type ${key.asymmetricKeyType}`);
  } catch (error) {
    throw new Error(`${file} is not an Ed25519 private key in PEM: ${messageOf(error)}`, { cause: error });
  }
  return {
    publicKey: spki(createPublicKey(key)),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
};

const publicFile = (file: string): string => file.replace(/pem$/, 'pub');
const unlike = (file: string): Error =>
  new Error(
    `${file} and ${publicFile(file)} are not of one key: one of them is damaged or was exchanged; where the first is right, remove the other`,
  );

/** Throws for a key that is damaged; fine where there is none. Changes nothing. */
export const checkSessionKey = async (dataDir: string): Promise<void> => {
  const file = keyFile(dataDir);
  const pem = await read(file);
  if (pem === null) return;
  const known = await read(publicFile(file));
  const { publicKey } = keyOf(file, pem);
  if (known !== null && known !== `${publicKey}\n`) throw unlike(file);
};

/** Beside the key lies its public half: an octet that changes in the key makes another one, which nobody would notice. */
const checkPublic = async (file: string, publicKey: string): Promise<void> => {
  const beside = publicFile(file);
  const known = await read(beside);
  if (known === null) await writeDurably(beside, `${publicKey}\n`, 0o600).catch(() => undefined);
  else if (known !== `${publicKey}\n`) throw unlike(file);
};

const read = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const create = async (file: string): Promise<string> => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeDurably(file, pem, 0o600);
  return pem;
};

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
