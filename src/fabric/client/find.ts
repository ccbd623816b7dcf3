import { execFile } from 'node:child_process';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import { socketPaths } from './runtime-directory.ts';
import { pidFile } from './supervise.ts';

/** As a fabric's arguments are: its title once it runs, its program before. */
const FABRIC = /(?:^topolog-fabric|fabric\/main\.[jt]s .*?) --data-dir (.+)$/;

/** Processes that are a fabric of a data directory. */
export const findFabrics = async (dataDir: string): Promise<number[]> => {
  const real = await realpath(dataDir).catch(() => dataDir);
  const found: number[] = [];
  for (const [pid, line] of await commandLines()) if (FABRIC.exec(line)?.[1]?.trim() === real) found.push(pid);
  return found;
};

/** Process of the fabric that says it serves a data directory; null when none does. */
export const servingFabric = async (dataDir: string): Promise<number | null> => {
  for (const socket of await socketPaths(dataDir).catch(() => [])) {
    const pid = Number(await readFile(pidFile(socket), 'utf8').catch(() => ''));
    if (pid > 0) return pid;
  }
  return null;
};

const commandLines = async (): Promise<[number, string][]> => {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'pid=,command=']);
    return stdout.split('\n').map((row) => [Number.parseInt(row, 10), row.trim().replace(/^\d+\s+/, '')]);
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid): Promise<[number, string]> => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return [pid, line.replace(/\0+$/, '').replaceAll('\0', ' ')];
    }),
  );
};
