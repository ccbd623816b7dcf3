import { randomUUID } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { makeDirectory, syncPath, writeDurably, writeNew } from './durable.ts';
import { conflict } from './errors.ts';

/** Names of all that is kept as a secret. A `.key` is octets, whose text is their base64. */
export const SECRETS = {
  /** Signs logins. */
  login: 'keys/login.key',
  /** Signs sessions: PKCS #8 PEM. */
  session: 'keys/session.pem',
  /** Its public half: an octet that changes in the key makes another one, which nobody would notice. */
  sessionPublic: 'keys/session.pub',
  /** Passwords of computes, and who this server is to them. */
  computes: 'computes.json',
} as const;

/** Which server a data directory is of, beside them: a copy, or one that was moved, is of the same. */
export const SERVER_ID = 'server-id';

const UUID_LENGTH = 36;

/** With what tells whether it is as it was written: a hyphen and its CRC-32. */
const sealedId = (id: string): string => `${id}-${crc32(id).toString(16).padStart(8, '0')}`;

export const newServerId = (): string => sealedId(randomUUID());

/** The id in that file, its checksum being a part of it; earlier versions wrote none. Throws a conflict for one that is damaged. */
export const serverIdIn = (text: string, place: string): string => {
  const id = text.replace(/\n$/, '');
  const isWhole = id.length > UUID_LENGTH ? sealedId(id.slice(0, UUID_LENGTH)) === id : /^[\w-]+$/.test(id);
  if (isWhole) return id;
  throw conflict(
    `${place} is no id of a server, or damaged: server.started in the log has it; without the file this is another server than before`,
  );
};

/** What a server must know and nobody else: texts by name. */
export interface Secrets {
  /** null: there is none. */
  get(name: string): Promise<string | null>;
  /** Keeps `text` unless there is one already; answers the one that is kept. */
  keep(name: string, text: string): Promise<string>;
  put(name: string, text: string): Promise<void>;
  /** Where one is, for messages; absent: its name says it. */
  placeOf?(name: string): string;
}

export const placeOf = (secrets: Secrets, name: string): string => secrets.placeOf?.(name) ?? name;

const FOR_ITS_OWNER = 0o600;

/** Of several processes that make one, one wins; not every disk can do that. */
const isBinary = (name: string): boolean => name.endsWith('.key');

const contentOf = (name: string, text: string): Buffer => Buffer.from(text, isBinary(name) ? 'base64' : 'utf8');

/** Those of a data directory: a name is a path in there. */
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

  /** Whole or not at all, and never in the place of one that somebody else has just made. */
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

/** `kept`: a data directory, or what keeps them elsewhere. */
export const secretsOf = (kept: string | Secrets): Secrets => (typeof kept === 'string' ? new FileSecrets(kept) : kept);
