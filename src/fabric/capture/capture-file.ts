import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { needRoom } from '../../common/file.ts';
import type { FrameBatch } from '../frames/frame-batch.ts';
import { FILE_HEADER, LONGEST_FRAME, pcapHeader, readPcapHeader, RECORD_HEADER, writeRecord } from './pcap.ts';

export interface CaptureFile {
  /** `time` in microseconds since 1970; never written earlier than that of the frame before. */
  write(frame: Uint8Array, time: number): void;
  writeBatch(batch: FrameBatch, time: number): void;
  /**
   * Writes what is buffered, or only the full chunks; resolves once it and everything before is written. Throws when writing
   * fails.
   */
  flush(what?: 'all' | 'full'): Promise<void>;
  /** Flushes and closes. */
  close(): Promise<void>;
  readonly frames: number;
  /** Frames dropped because the disk was too slow. */
  readonly dropped: number;
}

export interface CaptureFileOptions {
  path: string;
  linkType: number;
  append: boolean;
  /** Called when a frame is the first to wait, and with `full` when a chunk should be written at once. */
  onBuffered(full: boolean): void;
  /** Octets that may wait for the disk. */
  capacity?: number;
  openFile?: OpenFile;
}

/** Node's `open`; tests replace it to let the disk fail. */
export type OpenFile = (path: string, flags: number, mode: number) => Promise<FileHandle>;

const CHUNK = 64 * 1024;
/** Smaller chunks cost more turns of the event loop; writes of a megabyte took the system longer for each octet. */
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
    // Does not wait for frames that arrive meanwhile.
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

/** Records gathered into chunks; a sealed chunk waits for the disk. */
interface RecordBuffer {
  /** `first`: the buffer was empty. `sealed`: a chunk became full. */
  add(frame: Uint8Array, time: number): 'no room' | 'first' | 'sealed' | 'more';
  seal(): void;
  first(): Buffer | undefined;
  shift(): void;
  /** Octets of sealed chunks. */
  sealed(): number;
}

/** After a chunk that fills before it is flushed comes one twice as large: fewer calls where there is much to write. */
function createBuffer(capacity: number): RecordBuffer {
  const full: Buffer[] = [];
  let waiting = 0;
  let size = CHUNK;
  let current: Buffer = Buffer.allocUnsafeSlow(size);
  let used = 0;
  /** A written chunk for reuse: its pages are allocated already. */
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

const BLOCK = 1024 * 1024;

/**
 * Where the last whole record of a capture file ends, and when it was taken (microseconds since 1970); null when the file has no
 * whole header yet. Throws when it is no capture file of this link type.
 */
async function findEnd(file: FileHandle, linkType: number): Promise<{ end: number; time: number } | null> {
  const { size } = await file.stat();
  if (size < FILE_HEADER) return null;
  const header = await readAt(file, 0, FILE_HEADER);
  const found = readPcapHeader(header);
  if (found === null) throw new Error('the file is not a pcap file');
  if (found !== linkType) throw new Error(`the file has link type ${found}, not ${linkType}`);
  return walk(file, size);
}

async function walk(file: FileHandle, size: number): Promise<{ end: number; time: number }> {
  let end = FILE_HEADER;
  let time = 0;
  while (end + RECORD_HEADER <= size) {
    const block = await readAt(file, end, BLOCK);
    const whole = walkBlock(block, size - end);
    if (whole.length === 0) break;
    end += whole.length;
    time = whole.time;
    if (whole.torn) break;
  }
  return { end, time };
}

/** Whole records that begin in the block. The last may end behind the block, but not behind the file. */
function walkBlock(block: Buffer, rest: number): { length: number; time: number; torn: boolean } {
  let at = 0;
  let time = 0;
  while (at + RECORD_HEADER <= block.length) {
    const captured = block.readUInt32LE(at + 8);
    const next = at + RECORD_HEADER + captured;
    if (captured > LONGEST_FRAME || next > rest) return { length: at, time, torn: true };
    time = block.readUInt32LE(at) * 1_000_000 + block.readUInt32LE(at + 4);
    at = next;
  }
  return { length: at, time, torn: false };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Writes a chunk at the end of a file. When that fails, as on a full disk, truncates the file to where it ended before. */
export async function writeWhole(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  try {
    await writeAll(file, chunk, position);
  } catch (error) {
    await file.truncate(position).catch(() => undefined);
    throw error;
  }
}

/** Repeats writing, as a write may take less than it was given. */
async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
