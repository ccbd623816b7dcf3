import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive, type ProcessIdentity } from '../../../processes/identity.ts';

const POLL_MS = 5;
/** Longest wait for processes to be paused. Milliseconds. */
const PATIENCE_MS = 2_000;

/** Pauses processes (SIGSTOP); resolves once all are paused. One that has ended meanwhile is fine. */
export const pauseProcesses = async (processes: readonly ProcessIdentity[]): Promise<void> => {
  signalAll(processes, 'SIGSTOP');
  const until = performance.now() + PATIENCE_MS;
  for (const one of processes)
    while (performance.now() < until && (await isAlive(one)) && !(await isPaused(one.pid))) await sleep(POLL_MS);
};

/** Resumes paused processes. */
export const resumeProcesses = (processes: readonly ProcessIdentity[]): void => signalAll(processes, 'SIGCONT');

const signalAll = (processes: readonly ProcessIdentity[], signal: NodeJS.Signals): void => {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
};

/** Whether a process was paused by a signal. */
export const isPaused = async (pid: number): Promise<boolean> => (await stateOf(pid)).startsWith('T');

/** proc(5): the state comes behind the name, which may hold spaces and parentheses. */
const stateOf = async (pid: number): Promise<string> => {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    return text.slice(text.lastIndexOf(')') + 2);
  }
  const listed = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return listed.stdout.trim();
};
