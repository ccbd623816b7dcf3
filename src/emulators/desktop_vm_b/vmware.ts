import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import { isThere } from '../../common/file.ts';
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
import { networkLacks } from '../shared/network/privileges.ts';
import { directoryOf } from '../shared/outside-engine.ts';
import { tailOf } from '../shared/process/child.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import { createVmnets, type Vmnets } from './vmnets.ts';
import { productHere, runningVms, snapshotsOf, vmrun, VmrunError, vmrunLacks } from './vmrun.ts';
import {
  adapterValues,
  CLAIM,
  isSaved,
  loosen,
  MOST_ADAPTERS,
  readVmx,
  serialValues,
  usesOf,
  vmnetOf,
  type Vmx,
  writeVmx,
} from './vmx-file.ts';

/** Runs machines of VMware Workstation, Player and Fusion. */
export const VMWARE: EngineFactory = {
  name: 'vmware',
  create: (context) => new DesktopEngine(context, new VMware(context)),
};

/** Milliseconds in which a machine that vmrun has started is on its list. */
const LISTED_MS = 10_000;
const POLL_MS = 250;

/** VMware Workstation, Player and Fusion, by their program vmrun. A machine's id is the real path of its definition file. */
class VMware implements Hypervisor {
  readonly name = 'vmware';
  readonly #mark: string;
  readonly #vmnets: Vmnets;
  readonly #turns = oneAtATime();

  constructor(context: Pick<EngineContext, 'mark'>) {
    this.#mark = context.mark;
    this.#vmnets = createVmnets(context);
  }

  sourceOf({ properties }: Pick<KindNode, 'properties'>): string {
    return String(properties['vmx_path']);
  }

  async missing(node: Pick<KindNode, 'properties'> | null): Promise<Missing | null> {
    const lacks = await vmrunLacks();
    if (lacks !== null || node === null || desktopSettings(node.properties).adapters === 0) return lacks;
    const otherwise = 'set the adapters of the node to 0';
    return process.platform === 'linux'
      ? networkLacks({ socat: 'socat', ip: 'iproute2' }, 'its adapters', otherwise)
      : { needs: 'Linux for its adapters', install: `run the server on Linux, or ${otherwise}` };
  }

  async find(node: KindNode): Promise<FoundMachine | null> {
    if ((await vmrunLacks()) !== null) return null;
    const isClone = desktopSettings(node.properties).linkedClone;
    const file = isClone ? clonePath(node) : this.sourceOf(node);
    if (!(await isThere(file))) return null;
    const machine = await machineAt(file);
    if ((await readVmx(machine.id)).get(CLAIM) !== claimOf(node, this.#mark)) return null;
    return { machine, state: await this.state(node, machine) };
  }

  async obtain(node: KindNode, signal: AbortSignal): Promise<Machine> {
    const given = this.sourceOf(node);
    if (!path.isAbsolute(given) || !given.endsWith('.vmx'))
      throw conflict(`vmx_path ${given} must be the absolute path of a file that ends with .vmx`, {
        field: 'vmx_path',
      });
    await readVmx(given);
    const source = await realpath(given);
    const file = desktopSettings(node.properties).linkedClone
      ? await this.#turns(source, () => cloneFor(node, source, this.#mark, signal))
      : source;
    const machine = await machineAt(file);
    const vmx = await readVmx(machine.id);
    if (vmx.get('encryption.keySafe') !== null)
      throw conflict(`vmx_path: ${machine.id} is encrypted; take its encryption off in VMware`, { field: 'vmx_path' });
    await this.#checkFree(node, machine, vmx);
    return machine;
  }

  async #checkFree(node: KindNode, machine: Machine, vmx: Vmx): Promise<void> {
    const claim = vmx.get(CLAIM);
    const state = await this.state(node, machine);
    if (state === 'off' || claim === claimOf(node, this.#mark)) return;
    throw conflict(takenReason(machine.title, claim, 'in VMware: Power Off', state === 'saved'));
  }

  async state(node: KindNode, { id }: Machine): Promise<MachineState> {
    if (await isListed(id)) return (await isThere(pausedFile(node))) ? 'paused' : 'running';
    return isSaved(await readVmx(id)) ? 'saved' : 'off';
  }

  async setUp(
    node: KindNode,
    { id }: Machine,
    { serial, tunnels, releasePorts }: MachineSetup,
    signal: AbortSignal,
  ): Promise<void> {
    await rm(pausedFile(node), { force: true });
    const vmx = await readVmx(id);
    const { adapterType } = desktopSettings(node.properties);
    const numbers = tunnels.map(({ adapter }) => adapter);
    const vmnets = await this.#vmnets.take(node, numbers, networksOf(vmx));
    for (const port of node.ports) {
      const vmnet = vmnets.get(port.adapter_number);
      if (vmnet !== undefined) vmx.set(adapterValues(port, vmnet, adapterType));
    }
    if (serial !== null) vmx.set(serialValues(serial));
    vmx.set({ [CLAIM]: claimOf(node, this.#mark) });
    await releasePorts();
    await this.#vmnets.relay(node, vmnets, tunnels, signal);
    await writeVmx(id, vmx);
  }

  async adapters({ properties }: KindNode, { id, title }: Machine, wired: MachineSetup['wired']): Promise<number[]> {
    const { adapters, useAnyAdapter } = desktopSettings(properties);
    const free = (adapter: number): string => `take it off there (ethernet${adapter}.present = "FALSE" in its .vmx)`;
    return usableAdapters(title, usesOf(await readVmx(id), adapters), { useAnyAdapter, wired }, free);
  }

  async tunnels(node: KindNode, { id }: Machine): Promise<Tunnel[] | null> {
    const vmx = await readVmx(id);
    const ours = [...networksOf(vmx)].filter(([adapter]) => vmx.get(`ethernet${adapter}.startConnected`) !== 'FALSE');
    return this.#vmnets.relays(node, new Map(ours));
  }

  async takeDown(node: KindNode, machine: Machine | null, serial: string): Promise<void> {
    await this.#vmnets.release(node);
    if (machine === null || (await this.state(node, machine)) !== 'off') return;
    await rm(pausedFile(node), { force: true });
    const vmx = await readVmx(machine.id);
    loosen(vmx, serial);
    await writeVmx(machine.id, vmx);
  }

  async launch(node: KindNode, machine: Machine, signal: AbortSignal): Promise<void> {
    await vmrun(startArguments(node, machine));
    const isUp = await until(() => isListed(machine.id), { every: POLL_MS, within: LISTED_MS, signal });
    if (!isUp) throw endedAtOnce(node, await this.logTail(machine));
  }

  commandLine(node: KindNode, machine: Machine): string {
    return joinWords(['vmrun', ...startArguments(node, machine)]);
  }

  /** vmrun does not tell whether a machine is paused, so it is noted beside the node's files. */
  async pause(node: KindNode, { id }: Machine): Promise<void> {
    if ((await productHere()) === 'player')
      throw conflict(`${node.name}: VMware Player cannot suspend a machine; use Workstation`);
    await vmrun(['pause', id]);
    await mkdir(path.dirname(pausedFile(node)), { recursive: true });
    await writeFile(pausedFile(node), '');
  }

  async unpause(node: KindNode, { id }: Machine): Promise<void> {
    await vmrun(['unpause', id]);
    await rm(pausedFile(node), { force: true });
  }

  async reset(_node: KindNode, { id }: Machine): Promise<void> {
    await vmrun(['reset', id, 'hard']);
  }

  /** Needs VMware Tools in the guest; vmrun comes back when the guest is down. */
  async askToShutDown(node: KindNode, machine: Machine, patience: number, signal: AbortSignal): Promise<void> {
    if ((await this.state(node, machine)) === 'paused') await this.unpause(node, machine);
    await vmrun(['stop', machine.id, 'soft'], { timeout: patience, signal });
  }

  /** A paused machine cannot be suspended. */
  async save(node: KindNode, machine: Machine): Promise<void> {
    if ((await this.state(node, machine)) === 'paused') await this.unpause(node, machine);
    await vmrun(['suspend', machine.id, 'hard']);
  }

  async powerOff(_node: KindNode, { id }: Machine): Promise<void> {
    try {
      await vmrun(['stop', id, 'hard']);
    } catch (error) {
      if (!(error instanceof VmrunError) || !/not powered on/.test(error.message)) throw error;
    }
  }

  /** vmware-vmx has the definition file as its last argument, which may have spaces in it. */
  isProcessOf({ id }: Machine, argv: readonly string[]): boolean {
    const line = argv.join(' ');
    return /(?:^|[\\/])vmware-vmx(?:-\w+)?(?:\.exe)? /.test(line) && line.endsWith(` ${id}`);
  }

  async logTail({ id }: Machine): Promise<string> {
    return tailOf({ path: path.join(path.dirname(id), 'vmware.log'), begins: 0 });
  }

  async remove(node: KindNode): Promise<void> {
    // A machine of the user's that was saved stays saved, and is nobody's.
    const found = await this.find(node);
    if (found !== null) {
      const vmx = await readVmx(found.machine.id);
      vmx.delete(CLAIM);
      await writeVmx(found.machine.id, vmx);
    }
    await removeClone(node);
  }
}

const machineAt = async (file: string): Promise<Machine> => {
  const id = await realpath(file);
  return { id, title: id };
};

const isListed = async (id: string): Promise<boolean> => {
  for (const file of await runningVms()) if ((await realpath(file).catch(() => file)) === id) return true;
  return false;
};

/** The networks that adapters were on at the last start. */
const networksOf = (vmx: Vmx): Map<number, string> =>
  new Map(
    Array.from({ length: MOST_ADAPTERS }, (_, adapter) => [adapter, vmnetOf(vmx, adapter)] as const).filter(
      (entry): entry is [number, string] => entry[1] !== null,
    ),
  );

const startArguments = ({ properties }: KindNode, { id }: Machine): string[] => [
  'start',
  id,
  desktopSettings(properties).headless ? 'nogui' : 'gui',
];

const pausedFile = ({ node_directory }: KindNode): string => path.join(node_directory ?? '', 'vmware.paused');

/** Key of a clone's definition file: the machine that it was made of. */
const ORIGIN = 'topolog.origin';

/** Path of a node's clone, whether there is one or not. */
export const clonePath = (node: Pick<KindNode, 'node_directory' | 'name'>): string =>
  path.join(directoryOf(node), 'clone', 'clone.vmx');

/** The path of a node's own clone, made of the original when there is none yet. */
const cloneFor = async (node: KindNode, source: string, mark: string, signal: AbortSignal): Promise<string> => {
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

/** Removes the clone with its disks. Fine when there is none. */
const removeClone = async (node: KindNode): Promise<void> => {
  if (node.node_directory === null) return;
  const clone = clonePath(node);
  if (await isThere(clone)) await vmrun(['deleteVM', clone]);
  await rm(path.dirname(clone), { recursive: true, force: true });
};
