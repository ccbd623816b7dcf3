import { execFile } from 'node:child_process';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { socketPaths } from './runtime-directory.ts';

/** Command line of a fabric: its title once it runs, its program before. */
const FABRIC = /(?:^topolog-fabric|fabric\/process\/main\.[jt]s .*?|fabric\/main\.[jt]s .*?) --data-dir (.+)$/;

/** Ids of the processes that are a fabric of a data directory. */
export const findFabrics = async (dataDir: string): Promise<number[]> => {
  const real = await realpath(dataDir).catch(() => dataDir);
  const found: number[] = [];
  for (const [pid, line] of await commandLines()) if (await isOf(pid, line, real)) found.push(pid);
  return found;
};

/** Whether a process is a fabric of this data directory, given by its real path. */
export const isFabricOf = async (pid: number, real: string): Promise<boolean> =>
  isOf(pid, await commandLine(pid), real);

const isOf = async (pid: number, line: string, real: string): Promise<boolean> =>
  FABRIC.exec(line)?.[1]?.trim() === real && (await seesSame(pid, real));

/** In a container the same path may be another directory: `/proc/PID/root` is the root that a process sees (proc(5)). */
const seesSame = async (pid: number, real: string): Promise<boolean> => {
  if (process.platform !== 'linux') return true;
  const own = await stat(real).catch(() => null);
  if (own === null) return true;
  try {
    const { dev, ino } = await stat(`/proc/${pid}/root${real}`);
    return dev === own.dev && ino === own.ino;
  } catch (error) {
    // Only processes that may trace it can read it.
    return error instanceof Error && 'code' in error && error.code !== 'ENOENT';
  }
};

/** The fabric writes its process id beside its socket, to be found when it hangs. */
export const pidFile = (socketPath: string): string => `${socketPath}.pid`;

/** Process id of the fabric that serves a data directory, by its pid file; null: there is none. */
export const servingFabric = async (dataDir: string): Promise<number | null> => {
  for (const socket of await socketPaths(dataDir).catch(() => [])) {
    const pid = await pidBeside(socket);
    if (pid !== null) return pid;
  }
  return null;
};

export const pidBeside = async (socket: string): Promise<number | null> => {
  const pid = Number(await readFile(pidFile(socket), 'utf8').catch(() => ''));
  return Number.isInteger(pid) && pid > 1 ? pid : null;
};

const linuxLine = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replace(/(?<!\0)\0+$/, '').replaceAll('\0', ' ');

const commandLine = async (pid: number): Promise<string> => {
  if (process.platform === 'win32') return '';
  if (process.platform === 'linux') return linuxLine(pid);
  return promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
};

const commandLines = async (): Promise<[number, string][]> => {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'pid=,command=']);
    return stdout.split('\n').map((row) => [Number.parseInt(row, 10), row.trim().replace(/^\d+\s+/, '')]);
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(pids.map(async (pid): Promise<[number, string]> => [pid, await linuxLine(pid)]));
};
