import { constants, writeSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Sighting, Witness } from './store.ts';

/**
 * A file beside LevelDB's own that notes the end of the log. It has two slots, written in turn and each with a
 * checksum, so that a torn write leaves the other one. It is overwritten without waiting for the disk: after a power
 * cut it may be behind the log, never ahead.
 */
export const WITNESS_FILE = 'head';
/** Distance of the slots in octets: a sector, which disks write atomically. */
const PLACE = 512;

const textOf = ({ position, hash }: Sighting): string => {
  const text = `${String(position).padStart(16, '0')} ${hash} `;
  return `${text}${crc32(text).toString(16).padStart(8, '0')}\n`;
};

const sightingIn = (text: string): Sighting | null => {
  const [, position = '', hash = ''] = /^(\d{16}) ([0-9a-f]{64}) [0-9a-f]{8}\n$/.exec(text) ?? [];
  const seen = { position: Number(position), hash };
  return hash !== '' && textOf(seen) === text ? seen : null;
};

const LENGTH = textOf({ position: 0, hash: '0'.repeat(64) }).length;

/** The note in the file, and what is wrong with it; both null when there is no file. */
export const readWitness = async (file: string): Promise<Pick<Witness, 'seen' | 'problem'>> => {
  const text = await readFile(file, 'latin1').catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { seen: null, problem: null };
  const places = [0, PLACE].map((at) => sightingIn(text.slice(at, at + LENGTH)));
  const seen = places.reduce((a, b) => ((a?.position ?? -1) >= (b?.position ?? -1) ? a : b));
  const problem = places.includes(null) ? `file ${WITNESS_FILE}: the note of where the log ends is damaged` : null;
  return { seen, problem };
};

export class FileWitness implements Witness {
  readonly #file: string;
  readonly seen: Sighting | null;
  readonly problem: string | null;
  #handle: FileHandle | null = null;
  #second = false;

  static async open(file: string): Promise<FileWitness> {
    return new FileWitness(file, await readWitness(file));
  }

  private constructor(file: string, { seen, problem }: Pick<Witness, 'seen' | 'problem'>) {
    this.#file = file;
    this.seen = seen;
    this.problem = problem;
  }

  /** Allocates the file, so that later notes need no space. */
  async begin(at: Sighting): Promise<void> {
    const before = this.#handle;
    this.#handle = await open(this.#file, constants.O_RDWR | constants.O_CREAT, 0o600);
    await before?.close();
    this.note(at);
    this.note(at);
    await this.#handle.sync();
  }

  /**
   * Written synchronously: the next answer must not know more than the note. A failed write leaves it behind, which
   * is allowed.
   */
  note(at: Sighting): void {
    if (this.#handle === null) return;
    try {
      writeSync(this.#handle.fd, textOf(at), this.#second ? PLACE : 0, 'latin1');
    } catch {
      return;
    }
    this.#second = !this.#second;
  }

  async sync(): Promise<void> {
    await this.#handle?.datasync();
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }
}
