import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { identityOf, type ProcessIdentity } from '../../../processes/identity.ts';

/** Octets. */
const LARGEST_LIST = 64 * 1024 * 1024;

/**
 * The process that runs a machine. It is a child of the hypervisor's own service and carries no marker of ours: its arguments
 * tell which machine it runs. null: there is none, or it cannot be seen.
 */
export const findMachineProcess = async (
  isIt: (argv: readonly string[]) => boolean,
): Promise<ProcessIdentity | null> => {
  for (const { pid, argv } of await listProcesses()) {
    if (pid === process.pid || !isIt(argv)) continue;
    const identity = await identityOf(pid);
    if (identity !== null) return identity;
  }
  return null;
};

/** Every process that can be seen, with its arguments. */
export const listProcesses = async (): Promise<{ pid: number; argv: string[] }[]> => {
  if (process.platform === 'linux') return linuxProcesses();
  if (process.platform === 'win32') return [];
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: LARGEST_LIST });
  // Spaces inside an argument are not told from those between two.
  return stdout.split('\n').map((row) => {
    const [pid = '0', ...argv] = row.trim().split(/\s+/);
    return { pid: Number(pid), argv };
  });
};

const linuxProcesses = async (): Promise<{ pid: number; argv: string[] }[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid: Number(pid), argv: line.replace(/\0$/, '').split('\0') };
    }),
  );
};
