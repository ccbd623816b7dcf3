import { open } from 'node:fs/promises';
import { isThere } from '../../../common/file.ts';
import { splitWords } from '../../shared/process/shell-words.ts';
import { type Qmp, runStateOf } from './qmp.ts';

export type Accelerator = 'kvm' | 'tcg';

/** Facilities of the host, replaceable in tests. */
export interface Host {
  arch: string;
  platform: string;
  exists(path: string): Promise<boolean>;
  /** For reading and writing. */
  opens(path: string): Promise<boolean>;
}

const thisHost: Host = {
  arch: process.arch,
  platform: process.platform,
  exists: isThere,
  opens: (path) =>
    open(path, 'r+').then(
      (file) => file.close().then(() => true),
      () => false,
    ),
};

/** Platforms whose guests run natively on a processor of the host. */
const NATIVE: Readonly<Record<string, readonly string[]>> = { x64: ['x86_64', 'i386'], arm64: ['aarch64'] };

/**
 * Whether KVM really works for a platform. A /dev/kvm that opens is not enough: inside some clouds' machines it is a back end
 * without the processor's help (kvm_pvm), which QEMU takes and guests die in. The modules of the processors tell the difference;
 * ARM has KVM built in.
 */
export const kvmWorks = async (platform: string, host: Host = thisHost): Promise<boolean> => {
  if (host.platform !== 'linux' || NATIVE[host.arch]?.includes(platform) !== true) return false;
  if (host.arch === 'x64') {
    const modules = await Promise.all(['kvm_intel', 'kvm_amd'].map((name) => host.exists(`/sys/module/${name}`)));
    if (!modules.includes(true)) return false;
  }
  return host.opens('/dev/kvm');
};

/** The options say themselves how the machine is run. */
export const choosesAccelerator = (options: string): boolean =>
  splitWords(options, 'options').some(
    (word) => /^--?(accel|enable-kvm|no-kvm)$/.test(word) || /(^|,)accel=/.test(word),
  );

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
