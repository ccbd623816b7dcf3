import { engineFailed } from '../../../common/errors.ts';
import type { KindNode, Missing, Properties } from '../../kit/contract.ts';

/** Saved: its memory is in a file, and its next start goes on from there. Busy: changing from one of the other states to another. */
export type MachineState = 'running' | 'paused' | 'saved' | 'off' | 'busy';

/** A machine as its hypervisor knows it. */
export interface Machine {
  /** Permanent identifier in the hypervisor. */
  id: string;
  /** Name that a user knows. */
  title: string;
}

export interface FoundMachine {
  machine: Machine;
  state: MachineState;
}

/** Connection of an adapter to the fabric: UDP between two ports of the loopback interface. */
export interface Tunnel {
  adapter: number;
  /** Port of the fabric, and of the machine or the relay that serves it. */
  fabric: number;
  peer: number;
}

/** Settings of a machine for one start. */
export interface MachineSetup {
  /** Unix socket that the first serial line is to be served at; null: none. */
  serial: string | null;
  /** Adapters that a cable leads to, and whether frames pass there now. */
  wired: ReadonlyMap<number, boolean>;
  tunnels: readonly Tunnel[];
  /** Frees the tunnels' peer ports, for a program that opens them before the machine does. */
  releasePorts: () => Promise<void>;
}

/**
 * One hypervisor with a program that commands it. Calls for one node never overlap. Failures are TopologErrors whose sentence a
 * user understands.
 */
export interface Hypervisor {
  readonly name: string;
  /** The machine that a node's settings name, before it was cloned. */
  sourceOf(node: Pick<KindNode, 'properties'>): string;
  /** Finds what is missing; without a node, of the program alone. */
  missing(node: Pick<KindNode, 'properties'> | null): Promise<Missing | null>;
  /** The node's machine with its state, when there is one and it is marked as this node's. Changes nothing. */
  find(node: KindNode): Promise<FoundMachine | null>;
  /** The node's machine, found or cloned; not marked yet. Throws when the node cannot have it now. */
  obtain(node: KindNode, signal: AbortSignal): Promise<Machine>;
  state(node: KindNode, machine: Machine): Promise<MachineState>;
  /** Adapters that are to have tunnels. Throws a conflict when one that has a cable cannot. */
  adapters(node: KindNode, machine: Machine, wired: MachineSetup['wired']): Promise<number[]>;
  /** Marks a machine that is off or saved as the node's, and gives it console and adapters. */
  setUp(node: KindNode, machine: Machine, wishes: MachineSetup, signal: AbortSignal): Promise<void>;
  /** The tunnels of a running machine that is marked as the node's; null when they are no longer known. */
  tunnels(node: KindNode, machine: Machine): Promise<Tunnel[] | null>;
  /** Undoes what setUp did; of a saved machine only what is outside it. Does nothing for what was not set up. */
  takeDown(node: KindNode, machine: Machine | null, serial: string): Promise<void>;
  /** Resolves once the machine runs. A call that has begun is not aborted: its result would be unknown. */
  launch(node: KindNode, machine: Machine, signal: AbortSignal): Promise<void>;
  commandLine(node: KindNode, machine: Machine): string;
  pause(node: KindNode, machine: Machine): Promise<void>;
  unpause(node: KindNode, machine: Machine): Promise<void>;
  reset(node: KindNode, machine: Machine): Promise<void>;
  /** Asks the guest to shut down; may wait for it, `patience` milliseconds at most. */
  askToShutDown(node: KindNode, machine: Machine, patience: number, signal: AbortSignal): Promise<void>;
  save(node: KindNode, machine: Machine): Promise<void>;
  powerOff(node: KindNode, machine: Machine): Promise<void>;
  /** Plugs a cable in or pulls it, which setUp does by itself at a start; absent: cables stay in. */
  setCable?(machine: Machine, adapter: number, plugged: boolean): Promise<void>;
  /** Whether the arguments are those of the process that runs the machine. */
  isProcessOf(machine: Machine, argv: readonly string[]): boolean;
  /** The end of what the machine's log says. */
  logTail(machine: Machine): Promise<string>;
  /** Deletes what was cloned for the node. */
  remove(node: KindNode): Promise<void>;
}

/** Mark of a machine while a node uses it: by this a later server knows whose it is. */
export const claimOf = ({ node_id, project_id }: Pick<KindNode, 'node_id' | 'project_id'>, mark: string): string =>
  `${mark}/${project_id}/${node_id}`;

/** Name of a node's own clone, and of the snapshot of the original that all clones begin with. */
export const cloneName = ({ node_id }: Pick<KindNode, 'node_id'>, mark: string): string =>
  `topolog-${node_id}-${mark.slice(0, 8)}`;
export const BASE_SNAPSHOT = 'Topolog base of linked clones';

export const usedReason = (title: string): string =>
  `${title} is used by another node; set linked_clone to true, or stop that node`;

/** The failure of a start whose machine runs no more; `log`: the end of its log. */
export const endedAtOnce = ({ name }: Pick<KindNode, 'name'>, log: string): Error =>
  engineFailed(name, `it ended at once: ${log || 'its log is empty'}`);

/** Why a node cannot have a machine that is not off. */
export const takenReason = (title: string, claim: string | null, discard: string, isSaved: boolean): string => {
  if (claim !== null) return usedReason(title);
  return isSaved
    ? `${title} has a saved state that no node has made; go on with it and shut it down, or discard it (${discard})`
    : `${title} runs already, started by somebody else; shut it down`;
};

type OnClose = 'power_off' | 'shutdown_signal' | 'save_vm_state';

/** Completed properties that both types of desktop machines have. */
export interface DesktopSettings {
  adapters: number;
  adapterType: string;
  headless: boolean;
  linkedClone: boolean;
  useAnyAdapter: boolean;
  onClose: OnClose;
}

export const desktopSettings = (properties: Properties): DesktopSettings => {
  const onClose = properties['on_close'];
  return {
    adapters: Number(properties['adapters'] ?? 0),
    adapterType: String(properties['adapter_type']),
    headless: properties['headless'] === true,
    linkedClone: properties['linked_clone'] === true,
    useAnyAdapter: properties['use_any_adapter'] === true,
    onClose: onClose === 'shutdown_signal' || onClose === 'save_vm_state' ? onClose : 'power_off',
  };
};

/** Runs work that has the same key one after the other: a machine that is cloned from is locked meanwhile. */
export const oneAtATime = (): (<T>(key: string, work: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    const done = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(key) === done) last.delete(key);
      });
    last.set(key, done);
    return turn;
  };
};
