import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { invalid } from '../../../common/errors.ts';
import type { Secrets } from '../../../common/secrets.ts';
import type { Query } from './store.ts';

const CIPHER = 'aes-256-gcm';
const IV = 12;
const TAG = 16;

/** Nonce, tag and ciphertext, in base64. The name is authenticated, so that one secret cannot replace another. */
const encrypted = (key: Buffer, name: string, text: string): string => {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG }).setAAD(Buffer.from(name));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64');
};

const decrypted = (key: Buffer, name: string, value: string): string => {
  const octets = Buffer.from(value, 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, key, octets.subarray(0, IV), { authTagLength: TAG })
      .setAAD(Buffer.from(name))
      .setAuthTag(octets.subarray(IV, IV + TAG));
    return Buffer.concat([decipher.update(octets.subarray(IV + TAG)), decipher.final()]).toString('utf8');
  } catch (error) {
    throw invalid(
      `the cell's ${name} was encrypted with another key: give this server the --cell-key that the other servers of the cell have`,
      { field: 'cell-key', cause: String(error) },
    );
  }
};

/** Secrets in the database, encrypted with the key of the cell. */
export class CellSecrets implements Secrets {
  readonly #ask: Query;
  readonly #cell: number;
  readonly #key: Buffer | null;

  constructor(ask: Query, cell: number, key: Buffer | null) {
    this.#ask = ask;
    this.#cell = cell;
    this.#key = key;
  }

  async get(name: string): Promise<string | null> {
    const key = this.#known();
    const [row] = await this.#ask({
      text: 'SELECT value FROM topolog.secret WHERE cell = $1 AND name = $2',
      values: [this.#cell, name],
    });
    return row === undefined ? null : decrypted(key, name, row[0] as string);
  }

  async keep(name: string, text: string): Promise<string> {
    await this.#write(name, text, 'DO NOTHING');
    return (await this.get(name)) ?? this.keep(name, text);
  }

  async put(name: string, text: string): Promise<void> {
    await this.#write(name, text, 'DO UPDATE SET value = excluded.value');
  }

  async list(folder: string): Promise<string[]> {
    const rows = await this.#ask({
      text: 'SELECT name FROM topolog.secret WHERE cell = $1 AND starts_with(name, $2)',
      values: [this.#cell, `${folder}/`],
    });
    return rows.map(([name]) => name as string);
  }

  async remove(name: string): Promise<void> {
    await this.#ask({
      text: 'DELETE FROM topolog.secret WHERE cell = $1 AND name = $2',
      values: [this.#cell, name],
    });
  }

  /** Safe to retry after a lost connection. */
  async #write(name: string, text: string, otherwise: string): Promise<void> {
    await this.#ask({
      text: `INSERT INTO topolog.secret (cell, name, value) VALUES ($1, $2, $3) ON CONFLICT (cell, name) ${otherwise}`,
      values: [this.#cell, name, encrypted(this.#known(), name, text)],
    });
  }

  #known(): Buffer {
    if (this.#key === null) throw invalid('the secrets of a cell need --cell-key FILE', { field: 'cell-key' });
    return this.#key;
  }
}
