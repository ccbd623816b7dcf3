import type { ChildProcess } from 'node:child_process';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { until } from '../../../common/promises.ts';
import type { Marked } from '../../../processes/marker.ts';

/** How a process ended. */
export interface Ended {
  /** null for an adopted process, which tells its exit status only to its parent, and when a signal ended it. */
  code: number | null;
  signal: string | null;
}

export const wordsOf = ({ code, signal }: Ended): string => signal ?? `code ${code ?? 'unknown'}`;

export const onceExited = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null)
      resolve({ code: child.exitCode, signal: child.signalCode });
    else child.once('exit', (code, signal) => resolve({ code, signal }));
  });

/** Milliseconds in which a program that has gone into the background leads a group of its own. */
const FORK_MS = 1_000;
const POLL_MS = 10;

/** Waits for the end of a program that goes into the background by itself, and for what it leaves there; null: nothing. */
export const backgroundOf = async (
  child: ChildProcess,
  signal: AbortSignal,
  search: () => Promise<Marked | null>,
): Promise<{ ended: Ended; found: Marked | null }> => {
  const abort = (): void => void child.kill();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const ended = await onceExited(child);
  signal.removeEventListener('abort', abort);
  if (ended.code !== 0) return { ended, found: null };
  const look = async (): Promise<Marked | null | 'aborted'> => (await search()) ?? (signal.aborted ? 'aborted' : null);
  const found = await until(look, { every: POLL_MS, within: FORK_MS });
  return { ended, found: found === 'aborted' ? null : found };
};

/** Octets above which the file of earlier runs is put aside when a process starts. */
const LARGEST = 1024 * 1024;
/** Octets of a process's last output that are told when it ends. */
const TAIL = 2000;

/** File of a process's own output. */
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
