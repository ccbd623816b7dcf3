import { until } from '../../../common/promises.ts';
import { isAlive } from '../../../processes/identity.ts';
import type { KindNode, Started } from '../../kit/contract.ts';
import type { FabricConnection } from '../../shared/fabric-connection.ts';
import type { Running } from '../../shared/process/processes.ts';
import { saveConfigs, pushConfigs, readTexts, type Texts } from '../configs.ts';
import type { Settings } from '../schema.ts';
import type { Nio } from './commands.ts';
import * as c from './commands.ts';
import { type Command, connectHypervisor, type Hypervisor, HypervisorError } from './hypervisor.ts';

/** Parts of a router beside its settings. */
export interface RouterPlan {
  /** Its name in the hypervisor. */
  vm: string;
  /** Absolute path. */
  image: string;
  nios: readonly c.Nio[];
  /** Port of its console on this host; null: it has none. */
  console: number | null;
  directory: string;
}

/** A router in its hypervisor, with the connection to that. */
export interface Router {
  hypervisor: Hypervisor;
  /** Control port of the hypervisor. */
  port: number;
  vm: string;
  settings: Settings;
  directory: string;
  /** Texts of the configuration files when it was started or found. */
  texts: Texts;
  nios: readonly c.Nio[];
  /** Port of its console on this host; null: it has none. */
  console: number | null;
  started: Started;
  ports: KindNode['ports'];
}

const sendAll = async (hypervisor: Hypervisor, commands: readonly Command[]): Promise<void> => {
  for (const command of commands) await hypervisor.send(command);
};

/** Makes a router in an empty hypervisor, ready to be started. */
export const makeRouter = async (hypervisor: Hypervisor, plan: RouterPlan, settings: Settings): Promise<void> => {
  const { vm } = plan;
  await sendAll(hypervisor, c.creation(vm, settings, plan.image));
  const { info } = await hypervisor.send(['vm', 'slot_bindings', vm]);
  await sendAll(hypervisor, c.cards(vm, settings, c.boundCards(info)));
  await sendAll(hypervisor, c.nios(vm, plan.nios));
  if (plan.console !== null) await hypervisor.send(['vm', 'set_con_tcp_port', vm, plan.console]);
  if (settings.aux !== null) await hypervisor.send(['vm', 'set_aux_tcp_port', vm, settings.aux]);
};

/** Milliseconds between two looks at its status. */
const POLL_MS = 20;

/** Starts a router that was made or stopped; resolves with the texts of its configuration files once it runs. */
export const startRouter = async (
  hypervisor: Hypervisor,
  { vm, directory }: Pick<RouterPlan, 'vm' | 'directory'>,
  settings: Settings,
  patience: number,
): Promise<Texts> => {
  const texts = await readTexts(directory, settings);
  await pushConfigs(hypervisor, vm, directory, settings);
  await hypervisor.send(['vm', 'start', vm], patience);
  let status = '';
  const isUp = async (): Promise<boolean> => (status = await statusOf(hypervisor, vm)) === 'running';
  if (!(await until(isUp, { every: POLL_MS, within: patience })))
    throw new HypervisorError('Slow', `vm start ${vm}: the router is ${status}`);
  await sendAll(hypervisor, c.idling(vm, settings));
  return texts;
};

/** Milliseconds: the hypervisor itself waits ten seconds for the router's processor. */
const STOP_MS = 12_000;

/**
 * Stops a router and writes its configuration to its files; the rest of it stays. One that has run astray does not stop, and must
 * not be started again in that hypervisor, which crashes over it. `kept`: whether there was a configuration to write.
 */
export const stopRouter = async (router: Router): Promise<{ stopped: boolean; kept: boolean }> => {
  const { hypervisor, vm } = router;
  const stopped = await unlessRefused(hypervisor.send(['vm', 'stop', vm], STOP_MS));
  return { stopped, kept: await unlessRefused(saveConfigs(router)) };
};

/** A hypervisor takes no other name for a router that runs. */
export const renameRouter = async (router: Router, name: string): Promise<void> => {
  const vm = c.vmName(name);
  if (vm === router.vm) return;
  await router.hypervisor.send(['vm', 'rename', router.vm, vm]);
  router.vm = vm;
};

const unlessRefused = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof HypervisorError && error.kind === 'Refused') return false;
      throw error;
    },
  );

/** Connects again to a hypervisor that was slow to answer. */
export const reconnect = async (router: Router, deadline: number): Promise<void> => {
  if (!router.hypervisor.open) router.hypervisor = await connectHypervisor(router.port, deadline);
};

type Status = 'stopped' | 'stopping' | 'running' | 'suspended';
const STATUSES: readonly Status[] = ['stopped', 'stopping', 'running', 'suspended'];

export const statusOf = async (hypervisor: Hypervisor, vm: string): Promise<Status> => {
  const { text } = await hypervisor.send(['vm', 'get_status', vm]);
  return STATUSES[Number(text)] ?? 'stopped';
};

/** Applies the settings that a running router takes at once. */
export const applySettings = async (router: Router, settings: Settings): Promise<void> => {
  const { hypervisor, vm } = router;
  await sendAll(hypervisor, [
    ...c.beforeStart(vm, settings),
    c.idlePcNow(vm, settings),
    ...c.idling(vm, settings),
    ...c.environment(vm, settings),
  ]);
  router.settings = settings;
};

/** The router that a hypervisor has; null: none that runs. */
export const findRouter = async (
  hypervisor: Hypervisor,
): Promise<(Pick<Router, 'vm' | 'nios' | 'console'> & { state: 'started' | 'suspended' }) | null> => {
  const [vm] = words((await hypervisor.send(['vm', 'list'])).info);
  if (vm === undefined) return null;
  const status = await statusOf(hypervisor, vm);
  if (status !== 'running' && status !== 'suspended') return null;
  const nios = c.niosOf((await hypervisor.send(['nio', 'list'])).info);
  // `R1 (30005)`: only of routers with a console.
  const [, console] = /\((\d+)\)$/.exec((await hypervisor.send(['vm', 'list_con_ports'])).info[0] ?? '') ?? [];
  return {
    vm,
    nios,
    console: console === undefined ? null : Number(console),
    state: status === 'running' ? 'started' : 'suspended',
  };
};

/** `R1 (c3725)` */
const words = (info: readonly string[]): string[] => info.map((line) => line.replace(/ \(\w+\)$/, ''));

/** Milliseconds for a hypervisor to end that was told to: it looks twice a second. */
const QUIT_MS = 2_000;

/** Stops the router, keeps its configuration (then calls `kept`) and ends its hypervisor, by a signal when that does not answer. */
export const endRouter = async (router: Router, running: Running, kept: () => void): Promise<void> => {
  try {
    await reconnect(router, QUIT_MS);
    if ((await stopRouter(router)).kept) kept();
    await router.hypervisor.send(['hypervisor', 'stop']);
    if (await until(async () => !(await isAlive(running)), { every: POLL_MS, within: QUIT_MS })) return;
  } catch {
    // It does not answer.
  }
  try {
    process.kill(running.pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
};

/**
 * Connects the fabric to a router that runs: its ports over UDP, raw frames of whatever its interface speaks, and its console.
 * One that is connected stays so and gets the node's new name. Resolves with the console's port for users.
 */
export const connectLines = async (
  lines: FabricConnection,
  node: KindNode,
  { nios, console, host }: Pick<Router, 'nios' | 'console'> & { host: string },
  wished: number | null,
): Promise<number | null> => {
  await lines.attach(node, nios, (port) => udpOf(port, nios));
  return console === null ? null : lines.openConsole(node, { host, port: console }, wished);
};

const udpOf = (at: Pick<Nio, 'adapter_number' | 'port_number'>, nios: readonly Nio[]) => {
  const nio = nios.find((one) => one.adapter_number === at.adapter_number && one.port_number === at.port_number);
  return { type: 'udp', lport: nio?.fabricPort ?? 0, rhost: '127.0.0.1', rport: nio?.port ?? 0 } as const;
};
