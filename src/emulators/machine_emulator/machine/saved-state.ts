import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../../common/bounds.ts';
import { isThere, textIfThere } from '../../../common/file.ts';
import { until } from '../../../common/promises.ts';
import type { MachinePlan } from '../command-line.ts';
import { type Qmp, QmpError } from './qmp.ts';

/**
 * `on_close: save_vm_state`: memory and devices of a stopped machine go to a file of the node's directory by QEMU's migration, and
 * come back at the next start. Unlike snapshots inside an image this takes any disk, or none.
 */
const STATE = 'vm-state';
/** File that describes the running machine: its state fits no other. */
const MACHINE = 'machine.json';
const UNUSABLE = 'vm-state.unusable';
const POLL_MS = 50;
/** Octets a second: nobody is kept waiting by it. */
const FASTEST = 1_000_000_000_000;

/** Halts the machine and saves it. Throws QmpError when QEMU cannot. */
export const saveState = async (qmp: Qmp, directory: string, signal: AbortSignal): Promise<void> => {
  const file = path.join(directory, STATE);
  await rm(file, { force: true });
  await qmp.execute('stop');
  await qmp.execute('migrate-set-parameters', { 'max-bandwidth': FASTEST });
  // QEMU's working directory is the node's. Only a whole file gets the name.
  await qmp.execute('migrate', { uri: `exec:cat >${STATE}.part && mv ${STATE}.part ${STATE}` });
  const isSaved = async (): Promise<boolean> => {
    const { status, 'error-desc': reason } = (await qmp.execute('query-migrate')) as Record<string, string>;
    if (status === 'failed' || status === 'cancelled') throw new QmpError('Migration', reason ?? 'it was not saved');
    return status === 'completed' && isThere(file);
  };
  await until(isSaved, { every: POLL_MS, signal });
};

/**
 * Notes what is about to run, and answers the file it is to load, relative to the node's directory; null: it boots. The state
 * of a machine that was changed since is put aside.
 */
export const stateFor = async (directory: string, plan: MachinePlan): Promise<string | null> => {
  const file = path.join(directory, MACHINE);
  const [before, now] = [await textIfThere(file, LENGTHS.content).catch(() => null), fingerprint(plan)];
  await mkdir(directory, { recursive: true });
  await writeFile(file, now);
  if (!(await isThere(path.join(directory, STATE)))) return null;
  if (before === now) return STATE;
  await putAside(directory);
  return null;
};

/** Removes a state that has been loaded. */
export const forgetState = (directory: string): Promise<void> => rm(path.join(directory, STATE), { force: true });

export const putAside = async (directory: string): Promise<void> => {
  await rename(path.join(directory, STATE), path.join(directory, UNUSABLE)).catch(() => undefined);
};

/** Settings that must not change for a state to fit. */
const fingerprint = ({ settings, accelerator, disks, cdrom, bios, kernel, initrd, nics }: MachinePlan): string =>
  JSON.stringify({
    accelerator,
    disks,
    cdrom,
    bios,
    kernel,
    initrd,
    nics: nics.map(({ adapter, type, mac }) => ({ adapter, type, mac })),
    // The machine does not depend on the other settings.
    settings: [settings.platform, settings.qemuPath, settings.ram, settings.cpus, settings.options],
    networking: settings.legacyNetworking,
  });
