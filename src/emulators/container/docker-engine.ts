import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { asEngineFailed, conflict, engineFailed, TopologError } from '../../common/errors.ts';
import { identityOf } from '../../processes/identity.ts';
import type {
  Engine,
  EngineContext,
  EngineFactory,
  KindNode,
  Missing,
  NodeFile,
  NodeNeeds,
  Ran,
  Started,
} from '../kit/contract.ts';
import { OutsideEngine } from '../shared/outside-engine.ts';
import { fillInFor } from '../shared/placeholders.ts';
import { type Adapters, createAdapters } from './adapters.ts';
import { createConsoles } from './consoles.ts';
import { watchDaemons } from './daemons.ts';
import { findService, isService, missingFor, serviceVersion } from './find-service.ts';
import { ensureImage, missingImage } from './images.ts';
import { runCommands, runLine } from './inside/commands.ts';
import { copyIn, readConfiguration } from './inside/files.ts';
import { findBusybox, firstProgram } from './inside/init.ts';
import { interfaceNames } from './inside/interfaces.ts';
import { setUpNetwork } from './inside/set-up-network.ts';
import { mountsOf } from './inside/volumes.ts';
import { publishPorts } from './published-ports.ts';
import type { Service } from './service.ts';
import { commandLineOf, creationOf, settingsOf } from './settings.ts';
import {
  containersOf,
  type ContainerState,
  endContainer,
  inspect,
  makeContainer,
  outputOf,
  pauseContainer,
  removeContainer,
  restartContainer,
  sweepContainers,
  toEngineError,
  unpauseContainer,
  watchContainers,
} from './containers.ts';

/** Runs containers of a Docker or Podman service on this machine. */
export const DOCKER: EngineFactory = { name: 'docker', create: (context) => new DockerEngine(context) };

/** Milliseconds: an image may have to be pulled. */
const START_MS = 300_000;
const PER_ADAPTER_MS = 1_000;

/** A container that runs. */
interface Run {
  service: Service;
  node: KindNode;
  id: string;
  started: Started;
}

class DockerEngine extends OutsideEngine implements Engine {
  readonly name = 'docker';
  readonly concurrency = Math.max(4, 2 * availableParallelism());
  readonly #context: EngineContext;
  readonly #adapters;
  readonly #consoles;
  readonly #watch;
  readonly #daemons;
  /** By node. */
  readonly #runs = new Map<string, Run>();

  constructor(context: EngineContext) {
    super();
    this.#context = context;
    this.#adapters = createAdapters(context);
    this.#consoles = createConsoles(context);
    this.#watch = watchContainers(context.mark, (id, code) => void this.#gone(id, code));
    this.#daemons = watchDaemons({
      outputOf: async (id) => {
        const run = this.#runOf(id);
        return run === undefined ? '' : outputOf(run.service, id);
      },
      warn: (id, message) => {
        const node = this.#runOf(id)?.node;
        if (node !== undefined) this.reportWarning({ node_id: node.node_id, message });
      },
    });
  }

  missing(node: Pick<KindNode, 'properties'> | null): Promise<Missing | null> {
    return missingFor(this.#context, node);
  }

  incomplete({ properties }: NodeNeeds): Promise<Missing | null> {
    return missingImage(this.#context, settingsOf(properties).image);
  }

  version(): Promise<string | null> {
    return serviceVersion(this.#context);
  }

  deadline({ ports }: KindNode): number {
    return START_MS + PER_ADAPTER_MS * ports.length;
  }

  async #service(node: KindNode): Promise<Service> {
    const found = await findService(this.#context);
    if (isService(found)) return found;
    throw new TopologError('engine_missing', { what: node.name, ...found });
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    if (node.console_type === 'vnc')
      throw conflict(`${node.name}: engine docker has no vnc console; set console_type to telnet, http, https or none`);
    const service = await this.#service(node);
    await this.#clear(service, node);
    try {
      const { id, warnings } = await this.#create(service, node, signal);
      await service.call('POST', `/containers/${id}/start`);
      const started = await this.#connect(service, node, id, signal);
      return warnings.length === 0 ? started : { ...started, warnings: [...warnings, ...(started.warnings ?? [])] };
    } catch (error) {
      await this.#clear(service, node).catch(() => undefined);
      signal.throwIfAborted();
      throw toEngineError(error, node);
    }
  }

  /** Calls that make something are not aborted: the container would be made all the same, and nobody would know. */
  async #create(service: Service, node: KindNode, signal: AbortSignal): Promise<{ id: string; warnings: string[] }> {
    const settings = settingsOf(node.properties, fillInFor(node));
    if (node.node_directory !== null) await mkdir(node.node_directory, { recursive: true });
    const image = await ensureImage(service, settings.image, node, signal);
    const mounts = await mountsOf(service, node, settings, image);
    const first = await firstProgram(settings, image, interfaceNames(node));
    signal.throwIfAborted();
    const body = creationOf(node, settings, this.#context.mark, { ...first, mounts: [...mounts, ...first.mounts] });
    const made = await makeContainer(service, node, this.#context.mark, body);
    await copyIn(service, made.id, node.properties);
    return made;
  }

  /** A container has been started: gives it its adapters and its console. */
  async #connect(service: Service, node: KindNode, id: string, signal: AbortSignal): Promise<Started> {
    const found = await inspect(service, id);
    if (found?.state !== 'running') throw await this.#ended(service, node, id, found);
    try {
      await this.#adapters.plug(node, found.pid, signal);
    } catch (error) {
      const now = await inspect(service, id);
      if (now?.state !== 'running') throw await this.#ended(service, node, id, now);
      throw asEngineFailed(node, error);
    }
    const console = (await this.#consoles.serve(node, found.pid)) ?? (await this.#consoles.open(service, node, id));
    signal.throwIfAborted();
    const started = await this.#keep(service, node, found, console);
    const warnings = settingsOf(node.properties).odd.map(
      (line) => `environment: ${line} is not like NAME=value and sets nothing`,
    );
    warnings.push(...(await setUpNetwork(node, { service, id, pid: found.pid }, signal)));
    warnings.push(...(await publishPorts(this.#context, node, found.pid)));
    const failed = await runCommands(service, id, node.properties, { fill: fillInFor(node), signal });
    warnings.push(...failed);
    if (warnings.length === 0) return started;
    return { ...started, warnings, ...(failed.length === 0 ? {} : { failed_commands: failed }) };
  }

  async #keep(service: Service, node: KindNode, { id, pid }: ContainerState, console: number | null): Promise<Started> {
    const pid_started = (await identityOf(pid))?.started ?? null;
    const started: Started = { pid, pid_started, console, command_line: commandLineOf(node) };
    this.#runs.set(node.node_id, { service, node, id, started });
    this.#watch.add(service, id);
    this.#daemons.add(id, pid);
    return started;
  }

  async #ended(service: Service, node: KindNode, id: string, found: ContainerState | null): Promise<Error> {
    const said = (await outputOf(service, id)) || 'it said nothing';
    return engineFailed(node.name, `it ended at once (code ${found?.exitCode ?? 'unknown'}): ${said}`);
  }

  /** Ends whatever there is of a node, without asking it. */
  async #clear(service: Service, node: KindNode): Promise<void> {
    this.#forget(node.node_id);
    try {
      for (const id of await containersOf(service, node.node_id, this.#context.mark))
        await removeContainer(service, id);
    } finally {
      await this.#release(node);
    }
  }

  async #release(node: KindNode): Promise<void> {
    await this.#consoles.close(node.node_id);
    await this.#adapters.unplug(node);
  }

  #forget(nodeId: string): void {
    const run = this.#runs.get(nodeId);
    if (run !== undefined) {
      this.#watch.remove(run.id);
      this.#daemons.remove(run.id);
    }
    this.#runs.delete(nodeId);
  }

  async stop(node: KindNode): Promise<void> {
    const run = this.#runs.get(node.node_id);
    this.#forget(node.node_id);
    try {
      const service = run?.service ?? (await this.#whereItWas());
      if (service !== null)
        for (const id of await containersOf(service, node.node_id, this.#context.mark)) await endContainer(service, id);
    } catch (error) {
      if (run !== undefined) this.#runs.set(node.node_id, run);
      throw toEngineError(error, node);
    }
    await this.#release(node);
  }

  /** null: no service answers, so there is nothing that could be asked to end. */
  async #whereItWas(): Promise<Service | null> {
    const found = await findService(this.#context);
    return isService(found) ? found : null;
  }

  async suspend(node: KindNode): Promise<void> {
    await this.#act(node, pauseContainer);
  }

  async resume(node: KindNode): Promise<void> {
    await this.#act(node, unpauseContainer);
  }

  async #act(node: KindNode, act: typeof pauseContainer): Promise<void> {
    const { service, id } = this.#run(node);
    try {
      await act(service, id);
    } catch (error) {
      throw toEngineError(error, node);
    }
  }

  /** Restarts the same container, with the files that it has written; its network is a new one, and so are its adapters. */
  async reload(node: KindNode, signal: AbortSignal): Promise<Started> {
    const { service, id, started } = this.#run(node);
    this.#forget(node.node_id);
    try {
      await this.#release(node);
      await restartContainer(service, id);
      return await this.#connect(service, { ...node, console: started.console }, id, signal);
    } catch (error) {
      await this.#clear(service, node).catch(() => undefined);
      throw toEngineError(error, node);
    }
  }

  #run(node: KindNode): Run {
    const run = this.#runs.get(node.node_id);
    if (run === undefined) throw conflict(`${node.name} does not run`);
    return run;
  }

  /** Nothing but its name can change while it runs. */
  async update(node: KindNode): Promise<void> {
    const { service, id, started } = this.#run(node);
    await this.#consoles.open(service, node, id, started.console);
  }

  async configuration(node: KindNode): Promise<NodeFile[]> {
    const { service, id } = this.#run(node);
    try {
      return await readConfiguration(service, id, node.properties);
    } catch (error) {
      throw toEngineError(error, node);
    }
  }

  async run(node: KindNode, line: string, how: { ms: number; root?: boolean }, signal: AbortSignal): Promise<Ran> {
    const { service, id } = this.#run(node);
    // Only a container with interfaces waits for them, by the busybox of this machine.
    const hasBusybox = node.ports.length > 0 && (await findBusybox()) !== null;
    const { failed, ...ran } = await runLine(service, id, { ...how, line, hasBusybox }, signal);
    if (failed !== undefined && ran.isLate !== true) throw engineFailed(node.name, failed);
    return ran;
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const service = await this.#whereItWas();
    if (service === null) return null;
    try {
      const [id] = await containersOf(service, node.node_id, this.#context.mark);
      const found = id === undefined ? null : await inspect(service, id);
      if (found !== null && found.project_id !== node.project_id) return null;
      if (found === null || found.state === 'ended' || !(await this.#adapters.adopt(node))) {
        await this.#clear(service, node);
        return null;
      }
      const console = await this.#consoles.adopt(service, node, found.id);
      const started = await this.#keep(service, node, found, console);
      return { state: found.state === 'paused' ? 'suspended' : 'started', started };
    } catch (error) {
      throw toEngineError(error, node);
    }
  }

  async sweep(...which: Parameters<Adapters['sweep']>): Promise<string[]> {
    const service = await this.#whereItWas();
    const containers = service === null ? [] : sweepContainers(service, this.#context.mark, ...which);
    // Both at once: adapters are removed even if the service fails.
    return (await Promise.all([containers, this.#adapters.sweep(...which)])).flat();
  }

  #runOf(id: string): Run | undefined {
    return [...this.#runs.values()].find((one) => one.id === id);
  }

  async #gone(id: string, code: number | null): Promise<void> {
    this.#daemons.remove(id);
    const run = this.#runOf(id);
    if (run === undefined) return;
    const { service, node } = run;
    this.#runs.delete(node.node_id);
    const output = await outputOf(service, id);
    const { node_id, project_id } = node;
    await this.reportEnd({ node_id, project_id, code, signal: null, output }, this.#clear(service, node));
  }

  close(): Promise<void> {
    this.#watch.close();
    this.#daemons.close();
    this.#runs.clear();
    return Promise.resolve();
  }
}
