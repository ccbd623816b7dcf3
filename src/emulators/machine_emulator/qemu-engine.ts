import { availableParallelism } from 'node:os';
import { asEngineFailed, conflict, messageOf, TopologError } from '../../common/errors.ts';
import { markEnvironment } from '../../processes/marker.ts';
import type { Engine, EngineContext, EngineFactory, KindNode, Missing, NodeNeeds, Started } from '../kit/contract.ts';
import { connectToFabric, type FabricConnection } from '../shared/fabric-connection.ts';
import { directoryOf, OutsideEngine } from '../shared/outside-engine.ts';
import { programVersion } from '../shared/process/find-program.ts';
import { Processes, type Running, startedOf } from '../shared/process/processes.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import { linkNames, qemuArguments, screenPort } from './command-line.ts';
import { imagePlaces, missingImage } from './images.ts';
import {
  type Accelerator,
  choosesAccelerator,
  KvmFailed,
  kvmWorks,
  proveKvm,
  watchKvm,
} from './machine/accelerator.ts';
import { END_MS, ended, endMachine, type LinkStates, type Machine, setGoing, watchLinks } from './machine/machine.ts';
import { connectQmp, type Qmp, runStateOf } from './machine/qmp.ts';
import { forgetState, putAside } from './machine/saved-state.ts';
import { dutyCycle, niceOf, setNice, throttle } from './machine/scheduling.ts';
import { folders, makeSockets, type Sockets, socketsOf } from './machine/sockets.ts';
import { nicsOf, type NodePlan, planMachine } from './plan.ts';
import { findPrograms, isMissing, type Programs, QEMU_VERSION, type Versions } from './programs.ts';
import { settingsOf } from './schema.ts';

/** Runs virtual machines by QEMU. */
export const QEMU: EngineFactory = { name: 'qemu', create: (context) => new QemuEngine(context) };

/** Milliseconds: for QEMU itself, its images' checksums, and each megabyte of a saved state. */
const START_MS = 60_000;
const PER_MEGABYTE_MS = 10;
/** Time in which a running QEMU answers a server that looks for it. */
const ADOPT_MS = 5_000;

class QemuEngine extends OutsideEngine implements Engine {
  readonly name = 'qemu';
  readonly concurrency = Math.max(2, availableParallelism());
  readonly #context: EngineContext;
  readonly #processes: Processes;
  readonly #connection: FabricConnection;
  readonly #machines = new Map<string, Machine>();
  readonly #links: LinkStates;
  readonly #versions: Versions = new Map();
  /** KVM has failed once; it is not tried again. */
  #kvmFailed = false;

  constructor(context: EngineContext) {
    super();
    this.#context = context;
    this.#connection = connectToFabric(context);
    this.#links = watchLinks(context, (nodeId) => this.#machines.get(nodeId));
    this.#processes = new Processes({ engine: this.name, mark: context.mark, patience: { ask: END_MS } });
    this.#processes.onExit((exit) => {
      const ports = this.#machines.get(exit.node_id)?.ports ?? [];
      void this.reportEnd(exit, this.#release({ ...exit, ports }));
    });
  }

  async missing(node: Pick<KindNode, 'properties'> | null): Promise<Missing | null> {
    const found = await findPrograms(node?.properties ?? {}, this.#versions);
    return isMissing(found) ? found : null;
  }

  incomplete({ properties, node_directory }: NodeNeeds): Promise<Missing | null> {
    return missingImage(settingsOf(properties), imagePlaces(this.#context, node_directory));
  }

  async version(): Promise<string | null> {
    const found = await findPrograms({}, this.#versions);
    if (isMissing(found)) return null;
    const [version, kvm] = await Promise.all([programVersion(found.qemu, QEMU_VERSION), kvmWorks('x86_64')]);
    return `${version ?? ''} (${kvm ? 'KVM' : 'TCG, no working KVM'})`.trim();
  }

  deadline({ properties }: KindNode): number {
    return START_MS + PER_MEGABYTE_MS * settingsOf(properties).ram;
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    const programs = await findPrograms(node.properties, this.#versions);
    if (isMissing(programs)) throw new TopologError('engine_missing', { what: node.name, ...programs });
    const accelerator = await this.#accelerator(node);
    try {
      return await this.#run(node, programs, accelerator, signal);
    } catch (error) {
      if (!(error instanceof KvmFailed)) throw error;
      this.#kvmFailed = true;
      return this.#run(node, programs, 'tcg', signal);
    }
  }

  async #accelerator({ properties }: KindNode): Promise<Accelerator | null> {
    const { options, platform } = settingsOf(properties);
    if (choosesAccelerator(options)) return null;
    return !this.#kvmFailed && (await kvmWorks(platform)) ? 'kvm' : 'tcg';
  }

  async #run(
    node: KindNode,
    programs: Programs,
    accelerator: Accelerator | null,
    signal: AbortSignal,
  ): Promise<Started> {
    this.#forget(node.node_id);
    const sockets = await makeSockets(node, this.#context);
    let plan: NodePlan | null = null;
    try {
      plan = await planMachine(node, { ...programs, sockets, accelerator }, this.#context, signal);
      const machine = await this.#launch(node, programs.qemu, plan, signal);
      await forgetState(directoryOf(node));
      return machine.started;
    } catch (error) {
      await this.#clear(node);
      signal.throwIfAborted();
      if (plan?.saved == null) throw error;
      await putAside(directoryOf(node));
      throw conflict(`${messageOf(error)}; its saved state was put aside, and it starts without it the next time`);
    }
  }

  async #launch(node: KindNode, program: string, plan: NodePlan, signal: AbortSignal): Promise<Machine> {
    const args = qemuArguments(plan);
    await this.#detach(node);
    const running = await this.#processes.start(node, { program, args }, signal);
    return this.#processes.ready(node, signal, (left) => this.#begin(node, plan, running, left));
  }

  /** QEMU has been started, halted: connects all there is to connect and sets it going. */
  async #begin(node: KindNode, plan: NodePlan, running: Running, signal: AbortSignal): Promise<Machine> {
    const { settings, sockets } = plan;
    const qmp = await connectQmp({ path: sockets.monitor, signal, deadline: this.deadline(node) }).catch(ended(signal));
    try {
      const machine = await this.#keep(node, running, qmp, sockets);
      watchKvm(qmp, running.pid, () => (this.#kvmFailed = true));
      await setNice(running.pid, niceOf(settings.processPriority));
      await setGoing(qmp, signal);
      // A saved state has brought the links as they were.
      if (plan.saved !== null) await this.#links.apply(node.node_id, machine);
      if (plan.accelerator === 'kvm') await proveKvm(qmp);
      const duty = dutyCycle(settings.cpuThrottling, settings.cpus);
      if (duty !== null) throttle(running.pid, duty, markEnvironment(node, this.#context.mark));
      signal.throwIfAborted();
      return machine;
    } catch (error) {
      qmp.close();
      await ended(signal)(error).catch(() => undefined);
      if (this.#machines.get(node.node_id)?.qmp === qmp) this.#machines.delete(node.node_id);
      throw error;
    }
  }

  /** Attaches the fabric to a machine that runs and keeps what belongs to it. */
  async #keep(node: KindNode, running: Running, qmp: Qmp, sockets: Sockets): Promise<Machine> {
    this.#links.listen();
    await this.#connection.attach(node, node.ports, ({ adapter_number }) => ({
      type: 'stream',
      path: sockets.nic(adapter_number),
      listen: false,
    }));
    const console = (await this.#connection.openConsole(node, { path: sockets.serial })) ?? screenPort(running.argv);
    const started = startedOf(running, console, joinWords(running.argv));
    const { replicateLinkState: replicates, legacyNetworking } = settingsOf(node.properties);
    const adapters = linkNames(nicsOf(node, sockets), legacyNetworking);
    const machine: Machine = { qmp, sockets, started, ports: node.ports, adapters, replicates };
    this.#machines.set(node.node_id, machine);
    await this.#links.apply(node.node_id, machine);
    return machine;
  }

  async stop(node: KindNode, signal: AbortSignal): Promise<void> {
    const machine = this.#machines.get(node.node_id);
    const { onClose: how } = settingsOf(node.properties);
    const end = (of: Machine, running: Running): Promise<void> =>
      endMachine(of, running, { how, directory: directoryOf(node) }, signal);
    await this.#processes.stop(node, machine === undefined ? undefined : (running) => end(machine, running));
    await this.#release(node);
  }

  /** Ends what a start has left. */
  async #clear(node: KindNode): Promise<void> {
    await this.#processes.stop(node);
    await this.#release(node);
  }

  async #release(node: Pick<KindNode, 'node_id' | 'project_id' | 'ports'>): Promise<void> {
    this.#forget(node.node_id);
    await this.#detach(node);
    this.#links.forget(node.node_id);
    await folders.remove(node, this.#context);
  }

  async #detach(node: Pick<KindNode, 'node_id' | 'ports'>): Promise<void> {
    await this.#connection.detach(node, node.ports);
    await this.#connection.closeConsole(node);
  }

  #forget(nodeId: string): void {
    this.#machines.get(nodeId)?.qmp.close();
    this.#machines.delete(nodeId);
  }

  async suspend(node: KindNode): Promise<void> {
    await this.#execute(node, 'stop');
  }

  async resume(node: KindNode): Promise<void> {
    await this.#execute(node, 'cont');
  }

  async reload(node: KindNode): Promise<Started> {
    await this.#execute(node, 'system_reset');
    return this.#machine(node).started;
  }

  async #execute(node: KindNode, command: string): Promise<void> {
    try {
      await this.#machine(node).qmp.execute(command);
    } catch (error) {
      throw asEngineFailed(node, error);
    }
  }

  #machine(node: KindNode): Machine {
    const machine = this.#machines.get(node.node_id);
    if (machine === undefined) throw conflict(`${node.name} does not run`);
    return machine;
  }

  async update(node: KindNode): Promise<void> {
    const machine = this.#machine(node);
    const { sockets, started } = machine;
    if (node.console_type === 'telnet' && started.console !== null)
      await this.#connection.openConsole(node, { path: sockets.serial }, started.console);
    machine.replicates = settingsOf(node.properties).replicateLinkState;
    await this.#links.apply(node.node_id, machine);
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const running = await this.#processes.adopt(node);
    const sockets = running === null ? null : socketsOf(running.argv, node, this.#context);
    if (running === null || sockets === null) return null;
    const known = this.#machines.get(node.node_id);
    const qmp =
      known?.qmp.open === true
        ? known.qmp
        : await connectQmp({ path: sockets.monitor, deadline: ADOPT_MS }).catch(() => null);
    const state = qmp === null ? null : await runStateOf(qmp).catch(() => null);
    if (qmp === null || state === null || state === 'unfinished' || state === 'broken') {
      qmp?.close();
      await this.#clear(node);
      return null;
    }
    if (qmp !== known?.qmp) watchKvm(qmp, running.pid, () => (this.#kvmFailed = true));
    const { started } = await this.#keep(node, running, qmp, sockets);
    return { state: state === 'paused' ? 'suspended' : 'started', started };
  }

  sweep(keep: readonly Pick<KindNode, 'node_id' | 'project_id'>[], remove: boolean): Promise<string[]> {
    return folders.sweep(keep, this.#context, remove);
  }

  close(): Promise<void> {
    this.#processes.close();
    for (const id of [...this.#machines.keys()]) this.#forget(id);
    return Promise.resolve();
  }
}
