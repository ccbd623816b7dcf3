import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { makeDirectory, syncPath, writeDurably, writeNew } from './durable.ts';
import { conflict } from './errors.ts';

/** Names of all secrets. A `.key` is binary, and its text is base64. */
export const SECRETS = {
  /** Signs logins. */
  login: 'keys/login.key',
  /** Signs sessions: PKCS #8 PEM. */
  session: 'keys/session.pem',
  /** Its public half: without it, nobody would notice a changed octet in the key, which makes another key. */
  sessionPublic: 'keys/session.pub',
  /** Passwords of computes, and the id by which they know this server. */
  computes: 'computes.json',
} as const;

/** Id of the server that a data directory belongs to, beside the secrets: a copied or moved directory keeps it. */
export const SERVER_ID = 'server-id';

const UUID_LENGTH = 36;

/** Appends a hyphen and the CRC-32 of the id. */
const sealedId = (id: string): string => `${id}-${crc32(id).toString(16).padStart(8, '0')}`;

export const newServerId = (): string => sealedId(randomUUID());

/** Reads an id with its checksum, which stays a part of it; earlier versions wrote none. Throws a conflict for a damaged one. */
export const serverIdIn = (text: string, place: string): string => {
  const id = text.replace(/\n$/, '');
  const isWhole = id.length > UUID_LENGTH ? sealedId(id.slice(0, UUID_LENGTH)) === id : /^[\w-]+$/.test(id);
  if (isWhole) return id;
  throw conflict(
    `${place} is no id of a server, or damaged: server.started in the log has it; without the file this is another server than before`,
  );
};

/** Secrets of a server: texts by name. */
export interface Secrets {
  /** null without one. */
  get(name: string): Promise<string | null>;
  /** Stores `text` unless there is one already; returns the stored one. */
  keep(name: string, text: string): Promise<string>;
  put(name: string, text: string): Promise<void>;
  /** Names of all that begin with `folder/`. */
  list(folder: string): Promise<string[]>;
  /** Removes one, if it is there. */
  remove(name: string): Promise<void>;
  /** Location of a secret, for messages; its name if this is absent. */
  placeOf?(name: string): string;
}

export const placeOf = (secrets: Secrets, name: string): string => secrets.placeOf?.(name) ?? name;

const FOR_ITS_OWNER = 0o600;

/** Whether a secret is binary. Such a one is made with link(2), so that one of several processes wins; not every disk can do that. */
const isBinary = (name: string): boolean => name.endsWith('.key');

const contentOf = (name: string, text: string): Buffer => Buffer.from(text, isBinary(name) ? 'base64' : 'utf8');

/** Secrets in files of a data directory, in which their names are paths. */
class FileSecrets implements Secrets {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  placeOf(name: string): string {
    return path.join(this.#directory, name);
  }

  async get(name: string): Promise<string | null> {
    try {
      return await readFile(this.placeOf(name), isBinary(name) ? 'base64' : 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async keep(name: string, text: string): Promise<string> {
    const known = await this.get(name);
    if (known !== null) return known;
    await (isBinary(name) ? this.#makeOnce(name, text) : this.put(name, text));
    return (await this.get(name)) ?? text;
  }

  async put(name: string, text: string): Promise<void> {
    await writeDurably(this.placeOf(name), contentOf(name, text), FOR_ITS_OWNER);
  }

  async list(folder: string): Promise<string[]> {
    const names = await readdir(this.placeOf(folder)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    });
    // Files that are being written have another ending.
    return names.filter((name) => name.endsWith('.json')).map((name) => `${folder}/${name}`);
  }

  async remove(name: string): Promise<void> {
    await rm(this.placeOf(name), { force: true });
  }

  /** Makes a file whole or not at all, and never replaces one that another process has just made. */
  async #makeOnce(name: string, text: string): Promise<void> {
    const file = this.placeOf(name);
    const next = `${file}.${randomUUID()}`;
    await makeDirectory(path.dirname(file));
    await writeNew(next, contentOf(name, text), FOR_ITS_OWNER);
    try {
      await link(next, file).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      });
      await syncPath(path.dirname(file));
    } finally {
      await rm(next, { force: true });
    }
  }
}

/** `kept`: a data directory, or another store of secrets. */
export const secretsOf = (kept: string | Secrets): Secrets => (typeof kept === 'string' ? new FileSecrets(kept) : kept);
