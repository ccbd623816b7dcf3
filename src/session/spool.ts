import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { FileSort } from '../common/file-sort.ts';
import { needRoom } from '../common/file.ts';

export const SPOOL: FileSort = {
  name: 'spool',
  what: 'a session that is just being exported',
  at: ['spool/*'],
  changed: 'idle',
};

/** Octets that are written or read at once. */
const BLOCK = 256 * 1024;

/**
 * A temporary file for an export, as the head comes first and can be signed only when everything after it is known. Where the system
 * allows that, the file is unlinked once it is open, so that nothing is left over however the program ends.
 */
export class Spool {
  readonly #handle: FileHandle;
  readonly #file: string;
  #waiting: string[] = [];
  #waitingSize = 0;

  private constructor(handle: FileHandle, file: string) {
    this.#handle = handle;
    this.#file = file;
  }

  static async open(directory: string): Promise<Spool> {
    await needRoom(directory);
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, `export-${randomUUID()}.tmp`);
    const handle = await open(file, 'wx+', 0o600);
    if (process.platform !== 'win32') await rm(file, { force: true });
    return new Spool(handle, file);
  }

  async write(text: string): Promise<void> {
    this.#waiting.push(text);
    this.#waitingSize += text.length;
    if (this.#waitingSize >= BLOCK) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingSize = 0;
    await needRoom(path.dirname(this.#file), text.length);
    await this.#handle.appendFile(text);
  }

  /** Streams `first`, then everything that was written. The stream closes the file. */
  async read(first: string): Promise<Readable> {
    await this.#flush();
    let position = -1;
    const next = async (): Promise<Buffer | null> => {
      if (position === -1) {
        position = 0;
        return Buffer.from(first);
      }
      const buffer = Buffer.allocUnsafe(BLOCK);
      const { bytesRead } = await this.#handle.read(buffer, 0, BLOCK, position);
      position += bytesRead;
      return bytesRead === 0 ? null : buffer.subarray(0, bytesRead);
    };
    return new Readable({
      read() {
        next().then(
          (block) => this.push(block),
          (error: unknown) => this.destroy(error as Error),
        );
      },
      destroy: (error, done) => {
        this.close().then(
          () => done(error),
          () => done(error),
        );
      },
    });
  }

  async close(): Promise<void> {
    await this.#handle.close();
    if (process.platform === 'win32') await rm(this.#file, { force: true });
  }
}
