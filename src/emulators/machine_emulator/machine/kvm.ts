import { runStateOf } from './machine.ts';
import type { Qmp } from './qmp.ts';

/** KVM was there and could not run the machine. */
export class KvmFailed extends Error {}

/** Milliseconds in which KVM shows that it cannot run the machine after all, when it shows it at once. */
const PROOF_MS = 300;

/** Throws when the machine stands still at once with an error of KVM. */
export const proveKvm = async (qmp: Qmp): Promise<void> => {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PROOF_MS);
    qmp.onEvent((name) => {
      if (name !== 'STOP') return;
      clearTimeout(timer);
      resolve();
    });
  });
  if ((await runStateOf(qmp)) === 'broken') throw new KvmFailed('KVM cannot run this machine');
};

/** Ends a machine that KVM gave up: it would stand still for good. `failed` is called first. */
export const watchKvm = (qmp: Qmp, pid: number, failed: () => void): void => {
  qmp.onEvent((name) => {
    if (name === 'STOP') void halted(qmp, pid, failed);
  });
};

const halted = async (qmp: Qmp, pid: number, failed: () => void): Promise<void> => {
  if ((await runStateOf(qmp).catch(() => null)) !== 'broken') return;
  failed();
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};
