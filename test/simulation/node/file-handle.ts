import { constants } from 'node:fs';
import { Readable } from 'node:stream';
import { disk, type Inode } from '../disk.ts';
import { world } from '../world.ts';

/** Milliseconds that a call takes usually. */
export const CALL_MS = 0.1;
const SYNC_MS = 2;

export type Encoding = BufferEncoding | { encoding?: BufferEncoding | null } | null | undefined;
export const decoded = (bytes: Buffer, given: Encoding): string | Buffer => {
  const encoding = typeof given === 'string' ? given : given?.encoding;
  return encoding == null ? Buffer.from(bytes) : bytes.toString(encoding);
};

export const statOf = ({ ino, mode, bytes, names }: Inode) => ({
  ino,
  mode: mode | (names === null ? constants.S_IFREG : constants.S_IFDIR),
  size: bytes?.length ?? 4096,
  nlink: 1,
  uid: 1000,
  gid: 1000,
  dev: 1,
  mtimeMs: 0,
  ctimeMs: 0,
  mtime: new Date(0),
  isFile: () => names === null,
  isDirectory: () => names !== null,
  isSymbolicLink: () => false,
  isFIFO: () => false,
  isSocket: () => false,
});

/** Far above those of this process. */
const FIRST_FD = 1_000_000;
const opened: Handle[] = [];
export const handleOf = (fd: number): Handle => opened[fd - FIRST_FD - 1] as Handle;

/** An open file of the simulated disk. */
export class Handle {
  readonly fd: number;
  readonly place: string;
  readonly ino: number;
  #at: number;

  constructor(place: string, ino: number, at: number) {
    this.place = place;
    this.ino = ino;
    this.#at = at;
    this.fd = opened.push(this) + FIRST_FD;
  }

  #call<T>(name: string, work: () => T, usual = CALL_MS): Promise<T> {
    return world().io(`${name} ${this.place}`, usual, work);
  }

  #bytes(): Buffer {
    return disk().inode(this.ino)?.bytes ?? Buffer.alloc(0);
  }

  writeFile(data: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(data);
    return this.#call('write', () => {
      disk().write(this.ino, this.#at, bytes);
      this.#at += bytes.length;
    });
  }

  appendFile(data: string | Uint8Array): Promise<void> {
    return this.writeFile(data);
  }

  async write(data: Uint8Array): Promise<{ bytesWritten: number; buffer: Uint8Array }> {
    await this.writeFile(data);
    return { bytesWritten: data.length, buffer: data };
  }

  read(buffer: Buffer, offset = 0, length = buffer.length, position: number | null = null) {
    return this.#call('read', () => {
      const from = position ?? this.#at;
      const part = this.#bytes().subarray(from, from + length);
      part.copy(buffer, offset);
      if (position === null) this.#at += part.length;
      return { bytesRead: part.length, buffer };
    });
  }

  readFile(options?: Encoding): Promise<string | Buffer> {
    return this.#call('read', () => decoded(this.#bytes(), options));
  }

  createReadStream(): Readable {
    return Readable.from(
      (async function* (handle) {
        const bytes = (await handle.readFile()) as Buffer;
        await handle.close();
        if (bytes.length > 0) yield bytes;
      })(this),
    );
  }

  stat() {
    return this.#call('fstat', () => statOf(disk().inode(this.ino) as Inode));
  }

  sync(): Promise<void> {
    return this.#call('fsync', () => disk().sync(), SYNC_MS);
  }

  datasync(): Promise<void> {
    return this.sync();
  }

  truncate(length: number): Promise<void> {
    return this.#call('ftruncate', () => disk().truncate(this.ino, length));
  }

  chmod(mode: number): Promise<void> {
    return this.#call('fchmod', () => disk().chmod(this.ino, mode));
  }

  close(): Promise<void> {
    return this.#call('close', () => undefined);
  }
}
