import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../common/promises.ts';
import { isAlive } from '../../../processes/identity.ts';
import type { EngineContext, FabricEvent, KindNode, Started } from '../../kit/contract.ts';
import type { Running } from '../../shared/process/processes.ts';
import type { OnClose } from '../schema.ts';
import { type Qmp, QmpError, runStateOf } from './qmp.ts';
import { saveState } from './saved-state.ts';
import type { Sockets } from './sockets.ts';

/** A machine that runs, with the connection to its monitor. */
export interface Machine {
  qmp: Qmp;
  sockets: Sockets;
  started: Started;
  ports: KindNode['ports'];
  /** Names of its adapters in QEMU. */
  adapters: ReadonlyMap<number, string>;
  /** The guest sees the state of its links. */
  replicates: boolean;
}

const POLL_MS = 20;

/** Sets a machine going that was started halted. One that still loads its saved state stands still once more when it has. */
export const setGoing = async (qmp: Qmp, signal: AbortSignal): Promise<void> => {
  const isGoing = async (): Promise<boolean> => ['running', 'broken'].includes(await runStateOf(qmp));
  const go = async (): Promise<boolean> => {
    if (await isGoing()) return true;
    if (await isLoading(qmp)) return false;
    await qmp.execute('cont');
    return isGoing();
  };
  await until(go, { every: POLL_MS, signal });
};

const isLoading = async (qmp: Qmp): Promise<boolean> =>
  ((await qmp.execute('query-status')) as { status: string }).status === 'inmigrate';

/** Milliseconds for which a guest may shut itself down; the project's stop waits for it. */
const SHUTDOWN_MS = 40_000;
/** Time for QEMU to end once it was told to. */
const QUIT_MS = 4_000;
/** Time for the whole end: a saved state takes as long as its file. */
export const END_MS = 55_000;

/** Ends a machine as its record wants it, and at last for certain. */
export const endMachine = async (
  machine: Machine,
  running: Running,
  { how, directory }: { how: OnClose; directory: string },
  signal: AbortSignal,
): Promise<void> => {
  const { qmp } = machine;
  const ended = (wait: number): Promise<boolean> => hasEnded(running, wait, signal);
  try {
    if (how === 'shutdown_signal') {
      await qmp.execute('cont');
      await qmp.execute('system_powerdown');
      if (await ended(SHUTDOWN_MS)) return;
    }
    // A machine that cannot be saved is switched off all the same.
    if (how === 'save_vm_state') await saveState(qmp, directory, signal).catch(() => undefined);
    await qmp.execute('quit');
    if (await ended(QUIT_MS)) return;
  } catch {
    // It does not answer; signals follow.
  }
  kill(running.pid, 'SIGTERM');
  if (!(await hasEnded(running, QUIT_MS))) kill(running.pid, 'SIGKILL');
};

/** False also once the signal is aborted. */
const hasEnded = (running: Running, within: number, signal?: AbortSignal): Promise<boolean> =>
  until(async () => !(await isAlive(running)), { every: POLL_MS, within, signal }).catch(() => false);

const kill = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
};

/** Milliseconds for which a lost monitor is taken for the beginning of an end. */
const ENDING_MS = 2_000;

/** Delays an error of a lost monitor: QEMU's last output explains its end better, and needs time to arrive. */
export const ended =
  (signal: AbortSignal) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof QmpError && error.kind === 'Lost')
      await sleep(ENDING_MS, undefined, { signal }).catch(() => undefined);
    throw error;
  };

/** Shows guests whether their adapters lead anywhere: a port without a cable, or with a suspended one, has its cable pulled. */
export interface LinkStates {
  /** Follows what the fabric tells of ports; to be called before one is attached. */
  listen(): void;
  /** Sets all cables of a machine; all are plugged in when its guest is not to see the links. */
  apply(nodeId: string, machine: Machine): Promise<void>;
  forget(nodeId: string): void;
}

export const watchLinks = (
  { fabric }: EngineContext,
  machineOf: (nodeId: string) => Machine | undefined,
): LinkStates => {
  /** By node and adapter. */
  const states = new Map<string, Map<number, boolean>>();
  let listening = false;
  const hear = (event: FabricEvent): void => {
    if (event.type !== 'port.carrier') return;
    const { node_id, adapter_number } = event.port;
    const adapters = states.get(node_id) ?? new Map<number, boolean>();
    states.set(node_id, adapters.set(adapter_number, event.up));
    const machine = machineOf(node_id);
    if (machine?.replicates === true) void setLink(machine, adapter_number, event.up);
  };
  return {
    listen() {
      if (!listening) fabric.onEvent(hear);
      listening = true;
    },
    async apply(nodeId, machine) {
      const links = [...(states.get(nodeId) ?? [])];
      await Promise.all(links.map(([adapter, up]) => setLink(machine, adapter, up || !machine.replicates)));
    },
    forget: (nodeId) => void states.delete(nodeId),
  };
};

/** An adapter that cannot have its cable pulled keeps it. */
const setLink = async ({ qmp, adapters }: Machine, adapter: number, up: boolean): Promise<void> => {
  await qmp.execute('set_link', { name: adapters.get(adapter) ?? '', up }).catch(() => undefined);
};
