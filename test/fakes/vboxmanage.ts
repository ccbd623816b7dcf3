/**
 * Stands in for VBoxManage of VirtualBox 7.0, after its manual and what it prints: the commands that are used here, with their
 * arguments, in the states of a machine that take them. Anything else is an error, and goes on record.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { requestedFailure } from './desktop-host.ts';
import { machineReadable, readable } from './vboxmanage-info.ts';
import { modify } from './vboxmanage-modify.ts';
import { controlVm, startVm, unregister } from './vboxmanage-run.ts';
import {
  apiError,
  type FakeVBox,
  type FakeVm,
  freshNic,
  isOnline,
  locked,
  stateOf,
  syntaxError,
  vmNamed,
} from './vboxmanage-state.ts';

const PROGRESS = '0%...10%...20%...30%...40%...50%...60%...70%...80%...90%...100%\n';
const NO_DRIVER =
  'WARNING: The vboxdrv kernel module is not loaded. Either there is no module\n' +
  '         available for the current kernel (6.1.0) or it failed to\n' +
  '         load. Please recompile the kernel module and install it by\n\n' +
  '           sudo /sbin/vboxconfig\n\n' +
  '         You will not be able to start VMs until this problem is fixed.\n';

export const fakeVBoxManage = async (box: FakeVBox, [command, ...args]: readonly string[]): Promise<string> => {
  const warning = box.noDriver ? NO_DRIVER : '';
  return warning + (await answer(box, command ?? '', args));
};

const answer = async (box: FakeVBox, command: string, args: readonly string[]): Promise<string> => {
  const [first, ...rest] = args;
  switch (command) {
    case '--version':
      return '7.0.20r163906\n';
    case 'list':
      if (args.join() !== 'vms') throw syntaxError(`Unknown subcommand: ${args.join(' ')}`);
      return box.vms.map(({ name, uuid }) => `"${name}" {${uuid}}\n`).join('');
    case 'showvminfo':
      if (rest.length === 0) return readable(vmNamed(box, first));
      if (rest.join() !== '--machinereadable') throw syntaxError(`Unknown option: ${rest.join(' ')}`);
      return machineReadable(vmNamed(box, first));
    case 'getextradata':
    case 'setextradata':
      return extraData(vmNamed(box, first), command, rest);
    case 'modifyvm':
      if (requestedFailure(command) !== null) throw locked(vmNamed(box, first));
      await modify(vmNamed(box, first), rest);
      return '';
    case 'snapshot':
      return snapshot(vmNamed(box, first), rest);
    case 'clonevm':
      return clone(box, vmNamed(box, first), rest);
    case 'startvm':
      return startVm(vmNamed(box, first), rest);
    case 'controlvm':
      return controlVm(vmNamed(box, first), rest);
    case 'unregistervm':
      return unregister(box.vms, vmNamed(box, first), rest);
    default:
      throw syntaxError(`Invalid command '${command}'`);
  }
};

const extraData = (vm: FakeVm, command: string, [key, value, ...more]: readonly string[]): string => {
  if (key === undefined || more.length > 0) throw syntaxError('Not enough parameters');
  if (command === 'getextradata') {
    if (key === 'enumerate')
      return Object.entries(vm.extra)
        .map(([one, content]) => `Key: ${one}, Value: ${content}\n`)
        .join('');
    const found = vm.extra[key];
    return found === undefined ? 'No value set!\n' : `Value: ${found}\n`;
  }
  // Without a value the key goes.
  vm.extra = Object.fromEntries(Object.entries({ ...vm.extra, [key]: value ?? '' }).filter(([, one]) => one !== ''));
  return '';
};

const snapshot = async (vm: FakeVm, [action, name, ...more]: readonly string[]): Promise<string> => {
  if (action !== 'take' || name === undefined || more.length > 0) throw syntaxError('Invalid parameter');
  if (isOnline(await stateOf(vm))) throw locked(vm);
  const uuid = randomUUID();
  vm.snapshots.push({ name, uuid });
  return `${PROGRESS}Snapshot taken. UUID: ${uuid}\n`;
};

const clone = (box: FakeVBox, vm: FakeVm, args: readonly string[]): string => {
  const options = new Map<string, string>();
  for (let n = 0; n < args.length; n++) {
    const option = args[n] ?? '';
    if (option === '--register') options.set(option, 'yes');
    else if (['--snapshot', '--options', '--name', '--basefolder'].includes(option))
      options.set(option, args[++n] ?? '');
    else throw syntaxError(`Unknown option: ${option}`);
  }
  const of = (option: string): string => options.get(option) ?? '';
  if (of('--options') !== 'link' || of('--register') !== 'yes' || !path.isAbsolute(of('--basefolder')))
    throw syntaxError('The fake only makes registered linked clones in a folder');
  const base = vm.snapshots.find(({ name, uuid }) => name === of('--snapshot') || uuid === of('--snapshot'));
  checkClone(box, vm, of('--snapshot'), base !== undefined, of('--name'));
  const folder = path.join(of('--basefolder'), of('--name'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${of('--name')}.vbox`), '');
  box.vms.push({
    ...structuredClone(vm),
    ...{ uuid: randomUUID(), name: of('--name'), folder, snapshots: [], extra: {}, parent: base?.uuid ?? null },
    // A clone has addresses of its own.
    nics: vm.nics.map((nic, n) => ({ ...structuredClone(nic), mac: freshNic(n).mac })),
  });
  return `${PROGRESS}Machine has been successfully cloned as "${of('--name')}"\n`;
};

const checkClone = (box: FakeVBox, vm: FakeVm, snapshotName: string, hasBase: boolean, name: string): void => {
  const machine = 'component MachineWrap, interface IMachine';
  if (snapshotName === '')
    throw apiError(
      'Linked clone can only be created from a snapshot',
      'E_INVALIDARG (0x80070057)',
      machine,
      'CloneTo()',
    );
  if (!hasBase)
    throw apiError(
      `Could not find a snapshot named '${snapshotName}'`,
      'VBOX_E_OBJECT_NOT_FOUND (0x80bb0001)',
      machine,
      'FindSnapshot(Bstr(pszSnapshotName).raw(), snapshot.asOutParam())',
    );
  if (box.vms.some((one) => one.name === name))
    throw apiError(
      `Machine settings file '${name}.vbox' already exists`,
      'VBOX_E_FILE_ERROR (0x80bb0004)',
      machine,
      'CreateMachine()',
    );
  if (requestedFailure('clonevm') !== null)
    throw apiError(
      `Could not create the clone medium '${vm.name}-disk1.vdi' (VERR_DISK_FULL)`,
      'VBOX_E_FILE_ERROR (0x80bb0004)',
      machine,
      'CloneTo()',
    );
};
