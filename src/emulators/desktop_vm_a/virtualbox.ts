import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { conflict, engineFailed } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import type { EngineContext, EngineFactory, KindNode, Missing } from '../kit/contract.ts';
import { usableAdapters } from '../shared/desktop-vm/adapters.ts';
import { DesktopEngine } from '../shared/desktop-vm/desktop-engine.ts';
import {
  BASE_SNAPSHOT,
  claimOf,
  cloneName,
  desktopSettings,
  endedAtOnce,
  type FoundMachine,
  type Hypervisor,
  type Machine,
  type MachineSetup,
  type MachineState,
  oneAtATime,
  takenReason,
  type Tunnel,
} from '../shared/desktop-vm/hypervisor.ts';
import { directoryOf } from '../shared/outside-engine.ts';
import { tailOf } from '../shared/process/child.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import {
  looseOptions,
  type MachineInfo,
  machineInfo,
  portOptions,
  readTunnels,
  serialOptions,
  tunnelOptions,
} from './machine-settings.ts';
import { isNotFound, vboxLacks, vboxManage } from './vboxmanage.ts';

/** Runs machines of VirtualBox. */
export const VIRTUALBOX: EngineFactory = {
  name: 'virtualbox',
  create: (context) => new DesktopEngine(context, new VirtualBox(context)),
};

/** Key of a machine's extra data, which VirtualBox keeps with its settings: whose it is. */
const CLAIM = 'topolog/node';
const POLL_MS = 100;

/** VirtualBox 5 and newer, by its program VBoxManage. */
class VirtualBox implements Hypervisor {
  readonly name = 'virtualbox';
  readonly #mark: string;
  readonly #turns = oneAtATime();

  constructor({ mark }: Pick<EngineContext, 'mark'>) {
    this.#mark = mark;
  }

  sourceOf({ properties }: Pick<KindNode, 'properties'>): string {
    return String(properties['vmname']);
  }

  missing(node: Pick<KindNode, 'properties'> | null): Promise<Missing | null> {
    return vboxLacks(node !== null);
  }

  async find(node: KindNode): Promise<FoundMachine | null> {
    if ((await vboxLacks(false)) !== null) return null;
    const info = await infoOf(this.#nameFor(node));
    if (info === null || (await extraData(info.uuid)).get(CLAIM) !== claimOf(node, this.#mark)) return null;
    return { machine: machineOf(info), state: info.state };
  }

  #nameFor(node: KindNode): string {
    return desktopSettings(node.properties).linkedClone ? cloneName(node, this.#mark) : this.sourceOf(node);
  }

  async obtain(node: KindNode, signal: AbortSignal): Promise<Machine> {
    const vmname = this.sourceOf(node);
    const info = desktopSettings(node.properties).linkedClone
      ? await this.#turns(vmname, () => cloneFor(node, vmname, this.#mark, signal))
      : await sourceInfo(vmname);
    if (info.state !== 'off') await this.#checkOurs(node, info);
    return machineOf(info);
  }

  async #checkOurs(node: KindNode, { uuid, name, state }: MachineInfo): Promise<void> {
    const claim = (await extraData(uuid)).get(CLAIM) ?? null;
    if (claim !== claimOf(node, this.#mark))
      throw conflict(takenReason(name, claim, `VBoxManage discardstate ${uuid}`, state === 'saved'));
  }

  async state(_node: KindNode, { id }: Machine): Promise<MachineState> {
    return (await infoOf(id))?.state ?? 'off';
  }

  async setUp(node: KindNode, { id }: Machine, wishes: MachineSetup): Promise<void> {
    const info = await this.#info(node, id);
    if (info.state === 'saved') checkSaved(info, wishes);
    const options = optionsFor(node, info, wishes);
    if (options.length > 0) await vboxManage('modifyvm', id, ...options);
    await vboxManage('setextradata', id, CLAIM, claimOf(node, this.#mark));
  }

  async #info({ name }: KindNode, id: string): Promise<MachineInfo> {
    const info = await infoOf(id);
    if (info === null) throw engineFailed(name, 'its machine is gone');
    return info;
  }

  async adapters(node: KindNode, { id }: Machine, wired: MachineSetup['wired']): Promise<number[]> {
    const info = await this.#info(node, id);
    const { adapters, useAnyAdapter } = desktopSettings(node.properties);
    if (adapters > info.adapters.length)
      throw conflict(
        `${info.name} has a chipset with ${info.adapters.length} adapters, and the node has ${adapters}; set adapters to fewer, ` +
          `or give it another chipset (VBoxManage modifyvm ${info.uuid} --chipset ich9)`,
        { field: 'adapters' },
      );
    const free = (adapter: number): string =>
      `take it off there (VBoxManage modifyvm ${info.uuid} --nic${adapter + 1} null)`;
    return usableAdapters(info.name, info.adapters.slice(0, adapters), { useAnyAdapter, wired }, free);
  }

  async tunnels(_node: KindNode, { id }: Machine): Promise<Tunnel[] | null> {
    const found = readTunnels(await vboxManage('showvminfo', id));
    const tunnels = [...found].map(([adapter, { sport, dport }]) => ({
      adapter,
      fabric: Number(dport),
      peer: Number(sport),
    }));
    return tunnels.every(({ fabric, peer }) => fabric > 0 && peer > 0) ? tunnels : null;
  }

  async takeDown(_node: KindNode, machine: Machine | null, serial: string): Promise<void> {
    const info = machine === null ? null : await infoOf(machine.id);
    if (info?.state !== 'off') return;
    const options = [
      ...looseOptions(info.tunnelled),
      ...(info.serial === `server,${serial}` ? ['--uart1', 'off'] : []),
    ];
    if (options.length > 0) await vboxManage('modifyvm', info.uuid, ...options);
    await vboxManage('setextradata', info.uuid, CLAIM);
  }

  async launch(node: KindNode, machine: Machine, signal: AbortSignal): Promise<void> {
    await vboxManage(...startArguments(node, machine));
    const isUp = async (): Promise<boolean> => {
      const state = await this.state(node, machine);
      if (state === 'running' || state === 'paused') return true;
      if (state !== 'busy') throw endedAtOnce(node, await this.logTail(machine));
      return false;
    };
    await until(isUp, { every: POLL_MS, signal });
  }

  commandLine(node: KindNode, machine: Machine): string {
    return joinWords(['VBoxManage', ...startArguments(node, machine)]);
  }

  async pause(_node: KindNode, { id }: Machine): Promise<void> {
    await vboxManage('controlvm', id, 'pause');
  }

  async unpause(_node: KindNode, { id }: Machine): Promise<void> {
    await vboxManage('controlvm', id, 'resume');
  }

  async reset(_node: KindNode, { id }: Machine): Promise<void> {
    await vboxManage('controlvm', id, 'reset');
  }

  /** A paused guest would not hear its button. */
  async askToShutDown(node: KindNode, machine: Machine): Promise<void> {
    if ((await this.state(node, machine)) === 'paused') await vboxManage('controlvm', machine.id, 'resume');
    await vboxManage('controlvm', machine.id, 'acpipowerbutton');
  }

  async save(_node: KindNode, { id }: Machine): Promise<void> {
    await vboxManage('controlvm', id, 'savestate');
  }

  async powerOff(_node: KindNode, { id }: Machine): Promise<void> {
    await vboxManage('controlvm', id, 'poweroff');
  }

  async setCable({ id }: Machine, adapter: number, plugged: boolean): Promise<void> {
    await vboxManage('controlvm', id, `setlinkstate${adapter + 1}`, plugged ? 'on' : 'off');
  }

  /** VBoxHeadless and VirtualBoxVM are started with `--comment <name> --startvm <uuid>`. */
  isProcessOf({ id }: Machine, argv: readonly string[]): boolean {
    const at = argv.indexOf('--startvm');
    return at >= 0 && argv[at + 1] === id;
  }

  async logTail({ id }: Machine): Promise<string> {
    const info = await infoOf(id);
    return info === null ? '' : tailOf({ path: path.join(info.logFolder, 'VBox.log'), begins: 0 });
  }

  async remove(node: KindNode): Promise<void> {
    if ((await vboxLacks(false)) !== null) return;
    // A machine of the user's that was saved stays saved, and is nobody's.
    const found = await this.find(node);
    if (found !== null) await vboxManage('setextradata', found.machine.id, CLAIM);
    await removeClone(cloneName(node, this.#mark));
  }
}

const machineOf = ({ uuid, name }: MachineInfo): Machine => ({ id: uuid, title: name });

const startArguments = ({ properties }: KindNode, { id }: Machine): string[] => [
  'startvm',
  id,
  '--type',
  desktopSettings(properties).headless ? 'headless' : 'gui',
];

/** A saved machine takes other ports for the adapters that it has, and nothing else. */
const optionsFor = (node: KindNode, info: MachineInfo, { tunnels, wired, serial }: MachineSetup): string[] => {
  if (info.state === 'saved') return tunnels.flatMap((tunnel) => portOptions(tunnel, wired));
  const ram = Number(node.properties['ram'] ?? 0);
  const { adapterType } = desktopSettings(node.properties);
  const unused = info.tunnelled.filter((adapter) => !tunnels.some((tunnel) => tunnel.adapter === adapter));
  return [
    ...(ram > 0 ? ['--memory', `${ram}`] : []),
    ...tunnelOptions(tunnels, node.ports, adapterType, wired),
    ...looseOptions(unused),
    ...(serial === null ? [] : serialOptions(serial)),
  ];
};

const checkSaved = ({ name, uuid, tunnelled, serial }: MachineInfo, wishes: MachineSetup): void => {
  const fits = wishes.tunnels.map(({ adapter }) => adapter).join() === tunnelled.join();
  if (fits && (wishes.serial === null || serial === `server,${wishes.serial}`)) return;
  throw conflict(
    `${name} has a saved state with other adapters or another console than the node has now; set them back, or discard the ` +
      `state (VBoxManage discardstate ${uuid})`,
  );
};

/** Key of a clone's extra data: the UUID of the machine that it was made of. */
const ORIGIN = 'topolog/origin';

/** null: VirtualBox has no such machine. */
const infoOf = async (machine: string): Promise<MachineInfo | null> => {
  try {
    return machineInfo(await vboxManage('showvminfo', machine, '--machinereadable'));
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
};

/** The machine that a node names. Throws a conflict that says which there are. */
const sourceInfo = async (vmname: string): Promise<MachineInfo> => {
  const found = await infoOf(vmname);
  if (found !== null) return found;
  const listed = await vboxManage('list', 'vms');
  const names = [...listed.matchAll(/^"(.*)" \{[0-9a-f-]+\}$/gm)].map(([, name = '']) => name);
  const known = names.filter((name) => !name.startsWith('topolog-'));
  const there = known.length === 0 ? 'it has none of this user' : `it has ${known.join(', ')}`;
  throw conflict(`vmname: VirtualBox has no machine ${vmname}; ${there}`, { field: 'vmname' });
};

/** A node's own clone, made of the original when there is none yet. */
const cloneFor = async (node: KindNode, vmname: string, mark: string, signal: AbortSignal): Promise<MachineInfo> => {
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
const extraData = async (machine: string): Promise<Map<string, string>> => {
  const listed = await vboxManage('getextradata', machine, 'enumerate');
  return new Map(
    [...listed.matchAll(/^Key: (.*?), Value: (.*)$/gm)].map(([, key = '', value = '']) => [key, value.trim()]),
  );
};

/** A clone with its disks. Fine when there is none. */
const removeClone = async (name: string): Promise<void> => {
  try {
    await vboxManage('unregistervm', name, '--delete');
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
};
