import { fstatSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { syncPath } from '../../common/durable.ts';

const numberOf = (name: string): number => Number(/^(\d+)\.log$/.exec(name)?.[1] ?? -1);

/**
 * The journal that LevelDB writes to. It begins another one by itself when its write buffer is full, and puts that on disk, but not its
 * entry in the directory: until the full buffer has become a table, a power cut could take the journal and all that was answered.
 */
export class Journal {
  readonly #directory: string;
  readonly #sync: (directory: string) => Promise<void>;
  #file: FileHandle | null = null;
  #size = -1;
  #following: Promise<void> = Promise.resolve();
  #closed = false;

  static async open(directory: string, sync: (directory: string) => Promise<void> = syncPath): Promise<Journal> {
    const journal = new Journal(directory, sync);
    await journal.written(false);
    return journal;
  }

  private constructor(directory: string, sync: (directory: string) => Promise<void>) {
    this.#directory = directory;
    this.#sync = sync;
  }

  /** Resolves when the entry of the journal that has the last write is on disk. `alone`: nothing else was written meanwhile. */
  async written(alone: boolean): Promise<void> {
    if (this.#closed || (alone && this.#hasGrown())) return;
    this.#following = this.#following.catch(() => undefined).then(() => this.#follow());
    await this.#following;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#following.catch(() => undefined);
    await this.#file?.close();
    this.#file = null;
  }

  /** The last write is in the file that is known. */
  #hasGrown(): boolean {
    if (this.#file === null) return false;
    const { size } = fstatSync(this.#file.fd);
    const isLonger = size > this.#size;
    this.#size = size;
    return isLonger;
  }

  async #follow(): Promise<void> {
    const names = await readdir(this.#directory);
    const newest = names.reduce((a, b) => (numberOf(b) > numberOf(a) ? b : a), '');
    const before = this.#file;
    this.#file = await open(path.join(this.#directory, newest), 'r');
    await before?.close();
    this.#size = fstatSync(this.#file.fd).size;
    await this.#sync(this.#directory);
  }
}
