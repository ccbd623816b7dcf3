/**
 * Stands in for vmrun of VMware Workstation 16, after its documentation and what it prints: the commands that are used here, with
 * their parameters, in the states of a machine that take them. Anything else is an error, and goes on record.
 */
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandMachine, machineIs, requestedFailure } from './desktop-host.ts';
import { start, unlock } from './vmrun-start.ts';
import {
  controlOf,
  failure,
  type FakeVMware,
  type FakeVmx,
  notOn,
  openVmx,
  stateOf,
  statusOf,
  usage,
} from './vmrun-state.ts';

const PRODUCTS = ['ws', 'player', 'fusion'];
/** Player only switches machines on and off. */
const NOT_OF_PLAYER = ['pause', 'unpause', 'snapshot', 'listSnapshots', 'clone', 'deleteVM'];

export const fakeVmrun = async (
  vmware: FakeVMware,
  [flag, product = '', command = '', ...args]: readonly string[],
): Promise<string> => {
  if (flag !== '-T' || !PRODUCTS.includes(product)) throw usage('-T <product> comes first');
  await collect(vmware);
  if (command === 'list') return list(vmware, args);
  if (product === 'player' && NOT_OF_PLAYER.includes(command)) throw failure('The operation is not supported');
  const [vmx = '', ...rest] = args;
  openVmx(args[0]);
  const known = (vmware.vms[vmx] ??= { snapshots: [], tools: true });
  return answer(vmware, command, vmx, known, rest);
};

/** Machines whose guests have shut them down. */
const collect = async (vmware: FakeVMware): Promise<void> => {
  for (const vmx of Object.keys(vmware.vms))
    if (existsSync(`${vmx}.lck`) && (await stateOf(vmx)) === null) unlock(vmx, null);
};

const list = async (vmware: FakeVMware, args: readonly string[]): Promise<string> => {
  if (args.length > 0) throw usage('list has no parameters');
  const running: string[] = [];
  for (const vmx of Object.keys(vmware.vms)) if ((await stateOf(vmx)) !== null) running.push(vmx);
  return [`Total running VMs: ${running.length}`, ...running].join('\n') + '\n';
};

const answer = async (
  vmware: FakeVMware,
  command: string,
  vmx: string,
  known: FakeVmx,
  args: readonly string[],
): Promise<string> => {
  switch (command) {
    case 'start':
      return start(vmx, known, args);
    case 'stop':
    case 'reset':
    case 'suspend':
      return power(command, vmx, known, args);
    case 'pause':
    case 'unpause':
      return pause(command, vmx, args);
    case 'listSnapshots':
      return [`Total snapshots: ${known.snapshots.length}`, ...known.snapshots].join('\n') + '\n';
    case 'snapshot':
      return snapshot(known, args);
    case 'clone':
      return clone(vmware, vmx, known, args);
    case 'deleteVM':
      if ((await stateOf(vmx)) !== null)
        throw failure('The virtual machine should not be powered on. It is already running.');
      rmSync(path.dirname(vmx), { recursive: true, force: true });
      vmware.vms = Object.fromEntries(Object.entries(vmware.vms).filter(([one]) => one !== vmx));
      return '';
    default:
      throw usage(`unknown command ${command}`);
  }
};

const power = async (
  command: string,
  vmx: string,
  known: FakeVmx,
  [how, ...more]: readonly string[],
): Promise<string> => {
  if (!['hard', 'soft', undefined].includes(how) || more.length > 0) throw usage('hard or soft');
  const state = await stateOf(vmx);
  if (state === null) throw notOn(vmx);
  if (requestedFailure(`${command}-${how ?? ''}`) !== null) throw failure('Insufficient disk space');
  if (command === 'reset') await commandMachine(controlOf(vmx), 'reset');
  else if (command === 'suspend') {
    if (state === 'paused') throw failure('The operation is not possible while the virtual machine is paused');
    await commandMachine(controlOf(vmx), 'savestate');
    await machineIs(statusOf(vmx), 'saved');
    unlock(vmx, 'machine-1234.vmss');
  } else {
    if (how === 'soft' && !known.tools) throw failure('VMware Tools are not running in the guest');
    await commandMachine(controlOf(vmx), how === 'soft' ? 'button' : 'poweroff');
    await machineIs(statusOf(vmx), 'poweroff');
    unlock(vmx, null);
  }
  return '';
};

const pause = async (command: string, vmx: string, args: readonly string[]): Promise<string> => {
  if (args.length > 0) throw usage(`${command} has no parameters`);
  const state = await stateOf(vmx);
  if (state === null) throw notOn(vmx);
  if ((state === 'paused') === (command === 'pause')) throw failure('The operation is not possible in this state');
  await commandMachine(controlOf(vmx), command === 'pause' ? 'pause' : 'resume');
  await machineIs(statusOf(vmx), command === 'pause' ? 'paused' : 'running');
  return '';
};

const snapshot = (known: FakeVmx, [name, ...more]: readonly string[]): string => {
  if (name === undefined || more.length > 0) throw usage('snapshot has one name');
  if (known.snapshots.includes(name)) throw failure('The name already exists');
  known.snapshots.push(name);
  return '';
};

const clone = (vmware: FakeVMware, vmx: string, known: FakeVmx, args: readonly string[]): string => {
  const [destination = '', type, ...options] = args;
  const of = (name: string): string | undefined =>
    options.find((option) => option.startsWith(`-${name}=`))?.slice(name.length + 2);
  if (type !== 'linked' || options.length !== 2 || of('cloneName') === undefined) throw usage('clone <vmx> linked');
  if (!known.snapshots.includes(of('snapshot') ?? '')) throw failure('Invalid snapshot name');
  if (existsSync(destination)) throw failure('The file already exists');
  mkdirSync(path.dirname(destination), { recursive: true });
  const lines = [...openVmx(vmx)].filter(
    ([key]) => !/^(?:displayname|topolog\.|ethernet\d+\.generatedaddress)/.test(key),
  );
  const text = [...lines, ['displayName', of('cloneName') ?? '']].map(([key, value]) => `${key} = "${value}"`);
  writeFileSync(destination, `${text.join('\n')}\n`);
  vmware.vms[realpathSync(destination)] = { snapshots: [], tools: known.tools };
  return '';
};
