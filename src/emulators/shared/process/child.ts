import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
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
const LOOK_MS = 10;

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
  const until = performance.now() + FORK_MS;
  let found = await search();
  while (found === null && !signal.aborted && performance.now() < until) {
    await sleep(LOOK_MS);
    found = await search();
  }
  return { ended, found };
};
