import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** One process for good: pids are used again, a pid with its start time is not. */
export interface ProcessIdentity {
  pid: number;
  /** When it was started, as the system tells it: to be compared, not read. On Linux `<boot>/<clock ticks since boot>`. */
  started: string;
}

/** What the system says of a process. */
export interface ProcessStat {
  started: string;
  /** Process group; the leader's is its own pid. */
  group: number;
  /** It has ended and only waits for its parent to notice. */
  zombie: boolean;
  /** Milliseconds of the processor that it has taken; null: the system does not tell. */
  busy: number | null;
  /** It waits for nothing but the processor. */
  runnable: boolean;
}

/** null: there is no such process. */
export const statOf = (pid: number): Promise<ProcessStat | null> =>
  process.platform === 'linux' ? linuxStat(pid) : posixStat(pid);

/** Whether this very process still runs. */
export const isAlive = async ({ pid, started }: ProcessIdentity): Promise<boolean> => {
  const stat = await statOf(pid);
  return stat !== null && !stat.zombie && stat.started === started;
};

export const identityOf = async (pid: number): Promise<ProcessIdentity | null> => {
  const stat = await statOf(pid);
  return stat === null || stat.zombie ? null : { pid, started: stat.started };
};

let boot: Promise<string> | null = null;
/** Ticks count from the boot on: without its id a process of before a reboot could be taken for one of today. */
const bootId = (): Promise<string> =>
  (boot ??= readFile('/proc/sys/kernel/random/boot_id', 'latin1').then(
    (id) => id.slice(0, 8),
    () => '',
  ));

/** Clock ticks of proc(5) are a hundredth of a second on every Linux (USER_HZ). */
const TICK_MS = 10;

/** proc(5): `pid (comm) state ppid pgrp …`, processor times are fields 14 and 15, the start time is field 22; comm may hold spaces and parentheses. */
const linuxStat = async (pid: number): Promise<ProcessStat | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const ticks = fields[19];
  if (ticks === undefined) return null;
  return {
    started: `${await bootId()}/${ticks}`,
    group: Number(group),
    zombie: state === 'Z' || state === 'X',
    busy: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    runnable: state === 'R',
  };
};

/** `ps` of other systems: seconds are all it tells of the start. Its five words of date come last. */
const posixStat = async (pid: number): Promise<ProcessStat | null> => {
  if (process.platform === 'win32') return windowsStat(pid);
  const text = await promisify(execFile)('ps', ['-o', 'stat=,pgid=,lstart=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const [, state = '', group = '', started = ''] = /^(\S+)\s+(\d+)\s+(\S.*)$/.exec(text) ?? [];
  return started === ''
    ? null
    : { started, group: Number(group), zombie: state.startsWith('Z'), busy: null, runnable: state.startsWith('R') };
};

/** No emulator is started on Windows yet that would have to be told from another. */
const windowsStat = (pid: number): Promise<ProcessStat | null> => {
  try {
    process.kill(pid, 0);
    return Promise.resolve({ started: '', group: pid, zombie: false, busy: null, runnable: false });
  } catch {
    return Promise.resolve(null);
  }
};
