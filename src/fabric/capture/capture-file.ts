import { constants } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pcapHeader, RECORD_HEADER, writeRecord, LONGEST_FRAME } from './pcap.ts';
import { findEnd } from './whole-records.ts';

export interface CaptureFile {
  /** `time` in microseconds since 1970; an earlier one than the last is written as the last. */
  write(frame: Uint8Array, time: number): void;
  /** Hands what is buffered to the disk; resolves once it and everything before is written. Throws when it cannot be. */
  flush(): Promise<void>;
  /** Flushes and closes. */
  close(): Promise<void>;
  readonly frames: number;
  /** Frames that a disk too slow left no room for. */
  readonly dropped: number;
}

export interface CaptureFileOptions {
  path: string;
  linkType: number;
  append: boolean;
  /** Called when there is something to flush: at once for `full`, within 100 ms otherwise. */
  onBuffered(full: boolean): void;
  /** Octets that may wait for the disk. */
  capacity?: number;
  openFile?: OpenFile;
}

/** Node's own `open`, unless a test lets the disk fail. */
export type OpenFile = (path: string, flags: number, mode: number) => Promise<FileHandle>;

const CHUNK = 64 * 1024;
const DEFAULT_CAPACITY = 8 * 1024 * 1024;

/** Opens the file and writes its header, so that it can be read before the first frame. */
export async function openCaptureFile(options: CaptureFileOptions): Promise<CaptureFile> {
  await mkdir(dirname(options.path), { recursive: true });
  const { O_RDWR, O_CREAT, O_TRUNC } = constants;
  const file = await (options.openFile ?? open)(options.path, O_RDWR | O_CREAT | (options.append ? 0 : O_TRUNC), 0o644);
  try {
    const found = options.append ? await findEnd(file, options.linkType) : null;
    const header = pcapHeader(options.linkType);
    await file.truncate(found?.end ?? 0);
    if (found === null) await writeAll(file, header, 0);
    return createCaptureFile(file, options, found?.end ?? header.length, found?.time ?? 0);
  } catch (error) {
    await file.close();
    throw error;
  }
}

function createCaptureFile(file: FileHandle, options: CaptureFileOptions, end: number, lastTime: number): CaptureFile {
  const capacity = options.capacity ?? DEFAULT_CAPACITY;
  /** Filled buffers on their way to the disk. */
  const full: Buffer[] = [];
  let waiting = 0;
  let current = Buffer.allocUnsafe(CHUNK);
  let used = 0;
  let frames = 0;
  let dropped = 0;
  let writing: Promise<void> | null = null;

  const close = (): void => {
    if (used === 0) return;
    full.push(current.subarray(0, used));
    waiting += used;
    current = Buffer.allocUnsafe(CHUNK);
    used = 0;
  };
  const writeNext = async (): Promise<void> => {
    const chunk = full[0];
    if (chunk === undefined) return;
    await writeWhole(file, chunk, end);
    full.shift();
    end += chunk.length;
    waiting -= chunk.length;
  };

  const flush = async (): Promise<void> => {
    close();
    // Frames that come while the disk works are not waited for.
    const until = end + waiting;
    while (end < until) {
      writing ??= writeNext().finally(() => (writing = null));
      await writing;
    }
  };

  return {
    write(frame, time) {
      const room = RECORD_HEADER + Math.min(frame.length, LONGEST_FRAME);
      if (waiting + used + room > capacity) {
        dropped++;
        return;
      }
      if (used + room > current.length) {
        close();
        if (room > current.length) current = Buffer.allocUnsafe(room);
        options.onBuffered(true);
      } else if (used === 0) options.onBuffered(false);
      lastTime = Math.max(lastTime, time);
      used = writeRecord(current, used, lastTime, frame);
      frames++;
    },
    flush,
    async close() {
      try {
        await flush();
      } finally {
        await file.close();
      }
    },
    get frames() {
      return frames;
    },
    get dropped() {
      return dropped;
    },
  };
}

/** On a full disk, what was written of the chunk is taken back, so that the file ends with a whole record. */
async function writeWhole(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  try {
    await writeAll(file, chunk, position);
  } catch (error) {
    await file.truncate(position).catch(() => undefined);
    throw error;
  }
}

async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
