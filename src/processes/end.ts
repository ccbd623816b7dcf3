import { until } from '../common/promises.ts';
import { isAlive, type ProcessIdentity } from './identity.ts';
import { findMarked, type Marked } from './marker.ts';

/** Milliseconds that each step of an end gets before the next, harder one. */
export interface Patience {
  /** After it was asked in its own way. */
  ask: number;
  /** After SIGTERM. */
  term: number;
  /** After SIGKILL; a process that stays then hangs in the kernel. */
  kill: number;
}

export const PATIENCE: Patience = { ask: 5_000, term: 3_000, kill: 3_000 };
const POLL_MS = 20;

/** Every process of a node: the one that was started and whatever it started, also in groups of their own. */
export const processesOf = async (nodeId: string, mark: string): Promise<Marked[]> =>
  (await findMarked(mark)).filter(({ node_id }) => node_id === nodeId);

/**
 * Ends processes with everything in their groups: SIGTERM, then SIGKILL. Each is looked at again before a signal is sent, so
 * that none goes to a process that took over a pid. Resolves with those that are still there.
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

/** A leader's signal goes to its whole group, as long as it lives and so holds the group's number. */
const send = ({ pid, group }: Marked, signal: NodeJS.Signals): void => {
  try {
    process.kill(group === pid && process.platform !== 'win32' ? -pid : pid, signal);
  } catch {
    // It has ended meanwhile.
  }
};

/** Resolves true once none of the processes is left, false when time is up first. */
export const haveEnded = async (processes: readonly ProcessIdentity[], wait: number): Promise<boolean> =>
  (await ended(processes, wait)).length === 0;

/** Kills this very process, without asking it. Resolves once it has ended, or is not to be ended. */
export const killProcess = async (one: ProcessIdentity): Promise<void> => {
  if (!(await isAlive(one))) return;
  try {
    process.kill(one.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
  await ended([one], PATIENCE.kill);
};
