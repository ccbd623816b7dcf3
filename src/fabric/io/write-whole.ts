import type { FileHandle } from 'node:fs/promises';

/** Writes a chunk at a position. On a full disk, what was written of it is taken back: the file ends where it ended before. */
export async function writeWhole(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  try {
    await writeAll(file, chunk, position);
  } catch (error) {
    await file.truncate(position).catch(() => undefined);
    throw error;
  }
}

/** A write may take less than it was given. */
export async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
