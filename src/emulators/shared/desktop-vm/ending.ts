import { engineFailed } from '../../../common/errors.ts';
import { until } from '../../../common/promises.ts';
import { isAlive, type ProcessIdentity } from '../../../processes/identity.ts';
import type { KindNode } from '../../kit/contract.ts';
import type { DesktopSettings, Hypervisor, Machine, MachineState } from './hypervisor.ts';

/** Milliseconds for which a guest may shut itself down; the project's stop waits for it. */
const SHUTDOWN_MS = 40_000;
/** Time for a hypervisor to switch a machine off. */
const END_MS = 10_000;
/** Time for a machine to change its state: its memory may have to be read or written. */
const SETTLE_MS = 300_000;
const POLL_MS = 20;
/** Interval of questions to a hypervisor, each of which is a process. */
const ASK_MS = 250;

export interface Ending {
  hypervisor: Hypervisor;
  node: KindNode;
  machine: Machine;
  /** The process that runs it, when it can be seen. */
  process: ProcessIdentity | null;
  /** When it has just been asked for. */
  state?: MachineState;
}

/** Ends a machine as its node wants it, and at last for certain. Resolves once it is off or saved. */
export const endMachine = async (
  ending: Ending,
  how: DesktopSettings['onClose'],
  signal: AbortSignal,
): Promise<void> => {
  const state = await settledState(ending, ending.state);
  if (state === 'off' || state === 'saved') return;
  if (how === 'shutdown_signal' && (await shutsDown(ending, signal))) return;
  // A machine that cannot be saved is switched off all the same.
  if (how === 'save_vm_state' && (await isSaved(ending))) return;
  await powerOff(ending);
};

/** A guest hears its power button even when it was paused before: the hypervisor sets it going. */
const shutsDown = async (ending: Ending, signal: AbortSignal): Promise<boolean> => {
  const { hypervisor, node, machine } = ending;
  const end = performance.now() + SHUTDOWN_MS;
  try {
    await hypervisor.askToShutDown(node, machine, SHUTDOWN_MS, signal);
  } catch {
    return false;
  }
  return hasEnded(ending, end - performance.now(), signal);
};

const isSaved = async (ending: Ending): Promise<boolean> => {
  try {
    await ending.hypervisor.save(ending.node, ending.machine);
  } catch {
    return false;
  }
  return hasEnded(ending, END_MS);
};

const powerOff = async (ending: Ending): Promise<void> => {
  let failure: unknown = null;
  await ending.hypervisor.powerOff(ending.node, ending.machine).catch((error: unknown) => (failure = error));
  if (await hasEnded(ending, END_MS)) return;
  if (failure instanceof Error) throw failure;
  throw engineFailed(ending.machine.title, 'it cannot be switched off');
};

/** Waits while the hypervisor brings the machine up or down. */
export const settledState = async (
  { hypervisor, node, machine }: Omit<Ending, 'process'>,
  known?: MachineState,
): Promise<MachineState> => {
  if (known !== undefined && known !== 'busy') return known;
  const settled = async (): Promise<MachineState | null> => {
    const state = await hypervisor.state(node, machine);
    return state === 'busy' ? null : state;
  };
  return (await until(settled, { every: ASK_MS, within: SETTLE_MS })) ?? 'busy';
};

/** Looks at the process as long as there is one, and asks the hypervisor then. */
const hasEnded = async (ending: Ending, within: number, signal?: AbortSignal): Promise<boolean> => {
  const { hypervisor, node, machine, process } = ending;
  const end = performance.now() + within;
  const isGone = async (): Promise<boolean> => process === null || !(await isAlive(process));
  const isOff = async (): Promise<boolean> => ['off', 'saved'].includes(await hypervisor.state(node, machine));
  try {
    if (!(await until(isGone, { every: POLL_MS, within, signal }))) return false;
    return await until(isOff, { every: ASK_MS, within: end - performance.now(), signal });
  } catch (error) {
    if (signal?.aborted === true) return false;
    throw error;
  }
};
