import { setTimeout as sleep } from 'node:timers/promises';
import { engineFailed } from '../../../common/errors.ts';
import { haveEnded } from '../../../processes/end.ts';
import type { ProcessIdentity } from '../../../processes/identity.ts';
import type { KindNode } from '../../kit/contract.ts';
import type { DesktopSettings, Hypervisor, Machine, MachineState } from './hypervisor.ts';

/** Milliseconds for which a guest may shut itself down; the project's stop waits for it. */
const SHUTDOWN_MS = 40_000;
/** Time for a hypervisor to switch a machine off. */
const END_MS = 10_000;
/** Time for a machine to change its state: its memory may have to be read or written. */
const SETTLE_MS = 300_000;
const POLL_MS = 100;
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
  const until = performance.now() + SHUTDOWN_MS;
  try {
    await hypervisor.askToShutDown(node, machine, SHUTDOWN_MS, signal);
  } catch {
    return false;
  }
  return hasEnded(ending, until - performance.now(), signal);
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
  const until = performance.now() + SETTLE_MS;
  let state = known ?? (await hypervisor.state(node, machine));
  while (state === 'busy' && performance.now() < until) {
    await sleep(ASK_MS);
    state = await hypervisor.state(node, machine);
  }
  return state;
};

/** Looks at the process as long as there is one, and asks the hypervisor then. */
const hasEnded = async (ending: Ending, wait: number, signal?: AbortSignal): Promise<boolean> => {
  const until = performance.now() + wait;
  const isTimeUp = (): boolean => performance.now() >= until || signal?.aborted === true;
  if (ending.process !== null) while (!(await haveEnded([ending.process], POLL_MS))) if (isTimeUp()) return false;
  for (;;) {
    const state = await ending.hypervisor.state(ending.node, ending.machine);
    if (state === 'off' || state === 'saved') return true;
    if (isTimeUp()) return false;
    await sleep(ASK_MS);
  }
};
