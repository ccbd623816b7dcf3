import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { asEngineFailed, conflict, TopologError } from '../../../common/errors.ts';
import { privateDirectory } from '../../../fabric/client/runtime-directory.ts';
import type { ProcessIdentity } from '../../../processes/identity.ts';
import type { Engine, EngineContext, KindNode, Missing, Started } from '../../kit/contract.ts';
import { connectToFabric, type FabricConnection } from '../fabric-connection.ts';
import { freePorts } from '../host/free-ports.ts';
import { OutsideEngine } from '../outside-engine.ts';
import {
  type Cables,
  fabricEndOf,
  releaseTunnels,
  pluggedIn,
  takeTunnelPorts,
  watchCables,
  wiredAdapters,
} from './adapters.ts';
import { type Ending, endMachine, settledState } from './ending.ts';
import { desktopSettings, type Hypervisor, type Machine, type Tunnel, usedReason } from './hypervisor.ts';
import { hasScreen } from './run-program.ts';
import { findMachineProcess, type MachineWatch, watchMachines } from './machine-process.ts';

/** Milliseconds: the first start of a linked clone makes it, and one of a saved machine reads its memory. */
const START_MS = 300_000;

/** A machine that runs for a node. */
interface Run {
  node: KindNode;
  machine: Machine;
  process: ProcessIdentity | null;
  tunnels: Tunnel[];
  started: Started;
}

/** Runs nodes as machines of a hypervisor of this desktop. */
export class DesktopEngine extends OutsideEngine implements Engine {
  readonly name: string;
  /** Hypervisors put several calls in a row anyway. */
  readonly concurrency = 2;
  readonly #context: EngineContext;
  readonly #hypervisor: Hypervisor;
  readonly #lines: FabricConnection;
  readonly #watch: MachineWatch;
  readonly #cables: Cables;
  /** By node. */
  readonly #runs = new Map<string, Run>();
  /** Nodes that start with or run a machine, by its id. */
  readonly #owners = new Map<string, string>();

  constructor(context: EngineContext, hypervisor: Hypervisor) {
    super();
    this.name = hypervisor.name;
    this.#context = context;
    this.#hypervisor = hypervisor;
    this.#lines = connectToFabric(context);
    this.#watch = watchMachines((nodeId) => void this.#gone(nodeId));
    this.#cables = watchCables(context, async (nodeId, adapter, plugged) => {
      const run = this.#runs.get(nodeId);
      if (run !== undefined) await hypervisor.setCable?.(run.machine, adapter, plugged);
    });
  }

  missing(node: Pick<KindNode, 'properties'> | null): Promise<Missing | null> {
    return this.#hypervisor.missing(node);
  }

  deadline(): number {
    return START_MS;
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    // The other requirements were checked before the start.
    const lacks = await this.#hypervisor.missing(null);
    if (lacks !== null) throw new TopologError('engine_missing', { what: node.name, ...lacks });
    if (!desktopSettings(node.properties).headless && !hasScreen())
      throw conflict(
        `${node.name} has headless off, and the server has no screen (DISPLAY is not set); set headless to true`,
      );
    // Clears what an earlier run has left whose end was not reported.
    await this.#clear(node);
    try {
      return await this.#run(node, signal);
    } catch (error) {
      // The caller gets the first failure.
      await this.#clear(node).catch(() => undefined);
      signal.throwIfAborted();
      throw asEngineFailed(node, error);
    }
  }

  async #run(node: KindNode, signal: AbortSignal): Promise<Started> {
    const hypervisor = this.#hypervisor;
    const machine = await hypervisor.obtain(node, signal);
    this.#own(node, machine);
    signal.throwIfAborted();
    const socket = await serialSocket(node, this.#context);
    await removeSocket(socket);
    const serial = node.console_type === 'telnet' ? socket : null;
    const wired = await wiredAdapters(node, this.#context);
    const adapters = await hypervisor.adapters(node, machine, wired);
    signal.throwIfAborted();
    const { tunnels, releasePorts } = await takeTunnelPorts(adapters, (taken) => this.#attach(node, taken));
    try {
      await hypervisor.setUp(node, machine, { serial, wired, tunnels, releasePorts }, signal);
      const console = await this.#lines.openConsole(node, { path: socket });
      signal.throwIfAborted();
      await releasePorts();
      await hypervisor.launch(node, machine, signal);
      signal.throwIfAborted();
      const { started } = await this.#keep(node, machine, tunnels, console);
      if (hypervisor.setCable !== undefined) void this.#cables.apply(node.node_id, pluggedIn(tunnels, wired));
      return started;
    } catch (error) {
      await releasePorts();
      releaseTunnels(tunnels);
      throw error;
    }
  }

  #own({ node_id }: KindNode, { id, title }: Machine): void {
    if ((this.#owners.get(id) ?? node_id) !== node_id) throw conflict(usedReason(title));
    this.#owners.set(id, node_id);
  }

  async #attach(node: KindNode, tunnels: readonly Tunnel[]): Promise<void> {
    this.#cables.listen();
    const ports = node.ports.filter(({ adapter_number }) => tunnels.some(({ adapter }) => adapter === adapter_number));
    try {
      await this.#lines.attach(node, ports, ({ adapter_number }) => fabricEndOf(tunnels, adapter_number));
    } catch (error) {
      await this.#lines.detach(node, ports);
      throw error;
    }
  }

  async #keep(node: KindNode, machine: Machine, tunnels: Tunnel[], console: number | null): Promise<Run> {
    const hypervisor = this.#hypervisor;
    const process = await findMachineProcess((argv) => hypervisor.isProcessOf(machine, argv));
    const started: Started = {
      pid: process?.pid ?? null,
      pid_started: process?.started ?? null,
      console,
      command_line: hypervisor.commandLine(node, machine),
    };
    const run: Run = { node, machine, process, tunnels, started };
    this.#runs.set(node.node_id, run);
    this.#own(node, machine);
    this.#watch.add(node.node_id, process, async () => {
      const state = await settledState({ hypervisor, node, machine });
      return state === 'off' || state === 'saved';
    });
    return run;
  }

  async stop(node: KindNode, signal: AbortSignal): Promise<void> {
    const known = this.#runs.get(node.node_id);
    this.#watch.remove(node.node_id);
    try {
      const ending = await this.#endingOf(node);
      if (ending !== null) await endMachine(ending, desktopSettings(node.properties).onClose, signal);
      await this.#release(node, ending?.machine ?? null);
    } catch (error) {
      if (known !== undefined) await this.#keep(known.node, known.machine, known.tunnels, known.started.console);
      throw asEngineFailed(node, error);
    }
  }

  /** The node's machine, of this server's run or an earlier one's. */
  async #endingOf(node: KindNode, hypervisor = this.#hypervisor): Promise<Ending | null> {
    const known = this.#runs.get(node.node_id);
    if (known !== undefined) return { hypervisor, node, machine: known.machine, process: known.process };
    const found = await hypervisor.find(node);
    if (found === null) return null;
    const process = await findMachineProcess((argv) => hypervisor.isProcessOf(found.machine, argv));
    return { hypervisor, node, process, ...found };
  }

  /** Switches off whatever there is of a node, without asking it. */
  async #clear(node: KindNode): Promise<void> {
    this.#watch.remove(node.node_id);
    const ending = await this.#endingOf(node);
    if (ending !== null) await endMachine(ending, 'power_off', new AbortController().signal);
    await this.#release(node, ending?.machine ?? null);
  }

  async #release(node: KindNode, machine: Machine | null): Promise<void> {
    const { node_id } = node;
    const run = this.#runs.get(node_id);
    this.#runs.delete(node_id);
    this.#cables.forget(node_id);
    const socket = await serialSocket(node, this.#context);
    try {
      await this.#hypervisor.takeDown(node, machine, socket);
    } finally {
      for (const [id, owner] of this.#owners) if (owner === node_id) this.#owners.delete(id);
      const ports = [...node.ports, ...(run?.node.ports ?? [])];
      await this.#lines.detach(node, [...new Map(ports.map((port) => [port.adapter_number, port])).values()]);
      await this.#lines.closeConsole(node);
      await removeSocket(socket);
      releaseTunnels(run?.tunnels ?? []);
    }
  }

  async #gone(nodeId: string): Promise<void> {
    const run = this.#runs.get(nodeId);
    if (run === undefined) return;
    const output = await this.#hypervisor.logTail(run.machine).catch(() => '');
    const exit = { node_id: nodeId, project_id: run.node.project_id, code: null, signal: null, output };
    await this.reportEnd(exit, this.#release(run.node, run.machine));
  }

  async suspend(node: KindNode): Promise<void> {
    await this.#command(node, (machine) => this.#hypervisor.pause(node, machine));
  }

  async resume(node: KindNode): Promise<void> {
    await this.#command(node, (machine) => this.#hypervisor.unpause(node, machine));
  }

  async reload(node: KindNode): Promise<Started> {
    await this.#command(node, (machine) => this.#hypervisor.reset(node, machine));
    return this.#known(node).started;
  }

  async #command(node: KindNode, work: (machine: Machine) => Promise<void>): Promise<void> {
    try {
      await work(this.#known(node).machine);
    } catch (error) {
      throw asEngineFailed(node, error);
    }
  }

  #known(node: KindNode): Run {
    const run = this.#runs.get(node.node_id);
    if (run === undefined) throw conflict(`${node.name} does not run`);
    return run;
  }

  /** Its console has its name; all else waits for the next start. */
  async update(node: KindNode): Promise<void> {
    const run = this.#known(node);
    if (run.started.console !== null)
      await this.#lines.openConsole(node, { path: await serialSocket(node, this.#context) }, run.started.console);
    run.node = { ...run.node, name: node.name };
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    try {
      const found = await this.#hypervisor.find(node);
      if (found === null) return null;
      const { machine } = found;
      const state = await settledState({ hypervisor: this.#hypervisor, node, machine }, found.state);
      const run = state === 'running' || state === 'paused' ? await this.#runOf(node, machine) : null;
      if (run === null) {
        await this.#clear(node);
        return null;
      }
      return { state: state === 'paused' ? 'suspended' : 'started', started: run.started };
    } catch (error) {
      throw asEngineFailed(node, error);
    }
  }

  async #runOf(node: KindNode, machine: Machine): Promise<Run | null> {
    const known = this.#runs.get(node.node_id);
    if (known?.machine.id === machine.id) return known;
    const tunnels = await this.#hypervisor.tunnels(node, machine);
    if (tunnels === null) return null;
    freePorts.keep(tunnels.flatMap(({ fabric, peer }) => [fabric, peer]));
    await this.#attach(node, tunnels);
    const console = await this.#lines.openConsole(node, { path: await serialSocket(node, this.#context) });
    const run = await this.#keep(node, machine, tunnels, console);
    if (this.#hypervisor.setCable !== undefined) void this.#cables.apply(node.node_id, new Map());
    return run;
  }

  override async remove(node: KindNode, signal: AbortSignal): Promise<void> {
    // The node's machine goes with it, so nothing is saved.
    await this.stop({ ...node, properties: { ...node.properties, on_close: 'power_off' } }, signal);
    try {
      await this.#hypervisor.remove(node);
    } catch (error) {
      throw asEngineFailed(node, error);
    }
  }

  close(): Promise<void> {
    this.#watch.close();
    for (const { tunnels } of this.#runs.values()) releaseTunnels(tunnels);
    this.#runs.clear();
    this.#owners.clear();
    return Promise.resolve();
  }
}

/** Paths of sockets are short, so ids are hashed; a node has the same one at every start, as a saved machine remembers it. */
const serialSocket = async (
  { node_id, project_id }: Pick<KindNode, 'node_id' | 'project_id'>,
  { mark, dataDir }: EngineContext,
): Promise<string> => {
  const hash = createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return String.raw`\\.\pipe\topolog-serial-${hash}`;
  return path.join(await privateDirectory(dataDir), `serial-${hash}`);
};

const removeSocket = async (socket: string): Promise<void> => {
  if (process.platform !== 'win32') await rm(socket, { force: true });
};
