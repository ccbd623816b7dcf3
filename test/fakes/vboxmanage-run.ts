import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { commandMachine, Exit, machineIs, requestedFailure, startMachine } from './desktop-host.ts';
import type { MachineSpec } from './desktop-machine-spec.ts';
import {
  apiError,
  controlOf,
  type FakeVm,
  invalidState,
  isOnline,
  locked,
  plainError,
  stateOf,
  statusOf,
  syntaxError,
} from './vboxmanage-state.ts';

const PROGRESS = '0%...10%...20%...30%...40%...50%...60%...70%...80%...90%...100%\n';

const specOf = (vm: FakeVm, restores: boolean, endsAtOnce: boolean): MachineSpec => {
  const [mode, socket] = vm.uart?.mode.split(',') ?? [];
  return {
    status: statusOf(vm),
    control: controlOf(vm),
    log: path.join(vm.folder, 'Logs', 'VBox.log'),
    serial: mode === 'server' ? (socket ?? null) : null,
    nics: vm.nics.flatMap((nic, adapter) =>
      nic.attachment === 'generic' && nic.driver === 'UDPTunnel'
        ? [{ adapter, from: Number(nic.properties['sport']), to: Number(nic.properties['dport']), interface: null }]
        : [],
    ),
    restores,
    obeysButton: vm.obeysButton,
    endsAtOnce,
  };
};

export const startVm = async (vm: FakeVm, options: readonly string[]): Promise<string> => {
  const [flag, type, ...more] = options;
  if (flag !== '--type' || !['gui', 'headless'].includes(type ?? '') || more.length > 0)
    throw syntaxError(`Invalid frontend type ${options.join(' ')}`);
  const state = await stateOf(vm);
  if (isOnline(state)) throw locked(vm);
  const waiting = `Waiting for VM "${vm.name}" to power on...\n`;
  const failure = requestedFailure('startvm');
  const refusal = failure === null ? null : startFailure(vm, failure);
  if (refusal !== null) throw new Exit(refusal.code, waiting, refusal.stderr);
  mkdirSync(path.join(vm.folder, 'Logs'), { recursive: true });
  const frontend = type === 'headless' ? 'VBoxHeadless' : 'VirtualBoxVM';
  const rest = type === 'headless' ? ['--vrde', 'config'] : ['--no-startvm-errormsgbox'];
  const args = ['--comment', vm.name, '--startvm', vm.uuid, ...rest];
  await startMachine(specOf(vm, state === 'saved', failure === 'ends'), frontend, args);
  for (const [index, nic] of vm.nics.entries()) if (!nic.cable) await commandMachine(controlOf(vm), `pull ${index}`);
  return `${waiting}VM "${vm.name}" has been successfully started.\n`;
};

/** Failures that VirtualBox documents, or is known for. */
const startFailure = ({ name }: FakeVm, failure: string): Exit | null => {
  const failed = 'NS_ERROR_FAILURE (0x80004005)';
  const machine = 'component MachineWrap, interface IMachine';
  const context =
    'LaunchVMProcess(a->session, sessionType.raw(), ComSafeArrayAsInParam(aBstrEnv), progress.asOutParam())';
  switch (failure) {
    case 'no-vtx':
      return apiError(
        'VT-x is disabled in the BIOS for all CPU modes (VERR_VMX_MSR_ALL_VMX_DISABLED)',
        failed,
        'component ConsoleWrap, interface IConsole',
        context,
      );
    case 'terminated':
      return apiError(
        `The virtual machine '${name}' has terminated unexpectedly during startup with exit code 1 (0x1)`,
        failed,
        machine,
        context,
      );
    case 'denied':
      return apiError('The object functionality is limited', 'E_ACCESSDENIED (0x80070005)', machine, context);
    case 'ends':
      return null;
    default:
      throw new Error(`${failure} is no failure of startvm`);
  }
};

/** What a machine must be for a command, and what it is told. */
const COMMANDS: Readonly<Record<string, { states: string[]; says: string; then?: string }>> = {
  pause: { states: ['running'], says: 'pause', then: 'paused' },
  resume: { states: ['paused'], says: 'resume', then: 'running' },
  reset: { states: ['running'], says: 'reset' },
  acpipowerbutton: { states: ['running'], says: 'button' },
  poweroff: { states: ['running', 'paused'], says: 'poweroff', then: 'poweroff' },
  savestate: { states: ['running', 'paused'], says: 'savestate', then: 'saved' },
};

export const controlVm = async (vm: FakeVm, [command = '', ...args]: readonly string[]): Promise<string> => {
  const state = await stateOf(vm);
  if (!isOnline(state)) throw plainError(`Machine '${vm.name}' is not currently running.`);
  if (requestedFailure(command) !== null)
    throw apiError(
      'Failed to save machine state',
      'VBOX_E_FILE_ERROR (0x80bb0004)',
      'component SessionMachine, interface IMachine',
      'SaveState(progress.asOutParam())',
    );
  const link = /^setlinkstate(\d+)$/.exec(command)?.[1];
  if (link !== undefined) return setLinkState(vm, Number(link), args);
  const known = COMMANDS[command];
  if (known === undefined || args.length > 0) throw syntaxError(`Invalid parameter '${command}'`);
  if (!known.states.includes(state))
    throw invalidState(`Invalid machine state: ${state} (must be ${known.states.join(' or ')})`);
  await commandMachine(controlOf(vm), known.says);
  if (known.then === undefined) return '';
  await machineIs(statusOf(vm), known.then);
  return ['poweroff', 'savestate'].includes(command) ? PROGRESS : '';
};

const setLinkState = async (vm: FakeVm, number: number, [on, ...more]: readonly string[]): Promise<string> => {
  const nic = vm.nics[number - 1];
  if (nic === undefined) throw syntaxError(`Invalid NIC number '${number}'.`);
  if ((on !== 'on' && on !== 'off') || more.length > 0) throw syntaxError(`Invalid link state '${on ?? ''}'.`);
  nic.cable = on === 'on';
  await commandMachine(controlOf(vm), `${nic.cable ? 'plug' : 'pull'} ${number - 1}`);
  return '';
};

/** A machine with everything that is in its folder. */
export const unregister = async (vms: FakeVm[], vm: FakeVm, options: readonly string[]): Promise<string> => {
  if (options.join() !== '--delete') throw syntaxError(`Unknown option: ${options.join(' ')}`);
  if (isOnline(await stateOf(vm)))
    throw apiError(
      `Cannot unregister the machine '${vm.name}' while it is locked`,
      'VBOX_E_INVALID_OBJECT_STATE (0x80bb0007)',
      'component MachineWrap, interface IMachine',
      'Unregister(CleanupMode_DetachAllReturnHardDisksOnly, ComSafeArrayAsOutParam(aMedia))',
    );
  rmSync(vm.folder, { recursive: true, force: true });
  rmSync(statusOf(vm), { force: true });
  vms.splice(vms.indexOf(vm), 1);
  return PROGRESS;
};
