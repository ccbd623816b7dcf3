import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Octets above which the file of earlier runs is put aside when a process starts. */
const LARGEST = 1024 * 1024;
/** Octets of a process's last output that are told when it ends. */
const TAIL = 2000;

/** Where a process's own output goes. */
export interface OutputFile {
  path: string;
  /** Size before this run began. */
  begins: number;
}

export interface OpenOutput extends OutputFile {
  fd: number;
  close(): Promise<void>;
}

/** Opens the file for a new run: earlier ones stay in it until it is large, then as `<path>.1`. */
export const openOutput = async (path: string): Promise<OpenOutput> => {
  await mkdir(dirname(path), { recursive: true });
  if ((await sizeOf(path)) > LARGEST) await rename(path, `${path}.1`);
  const file = await open(path, 'a', 0o600);
  return { path, begins: await sizeOf(path), fd: file.fd, close: () => file.close() };
};

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0;

/** The end of what was printed in this run, whatever the size of the file; empty when there is nothing. */
export const tailOf = async ({ path, begins }: OutputFile): Promise<string> => {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return '';
  try {
    const { size } = await file.stat();
    const from = Math.max(Math.min(begins, size), size - TAIL);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.subarray(0, bytesRead).toString('utf8').trim();
  } finally {
    await file.close();
  }
};
