import { spawn } from 'node:child_process';
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

/**
 * Holds a process below a share of the processors: it is stopped for a part of each tenth of a second (SIGSTOP, SIGCONT). That needs
 * no privileges, unlike a control group. A small shell does it, beside the server, so that the machine neither runs free nor stands
 * still when the server is killed; it ends with its process. When it is ended itself, it lets the process go on first.
 */
const SCRIPT = `trap 'kill -CONT "$1" 2>/dev/null; exit 0' TERM INT HUP
while kill -STOP "$1" 2>/dev/null; do sleep "$2"; kill -CONT "$1" 2>/dev/null; sleep "$3"; done`;

/** Seconds. */
const PERIOD = 0.1;
/** Shorter pauses would only cost time. */
const LEAST_PAUSE = 0.002;

/**
 * Seconds of standing still and of running that make up a period; null when nothing is to be held back. `percent` is of one
 * processor, and a machine can take as many as it has.
 */
export const dutyCycle = (percent: number, cpus: number): { pause: number; run: number } | null => {
  const share = percent / 100 / cpus;
  if (percent === 0 || share >= 1) return null;
  const pause = Math.round(PERIOD * (1 - share) * 1000) / 1000;
  if (pause < LEAST_PAUSE) return null;
  return { pause, run: Math.round((PERIOD - pause) * 1000) / 1000 };
};

/** `environment`: marks the helper as the node's, so that it is ended with it. */
export const throttle = (
  pid: number,
  { pause, run }: { pause: number; run: number },
  environment: Record<string, string>,
): void => {
  const helper = spawn('/bin/sh', ['-c', SCRIPT, 'topolog-throttle', String(pid), String(pause), String(run)], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  });
  helper.on('error', () => undefined);
  helper.unref();
};
