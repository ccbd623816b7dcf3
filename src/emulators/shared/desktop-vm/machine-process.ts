import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { identityOf, isAlive, type ProcessIdentity } from '../../../processes/identity.ts';

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

/** Looks after machines that run, each in a process that is nobody's child here. */
export interface MachineWatch {
  /** `isOff` asks the hypervisor: now and then where no process can be seen, and once when the process has gone. */
  add(nodeId: string, process: ProcessIdentity | null, isOff: () => Promise<boolean>): void;
  remove(nodeId: string): void;
  close(): void;
}

/** A look at a process costs little, a question to a hypervisor a process of its own. Milliseconds. */
const POLL_MS = 250;
const ASK_MS = 5_000;

interface Watched {
  process: ProcessIdentity | null;
  isOff: () => Promise<boolean>;
  askedAt: number;
}

/** `gone` is called once for a node, unless it was removed before. */
export const watchMachines = (gone: (nodeId: string) => void): MachineWatch => {
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const hasEnded = async (one: Watched): Promise<boolean> => {
    if (one.process !== null) {
      if (await isAlive(one.process)) return false;
    } else if (performance.now() < one.askedAt + ASK_MS) return false;
    one.askedAt = performance.now();
    // A window that is closed and opened again, or a process that can no longer be seen: the hypervisor knows.
    if (await one.isOff().catch(() => false)) return true;
    one.process = null;
    return false;
  };
  const look = async (): Promise<void> => {
    for (const [nodeId, one] of [...watched]) {
      if (!(await hasEnded(one)) || watched.get(nodeId) !== one || closed) continue;
      watched.delete(nodeId);
      gone(nodeId);
    }
  };
  const later = (): void => {
    if (closed || watched.size === 0 || timer !== null) return;
    timer = setTimeout(() => {
      void look().finally(() => {
        timer = null;
        later();
      });
    }, POLL_MS).unref();
  };

  return {
    add(nodeId, process, isOff) {
      watched.set(nodeId, { process, isOff, askedAt: performance.now() });
      later();
    },
    remove: (nodeId) => void watched.delete(nodeId),
    close() {
      closed = true;
      watched.clear();
      if (timer !== null) clearTimeout(timer);
    },
  };
};
