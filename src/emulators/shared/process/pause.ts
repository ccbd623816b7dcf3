import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { until } from '../../../common/promises.ts';
import { isAlive, type ProcessIdentity } from '../../../processes/identity.ts';

const POLL_MS = 5;
/** Longest wait for processes to be paused. Milliseconds. */
const PATIENCE_MS = 2_000;

/** Pauses processes (SIGSTOP); resolves once all are paused. One that has ended meanwhile is fine. */
export const pauseProcesses = async (processes: readonly ProcessIdentity[]): Promise<void> => {
  signalAll(processes, 'SIGSTOP');
  const isDone = async (one: ProcessIdentity): Promise<boolean> => !(await isAlive(one)) || isPaused(one.pid);
  const areDone = async (): Promise<boolean> => (await Promise.all(processes.map(isDone))).every(Boolean);
  await until(areDone, { every: POLL_MS, within: PATIENCE_MS });
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
