import { mkdir } from 'node:fs/promises';
import { conflict, engineFailed } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';
import { directoryOf } from '../shared/node-directory.ts';
import { BASE_SNAPSHOT, cloneName } from '../shared/desktop-vm/claim.ts';
import { type MachineInfo, machineInfo } from './machine-info.ts';
import { isNotFound, vboxManage } from './vboxmanage.ts';

/** Key of a clone's extra data: the UUID of the machine that it was made of. */
const ORIGIN = 'topolog/origin';

/** null: VirtualBox has no such machine. */
export const infoOf = async (machine: string): Promise<MachineInfo | null> => {
  try {
    return machineInfo(await vboxManage('showvminfo', machine, '--machinereadable'));
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
};

/** The machine that a node names. Throws a conflict that says which there are. */
export const sourceInfo = async (vmname: string): Promise<MachineInfo> => {
  const found = await infoOf(vmname);
  if (found !== null) return found;
  const listed = await vboxManage('list', 'vms');
  const names = [...listed.matchAll(/^"(.*)" \{[0-9a-f-]+\}$/gm)].map(([, name = '']) => name);
  const known = names.filter((name) => !name.startsWith('topolog-'));
  const there = known.length === 0 ? 'it has none of this user' : `it has ${known.join(', ')}`;
  throw conflict(`vmname: VirtualBox has no machine ${vmname}; ${there}`, { field: 'vmname' });
};

/** A node's own clone, made of the original when there is none yet. */
export const cloneFor = async (
  node: KindNode,
  vmname: string,
  mark: string,
  signal: AbortSignal,
): Promise<MachineInfo> => {
  const source = await sourceInfo(vmname);
  const name = cloneName(node, mark);
  const known = await infoOf(name);
  if (known !== null) return fitting(known, source, name);
  const folder = directoryOf(node);
  await takeBase(source);
  signal.throwIfAborted();
  await mkdir(folder, { recursive: true });
  const options = ['--options', 'link', '--name', name, '--basefolder', folder, '--register'];
  await vboxManage('clonevm', source.uuid, '--snapshot', BASE_SNAPSHOT, ...options);
  await vboxManage('setextradata', name, ORIGIN, source.uuid);
  const made = await infoOf(name);
  if (made !== null) return made;
  throw engineFailed(node.name, `its clone ${name} is not there`);
};

const fitting = async (clone: MachineInfo, source: MachineInfo, name: string): Promise<MachineInfo> => {
  const remove = `VBoxManage unregistervm ${name} --delete`;
  if (clone.name === '<inaccessible>')
    throw conflict(
      `the clone ${name} cannot be read by VirtualBox; remove it (${remove}), and the next start makes another`,
    );
  const origin = (await extraData(clone.uuid)).get(ORIGIN);
  if (origin !== undefined && origin !== source.uuid)
    throw conflict(
      `the node's clone was made of another machine than vmname ${source.name}; set vmname back, or remove the clone with all ` +
        `that is on it (${remove})`,
    );
  return clone;
};

/** Clones share the disks of a snapshot; it is taken once, of a machine that is off. */
const takeBase = async (source: MachineInfo): Promise<void> => {
  if (source.snapshots.includes(BASE_SNAPSHOT)) return;
  if (source.state !== 'off')
    throw conflict(`${source.name} is not off, and its first linked clone needs a snapshot of it; shut it down`);
  await vboxManage('snapshot', source.uuid, 'take', BASE_SNAPSHOT);
};

/** Lines are `Key: <key>, Value: <value>`. */
export const extraData = async (machine: string): Promise<Map<string, string>> => {
  const listed = await vboxManage('getextradata', machine, 'enumerate');
  return new Map(
    [...listed.matchAll(/^Key: (.*?), Value: (.*)$/gm)].map(([, key = '', value = '']) => [key, value.trim()]),
  );
};

/** A clone with its disks. Fine when there is none. */
export const removeClone = async (name: string): Promise<void> => {
  try {
    await vboxManage('unregistervm', name, '--delete');
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
};
