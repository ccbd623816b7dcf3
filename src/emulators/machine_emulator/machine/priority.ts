import { readdir } from 'node:fs/promises';
import { setPriority } from 'node:os';

/** Nice values; those below 0 need privileges, without which the priority stays as it is. */
const NICE: Readonly<Record<string, number>> = {
  realtime: -20,
  'very high': -15,
  high: -5,
  normal: 0,
  low: 5,
  'very low': 19,
};

export const niceOf = (priority: string): number => NICE[priority] ?? 0;

/** Linux keeps a nice value for each thread: those of the processors are there once QEMU answers. */
export const setNice = async (pid: number, nice: number): Promise<void> => {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [String(pid)]);
  for (const thread of threads) {
    try {
      setPriority(Number(thread), nice);
    } catch {
      // No privileges, or the thread has ended.
    }
  }
};
