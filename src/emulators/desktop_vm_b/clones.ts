import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isThere } from '../../common/file.ts';
import { conflict } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';
import { directoryOf } from '../shared/node-directory.ts';
import { BASE_SNAPSHOT, cloneName } from '../shared/desktop-vm/claim.ts';
import { productHere, runningVms, snapshotsOf, vmrun } from './vmrun.ts';
import { readVmx, writeVmx } from './vmx-file.ts';

/** Key of a clone's definition file: the machine that it was made of. */
const ORIGIN = 'topolog.origin';

/** Where a node's clone is, whether there is one or not. */
export const clonePath = (node: Pick<KindNode, 'node_directory' | 'name'>): string =>
  path.join(directoryOf(node), 'clone', 'clone.vmx');

/** The path of a node's own clone, made of the original when there is none yet. */
export const cloneFor = async (node: KindNode, source: string, mark: string, signal: AbortSignal): Promise<string> => {
  const clone = clonePath(node);
  if (await isThere(clone)) {
    const origin = (await readVmx(clone)).get(ORIGIN);
    if (origin === null || origin === source) return clone;
    throw conflict(
      `the node's clone was made of ${origin}, and vmx_path is ${source}; set vmx_path back, or remove the clone with all that is ` +
        `on it (vmrun deleteVM ${clone})`,
    );
  }
  if ((await productHere()) === 'player')
    throw conflict(`${node.name}: VMware Player makes no linked clones; set linked_clone to false, or use Workstation`);
  await takeBase(source);
  signal.throwIfAborted();
  await mkdir(path.dirname(path.dirname(clone)), { recursive: true });
  await vmrun(['clone', source, clone, 'linked', `-snapshot=${BASE_SNAPSHOT}`, `-cloneName=${cloneName(node, mark)}`]);
  const vmx = await readVmx(clone);
  vmx.set({ [ORIGIN]: source });
  await writeVmx(clone, vmx);
  return clone;
};

/** Clones share the disks of a snapshot; it is taken once, of a machine that is off. */
const takeBase = async (source: string): Promise<void> => {
  if ((await snapshotsOf(source)).includes(BASE_SNAPSHOT)) return;
  if ((await runningVms()).includes(source))
    throw conflict(`${source} is not off, and its first linked clone needs a snapshot of it; shut it down`);
  await vmrun(['snapshot', source, BASE_SNAPSHOT]);
};

/** With its disks. Fine when there is none. */
export const removeClone = async (node: KindNode): Promise<void> => {
  if (node.node_directory === null) return;
  const clone = clonePath(node);
  if (await isThere(clone)) await vmrun(['deleteVM', clone]);
  await rm(path.dirname(clone), { recursive: true, force: true });
};
