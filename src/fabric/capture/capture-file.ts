import { constants } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { needRoom } from '../../common/disk-space.ts';
import type { FrameBatch } from '../frames/frame-batch.ts';
import { writeAll, writeWhole } from '../io/write-whole.ts';
import { pcapHeader, RECORD_HEADER, writeRecord, LONGEST_FRAME } from './pcap.ts';
import { findEnd } from './whole-records.ts';

export interface CaptureFile {
  /** `time` in microseconds since 1970; an earlier one than the last is written as the last. */
  write(frame: Uint8Array, time: number): void;
  writeBatch(batch: FrameBatch, time: number): void;
  /**
   * Hands what is buffered to the disk, or only the chunks that are full; resolves once it and everything before is written.
   * Throws when it cannot be.
   */
  flush(what?: 'all' | 'full'): Promise<void>;
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
  /** Called when a frame is the first to wait, and when a chunk is full and had better be written at once. */
  onBuffered(full: boolean): void;
  /** Octets that may wait for the disk. */
  capacity?: number;
  openFile?: OpenFile;
}

/** Node's own `open`, unless a test lets the disk fail. */
export type OpenFile = (path: string, flags: number, mode: number) => Promise<FileHandle>;

const CHUNK = 64 * 1024;
/** Smaller ones cost a turn of the event loop each; writes of a megabyte took the system longer for each octet. */
const LARGEST_CHUNK = 256 * 1024;
const DEFAULT_CAPACITY = 32 * 1024 * 1024;

/** Opens the file and writes its header, so that it can be read before the first frame. */
export async function openCaptureFile(options: CaptureFileOptions): Promise<CaptureFile> {
  await needRoom(options.path);
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
  const buffer = createBuffer(options.capacity ?? DEFAULT_CAPACITY);
  let frames = 0;
  let dropped = 0;
  let writing: Promise<void> | null = null;

  const writeNext = async (): Promise<void> => {
    const chunk = buffer.first();
    if (chunk === undefined) return;
    await needRoom(options.path, chunk.length);
    await writeWhole(file, chunk, end);
    buffer.shift();
    end += chunk.length;
  };
  const flush = async (what: 'all' | 'full' = 'all'): Promise<void> => {
    if (what === 'all') buffer.seal();
    // Frames that come while the disk works are not waited for.
    const until = end + buffer.sealed();
    while (end < until) {
      writing ??= writeNext().finally(() => (writing = null));
      await writing;
    }
  };

  const write = (frame: Uint8Array, time: number): void => {
    lastTime = Math.max(lastTime, time);
    const state = buffer.add(frame, lastTime);
    if (state === 'no room') dropped++;
    else frames++;
    if (state === 'first' || state === 'sealed') options.onBuffered(state === 'sealed');
  };
  return {
    write,
    writeBatch(batch, time) {
      for (let i = 0; i < batch.count; i++) write(batch.view(i), time);
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

/** Records gathered into chunks; a chunk that is sealed waits for the disk. */
interface RecordBuffer {
  /** `first`: nothing was gathered before it. `sealed`: a chunk became full by it. */
  add(frame: Uint8Array, time: number): 'no room' | 'first' | 'sealed' | 'more';
  seal(): void;
  first(): Buffer | undefined;
  shift(): void;
  /** Octets of sealed chunks. */
  sealed(): number;
}

/** A chunk that fills before it is flushed is followed by one twice as large: fewer calls where there is much to write. */
function createBuffer(capacity: number): RecordBuffer {
  const full: Buffer[] = [];
  let waiting = 0;
  let size = CHUNK;
  let current: Buffer = Buffer.allocUnsafeSlow(size);
  let used = 0;
  /** One that is written is filled again: its pages are there already. */
  let spare: Buffer | undefined;

  const seal = (next: number): void => {
    full.push(current.subarray(0, used));
    waiting += used;
    size = next;
    current = spare?.length === size ? spare : Buffer.allocUnsafeSlow(size);
    spare = undefined;
    used = 0;
  };
  return {
    add(frame, time) {
      const room = RECORD_HEADER + Math.min(frame.length, LONGEST_FRAME);
      if (waiting + used + room > capacity) return 'no room';
      const sealing = used > 0 && used + room > current.length;
      if (sealing) seal(Math.min(size * 2, LARGEST_CHUNK));
      if (room > current.length) current = Buffer.allocUnsafeSlow(room);
      const first = used === 0;
      used = writeRecord(current, used, time, frame);
      return sealing ? 'sealed' : first ? 'first' : 'more';
    },
    seal() {
      if (used > 0) seal(used * 4 < size ? CHUNK : size);
    },
    first: () => full[0],
    shift() {
      const written = full.shift();
      if (written === undefined) return;
      waiting -= written.length;
      if (written.buffer.byteLength === size) spare = Buffer.from(written.buffer);
    },
    sealed: () => waiting,
  };
}
