import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, engineFailed, TopologError } from '../../common/errors.ts';
import type { Engine, EngineContext, EngineFactory, KindNode, Missing, NodeNeeds, Started } from '../kit/contract.ts';
import { connectToFabric, type FabricConnection } from '../shared/fabric-connection.ts';
import { OutsideEngine } from '../shared/outside-engine.ts';
import { Processes, type Running, startedOf } from '../shared/process/processes.ts';
import { readTexts } from './configs.ts';
import { tidyFiles } from './files.ts';
import {
  commandLine,
  connectHypervisor,
  consoleHost,
  findProgram,
  HypervisorError,
  hypervisorPort,
  hypervisorVersion,
  isPortRace,
  MISSING,
  reasonOf,
} from './hypervisor/hypervisor.ts';
import {
  applySettings,
  connectLines,
  endRouter,
  findRouter,
  makeRouter,
  reconnect,
  renameRouter,
  type Router,
  startRouter,
  statusOf,
  stopRouter,
} from './hypervisor/router.ts';
import { idlePcsOf } from './idle-pc.ts';
import { createNodePorts, directoryOf, missingRouterImage, type Plan, planRouter, portsOf } from './plan.ts';
import { settingsOf } from './schema.ts';

/** Runs routers by Dynamips, each in a hypervisor of its own. */
export const DYNAMIPS: EngineFactory = { name: 'dynamips', create: (context) => new DynamipsEngine(context) };

/** Milliseconds: for the emulator and its image's checksum, and each megabyte of a router's memory. */
const START_MS = 60_000;
const PER_MEGABYTE_MS = 50;
/** Time in which a running hypervisor answers a server that looks for it. */
const ADOPT_MS = 5_000;
/** Time for a router to stop, its configuration to be written and its hypervisor to end. */
const END_MS = 20_000;
/** Time for a hypervisor to end after a command to do so, or after its connection was lost. */
const QUIT_MS = 2_000;
/** Starts with other ports before one fails because no port is free. */
const TRIES = 5;

class DynamipsEngine extends OutsideEngine implements Engine {
  readonly name = 'dynamips';
  readonly concurrency = Math.max(2, availableParallelism());
  readonly #context: EngineContext;
  readonly #processes: Processes;
  readonly #lines: FabricConnection;
  readonly #routers = new Map<string, Router>();
  readonly #ports = createNodePorts();

  constructor(context: EngineContext) {
    super();
    this.#context = context;
    this.#lines = connectToFabric(context);
    this.#processes = new Processes({ engine: this.name, mark: context.mark, patience: { ask: END_MS } });
    this.#processes.onExit((exit) => {
      const ports = this.#routers.get(exit.node_id)?.ports ?? [];
      void this.reportEnd(exit, this.#release({ ...exit, ports }));
    });
  }

  async missing(): Promise<Missing | null> {
    return (await findProgram()) === null ? MISSING : null;
  }

  incomplete({ properties, node_directory }: NodeNeeds): Promise<Missing | null> {
    return missingRouterImage(settingsOf(properties), { ...this.#context, nodeDirectory: node_directory });
  }

  readonly version = hypervisorVersion;

  deadline({ properties }: KindNode): number {
    return START_MS + PER_MEGABYTE_MS * settingsOf(properties).ram;
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    const program = await findProgram();
    if (program === null) throw new TopologError('engine_missing', { what: node.name, ...MISSING });
    for (let tries = 1; ; tries++) {
      // Clears an earlier run as well whose end was not reported: its ports would be taken.
      await this.#clear(node);
      try {
        return await this.#run(node, program, signal);
      } catch (error) {
        const failure = await this.#failure(node, error);
        await this.#clear(node);
        signal.throwIfAborted();
        if (tries === TRIES || !isPortRace(failure)) throw failure;
      }
    }
  }

  async #run(node: KindNode, program: string, signal: AbortSignal): Promise<Started> {
    const plan = await planRouter(node, this.#context, this.#ports, signal);
    const { args, directory } = plan;
    const running = await this.#processes.start(node, { program, args, cwd: directory }, signal);
    const router = await this.#processes.ready(node, signal, (left) => this.#begin(node, plan, running, left));
    signal.throwIfAborted();
    return router.started;
  }

  /** The hypervisor has been started: makes the router in it and starts that. */
  async #begin(node: KindNode, plan: Plan, running: Running, signal: AbortSignal): Promise<Router> {
    const patience = this.deadline(node);
    const hypervisor = await connectHypervisor(plan.port, patience, signal);
    const abort = (): void => hypervisor.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await hypervisor.send(['hypervisor', 'version']);
      await makeRouter(hypervisor, plan, plan.settings);
      const texts = await startRouter(hypervisor, plan, plan.settings, patience);
      const started = await this.#connect(node, plan, running);
      signal.throwIfAborted();
      const router = { ...plan, hypervisor, texts, started, ports: node.ports };
      this.#routers.set(node.node_id, router);
      return router;
    } catch (error) {
      hypervisor.close();
      // The program's last output explains its end better than the lost connection, and needs time to arrive.
      if (error instanceof HypervisorError && error.kind === 'Lost')
        await sleep(QUIT_MS, undefined, { signal }).catch(() => undefined);
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async #connect(node: KindNode, of: Pick<Router, 'nios' | 'console'>, running: Running): Promise<Started> {
    const known = this.#routers.get(node.node_id)?.started.console ?? node.console;
    const console = await connectLines(this.#lines, node, { ...of, host: consoleHost(running.argv) }, known);
    return startedOf(running, console, commandLine(running.argv));
  }

  /** Combines the error of the protocol with the output of the program. */
  async #failure(node: KindNode, error: unknown): Promise<Error> {
    if (error instanceof TopologError) return error;
    const reason = reasonOf(error, await this.#processes.output(node).catch(() => ''));
    return engineFailed(node.name, reason, error);
  }

  async stop(node: KindNode): Promise<void> {
    const router = this.#routers.get(node.node_id);
    const { platform, id, autoDeleteDisks } = settingsOf(node.properties);
    let kept = false;
    await this.#processes.stop(
      node,
      router === undefined ? undefined : (running) => endRouter(router, running, () => (kept = true)),
    );
    await this.#release(node);
    // The NVRAM is a disk too: not before its configuration is in the files.
    if (node.node_directory !== null) await tidyFiles(node.node_directory, { platform, id }, autoDeleteDisks && kept);
  }

  /** Ends what a start has left. The caller gets the first failure. */
  async #clear(node: KindNode): Promise<void> {
    await this.#processes.stop(node).catch(() => undefined);
    await this.#release(node).catch(() => undefined);
  }

  async #release(node: Pick<KindNode, 'node_id' | 'ports'>): Promise<void> {
    const router = this.#routers.get(node.node_id);
    this.#routers.delete(node.node_id);
    router?.hypervisor.close();
    await this.#lines.detach(node, router?.ports ?? node.ports);
    await this.#lines.closeConsole(node);
    this.#ports.release(node.node_id);
  }

  operate(operation: string, node: KindNode): Promise<unknown> {
    return this.#do(node, (router) => idlePcsOf(operation, router, node.name));
  }

  async suspend(node: KindNode): Promise<void> {
    await this.#do(node, ({ hypervisor, vm }) => hypervisor.send(['vm', 'suspend', vm]));
  }

  async resume(node: KindNode): Promise<void> {
    await this.#do(node, ({ hypervisor, vm }) => hypervisor.send(['vm', 'resume', vm]));
  }

  /** Stops and starts the router in its hypervisor, or in a new one if it does not stop. One that does not start again has ended. */
  async reload(node: KindNode, signal: AbortSignal): Promise<Started> {
    return this.#do(node, async (router) => {
      const { stopped } = await stopRouter(router);
      try {
        if (!stopped) return await this.start(node, {}, signal);
        await renameRouter(router, node.name);
        router.texts = await startRouter(router.hypervisor, router, router.settings, this.deadline(node));
      } catch (error) {
        const failure = await this.#failure(node, error);
        await this.#clear(node);
        const { node_id, project_id } = node;
        await this.reportEnd({ node_id, project_id, code: null, signal: null, output: failure.message });
        throw failure;
      }
      return router.started;
    });
  }

  async update(node: KindNode): Promise<void> {
    await this.#do(node, async (router) => {
      const running = this.#processes.find(node.node_id);
      if (running !== undefined) await this.#connect(node, router, running);
      await applySettings(router, settingsOf(node.properties));
    });
  }

  async #do<T>(node: KindNode, act: (router: Router) => Promise<T>): Promise<T> {
    const router = this.#routers.get(node.node_id);
    if (router === undefined) throw conflict(`${node.name} does not run`);
    try {
      await reconnect(router, ADOPT_MS);
      return await act(router);
    } catch (error) {
      throw await this.#failure(node, error);
    }
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const running = await this.#processes.adopt(node);
    const port = running === null ? null : hypervisorPort(running.argv);
    if (running === null || port === null) return null;
    const known = this.#routers.get(node.node_id);
    if (known?.hypervisor.open === true) {
      const status = await statusOf(known.hypervisor, known.vm).catch(() => null);
      if (status === 'running' || status === 'suspended')
        return { state: status === 'running' ? 'started' : 'suspended', started: known.started };
    }
    const router = await this.#find(node, running, port);
    if (router === null) await this.#clear(node);
    return router;
  }

  async #find(node: KindNode, running: Running, port: number): ReturnType<Engine['adopt']> {
    const hypervisor = await connectHypervisor(port, ADOPT_MS).catch(() => null);
    const found = hypervisor === null ? null : await findRouter(hypervisor).catch(() => null);
    if (hypervisor === null || found === null) {
      hypervisor?.close();
      return null;
    }
    const { state, ...of } = found;
    this.#ports.keep(node.node_id, portsOf(port, of));
    const started = await this.#connect(node, of, running);
    const settings = settingsOf(node.properties);
    const directory = directoryOf(node);
    const texts = await readTexts(directory, settings);
    this.#routers.get(node.node_id)?.hypervisor.close();
    const router = { ...of, hypervisor, port, settings, directory, texts, started, ports: node.ports };
    this.#routers.set(node.node_id, router);
    // Settings may have changed while no server told it; it runs in any case.
    await applySettings(router, settings).catch(() => undefined);
    return { state, started };
  }

  close(): Promise<void> {
    this.#processes.close();
    for (const { hypervisor } of this.#routers.values()) hypervisor.close();
    this.#routers.clear();
    this.#ports.end();
    return Promise.resolve();
  }
}
