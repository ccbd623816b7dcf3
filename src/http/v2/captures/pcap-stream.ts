import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export const PCAP_TYPE = 'application/vnd.tcpdump.pcap';
const CHUNK_BYTES = 64 * 1024;

export interface FollowOptions {
  path: string;
  /** False once nothing more will be written. */
  running(): boolean;
  /** Brings what has been captured so far into the file. */
  flush(): Promise<void>;
  signal: AbortSignal;
  /** Milliseconds between two looks at the end of the file. */
  pauseMs: number;
}

/** The bytes of a capture file from its beginning, and those that are added until the capture stops or the client goes. */
export const followCapture = (options: FollowOptions): Readable =>
  Readable.from(follow(options), { objectMode: false });

async function* follow(options: FollowOptions): AsyncGenerator<Buffer, void> {
  const file = await openOnceThere(options);
  if (!file) return;
  try {
    let position = 0;
    while (!options.signal.aborted) {
      // Asked before reading, so that what was written before the stop is still read.
      const running = options.running();
      if (running) await flushed(options);
      for (let chunk = await read(file, position); chunk.length > 0; chunk = await read(file, position)) {
        position += chunk.length;
        yield chunk;
      }
      if (!running || (await file.stat()).size < position) return;
      await nextLook(options);
    }
  } finally {
    await file.close();
  }
}

/** The record can be there before the file is. */
const openOnceThere = async (options: FollowOptions): Promise<FileHandle | undefined> => {
  while (!options.signal.aborted) {
    try {
      return await open(options.path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !options.running()) throw error;
    }
    await nextLook(options);
  }
  return undefined;
};

const read = async (file: FileHandle, position: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
  return buffer.subarray(0, bytesRead);
};

/** A flush that fails costs freshness only: what is in the file is worth sending all the same. */
const flushed = (options: FollowOptions): Promise<void> => options.flush().catch(() => undefined);

const nextLook = (options: FollowOptions): Promise<void> =>
  pause(options.pauseMs, undefined, { signal: options.signal }).catch(() => undefined);
