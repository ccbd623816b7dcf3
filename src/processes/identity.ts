import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Identifies a process for good: pids are reused, a pid with its start time is not. */
export interface ProcessIdentity {
  pid: number;
  /** Start time in the system's own format, only to be compared. On Linux `<boot>/<clock ticks since boot>`. */
  started: string;
}

export interface ProcessStat {
  started: string;
  /** Process group; the leader's is its own pid. */
  group: number;
  /** Whether it has ended and only waits for its parent to notice. */
  zombie: boolean;
  /** Processor time in milliseconds; null where the system does not tell. */
  busy: number | null;
  /** Whether it runs, or waits for a processor. */
  runnable: boolean;
}

/** Reads the state of a process; null without such a process. */
export const statOf = (pid: number): Promise<ProcessStat | null> =>
  process.platform === 'linux' ? linuxStat(pid) : posixStat(pid);

/** Whether the process still runs, and its pid is not that of another one. */
export const isAlive = async ({ pid, started }: ProcessIdentity): Promise<boolean> => {
  const stat = await statOf(pid);
  return stat !== null && !stat.zombie && stat.started === started;
};

export const identityOf = async (pid: number): Promise<ProcessIdentity | null> => {
  const stat = await statOf(pid);
  return stat === null || stat.zombie ? null : { pid, started: stat.started };
};

let boot: Promise<string> | null = null;
/** Ticks count from the boot: without its id, a process from before a reboot could be taken for a running one. */
const bootId = (): Promise<string> =>
  (boot ??= readFile('/proc/sys/kernel/random/boot_id', 'latin1').then(
    (id) => id.slice(0, 8),
    () => '',
  ));

/** Clock ticks of proc(5) are a hundredth of a second on every Linux (USER_HZ). */
const TICK_MS = 10;

/** Parses proc(5): `pid (comm) state ppid pgrp …`, processor times are fields 14 and 15, the start time is field 22; comm may contain spaces and parentheses. */
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

/** Parses `ps` of other systems, whose start time has seconds only, as five words at the end. */
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

/** Knows no start time, as no emulator is started on Windows yet. */
const windowsStat = (pid: number): Promise<ProcessStat | null> => {
  try {
    process.kill(pid, 0);
    return Promise.resolve({ started: '', group: pid, zombie: false, busy: null, runnable: false });
  } catch {
    return Promise.resolve(null);
  }
};
