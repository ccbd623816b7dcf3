import { isAlive, type ProcessIdentity } from '../../../processes/identity.ts';

/** Looks after machines that run, each in a process that is nobody's child here. */
export interface MachineWatch {
  /** `isOff` asks the hypervisor: now and then where no process can be seen, and once when the process has gone. */
  add(nodeId: string, process: ProcessIdentity | null, isOff: () => Promise<boolean>): void;
  remove(nodeId: string): void;
  close(): void;
}

/** A look at a process costs little, a question to a hypervisor a process of its own. Milliseconds. */
const LOOK_MS = 250;
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
    }, LOOK_MS).unref();
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
