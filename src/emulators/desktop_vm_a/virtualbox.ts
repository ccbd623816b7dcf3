import path from 'node:path';
import { conflict, engineFailed } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import type { EngineContext, KindNode, Missing } from '../kit/contract.ts';
import { usableAdapters } from '../shared/desktop-vm/adapter-use.ts';
import { claimOf, cloneName, takenReason } from '../shared/desktop-vm/claim.ts';
import type { Found, Hypervisor, Machine, MachineState, Tunnel, Wishes } from '../shared/desktop-vm/hypervisor.ts';
import { oneAtATime } from '../shared/desktop-vm/one-at-a-time.ts';
import { desktopSettings } from '../shared/desktop-vm/settings.ts';
import { tailOf } from '../shared/process/output.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import { cloneFor, extraData, infoOf, removeClone, sourceInfo } from './clones.ts';
import { type MachineInfo, readTunnels } from './machine-info.ts';
import { looseOptions, portOptions, serialOptions, tunnelOptions } from './machine-settings.ts';
import { vboxLacks, vboxManage } from './vboxmanage.ts';

/** Key of a machine's extra data, which VirtualBox keeps with its settings: whose it is. */
const CLAIM = 'topolog/node';
const LOOK_MS = 100;

/** VirtualBox 5 and newer, by its program VBoxManage. */
export class VirtualBox implements Hypervisor {
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

  async find(node: KindNode): Promise<Found | null> {
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

  async setUp(node: KindNode, { id }: Machine, wishes: Wishes): Promise<void> {
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

  async adapters(node: KindNode, { id }: Machine, wired: Wishes['wired']): Promise<number[]> {
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
      far: Number(sport),
    }));
    return tunnels.every(({ fabric, far }) => fabric > 0 && far > 0) ? tunnels : null;
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
      if (state !== 'busy') throw await this.#ended(node, machine);
      return false;
    };
    await until(isUp, { every: LOOK_MS, signal });
  }

  async #ended(node: KindNode, machine: Machine): Promise<Error> {
    const said = (await this.lastWords(machine)) || 'its log is empty';
    return engineFailed(node.name, `it ended at once: ${said}`);
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

  async lastWords({ id }: Machine): Promise<string> {
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
  ...['startvm', id, '--type'],
  desktopSettings(properties).headless ? 'headless' : 'gui',
];

/** A saved machine takes other ports for the adapters that it has, and nothing else. */
const optionsFor = (node: KindNode, info: MachineInfo, { tunnels, wired, serial }: Wishes): string[] => {
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

const checkSaved = ({ name, uuid, tunnelled, serial }: MachineInfo, wishes: Wishes): void => {
  const fits = wishes.tunnels.map(({ adapter }) => adapter).join() === tunnelled.join();
  if (fits && (wishes.serial === null || serial === `server,${wishes.serial}`)) return;
  throw conflict(
    `${name} has a saved state with other adapters or another console than the node has now; set them back, or discard the ` +
      `state (VBoxManage discardstate ${uuid})`,
  );
};
