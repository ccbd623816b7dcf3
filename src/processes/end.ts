import { until } from '../common/promises.ts';
import { isAlive, type ProcessIdentity } from './identity.ts';
import { findMarked, type Marked } from './marker.ts';

/** Milliseconds to wait after each step of ending a process, before the next, harder one. */
export interface Patience {
  /** After it was asked in the way of its program. */
  ask: number;
  /** After SIGTERM. */
  term: number;
  /** After SIGKILL; a process that stays after that hangs in the kernel. */
  kill: number;
}

export const PATIENCE: Patience = { ask: 5_000, term: 3_000, kill: 3_000 };
const POLL_MS = 20;

/** Processes of a node: the one that was started and all that it started, also in other process groups. */
export const processesOf = async (nodeId: string, mark: string): Promise<Marked[]> =>
  (await findMarked(mark)).filter(({ node_id }) => node_id === nodeId);

/**
 * Ends processes with everything in their groups: SIGTERM, then SIGKILL. Each is checked again before a signal is sent, so that no
 * signal goes to another process with a reused pid. Resolves with those that are still there.
 */
export const endProcesses = async (
  processes: readonly Marked[],
  patience: Pick<Patience, 'term' | 'kill'> = PATIENCE,
): Promise<Marked[]> => {
  let left = [...processes];
  for (const [signal, wait] of [
    ['SIGTERM', patience.term],
    ['SIGKILL', patience.kill],
  ] as const) {
    left = await alive(left);
    for (const one of left) send(one, signal);
    left = await ended(left, wait);
    if (left.length === 0) return [];
  }
  return left;
};

const alive = async <T extends ProcessIdentity>(processes: readonly T[]): Promise<T[]> => {
  const there = await Promise.all(processes.map((one) => isAlive(one)));
  return processes.filter((_, index) => there[index] === true);
};

const ended = async <T extends ProcessIdentity>(processes: readonly T[], wait: number): Promise<T[]> => {
  let left = [...processes];
  await until(async () => (left = await alive(left)).length === 0, { every: POLL_MS, within: wait });
  return left;
};

/** Signals a process, and its whole group if it leads one: a living leader keeps the group's number from being reused. */
const send = ({ pid, group }: Marked, signal: NodeJS.Signals): void => {
  try {
    process.kill(group === pid && process.platform !== 'win32' ? -pid : pid, signal);
  } catch {
    // It has ended meanwhile.
  }
};

/** Resolves with true once none of the processes is left, with false after `wait` milliseconds. */
export const haveEnded = async (processes: readonly ProcessIdentity[], wait: number): Promise<boolean> =>
  (await ended(processes, wait)).length === 0;

/** Kills a process alone. Resolves once it has ended, or hangs in the kernel. */
export const killProcess = async (one: ProcessIdentity): Promise<void> => {
  if (!(await isAlive(one))) return;
  try {
    process.kill(one.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
  await ended([one], PATIENCE.kill);
};
