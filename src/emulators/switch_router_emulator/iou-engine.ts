import { availableParallelism } from 'node:os';
import { TopologError } from '../../common/errors.ts';
import { programFile } from '../../common/package.ts';
import { unlessAborted } from '../../common/promises.ts';
import type { Engine, EngineContext, EngineFactory, KindNode, Missing, NodeNeeds, Started } from '../kit/contract.ts';
import { connectToFabric, type FabricConnection } from '../shared/fabric-connection.ts';
import { findImage, hasImages } from '../shared/images/image-files.ts';
import { directoryOf, OutsideEngine } from '../shared/outside-engine.ts';
import { Processes, type Running, startedOf } from '../shared/process/processes.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import { type ApplicationIds, createApplicationIds } from './application-ids.ts';
import { lastIdOf } from './files/configs.ts';
import { licenceArgs, withServerLicense, readLicense } from './license.ts';
import { removeLeftOver, processUsing } from './files/netio.ts';
import { placeFiles, unlinkImage } from './files/node-files.ts';
import { folders, socketsIn } from './files/run-directory.ts';
import { checkImage, type ImageHelp, ImageHelps, imagePlaces, iouArguments } from './image.ts';
import { libcLacks } from './libc.ts';
import { readRelayArguments, relayArguments, type RelayPlan } from './relay-arguments.ts';
import { connectRelay, type RelayLinks, type RelayControl, watchLinks } from './relay-control.ts';
import { ownApplicationId, settingsOf } from './schema.ts';

/** Runs images of IOU, each as a program of its own beside a relay that connects it to the fabric. */
export const IOU: EngineFactory = { name: 'iou', create: (context) => new IouEngine(context) };

const START_MS = 60_000;
/** Time in which a running relay tells a server that looks for it that its instance is up. */
const ADOPT_MS = 5_000;
const RELAY = programFile('emulators/switch_router_emulator/relay/main');

interface Instance {
  plan: RelayPlan;
  directory: string;
  control: RelayControl | null;
  console: number | null;
}

class IouEngine extends OutsideEngine implements Engine {
  readonly name = 'iou';
  readonly concurrency = Math.max(4, 2 * availableParallelism());
  readonly #context: EngineContext;
  readonly #processes: Processes;
  readonly #lines: FabricConnection;
  readonly #links: RelayLinks;
  readonly #ids: ApplicationIds;
  readonly #uid = process.getuid?.() ?? 0;
  readonly #instances = new Map<string, Instance>();
  readonly #helps = new ImageHelps();

  constructor(context: EngineContext) {
    super();
    this.#context = context;
    this.#lines = connectToFabric(context);
    this.#links = watchLinks(context, (nodeId) => this.#instances.get(nodeId)?.control ?? undefined);
    this.#ids = createApplicationIds((id) => processUsing(this.#uid, id));
    this.#processes = new Processes({ engine: this.name, mark: context.mark });
    this.#processes.onExit((exit) => void this.reportEnd(exit, this.#release(exit, [])));
  }

  missing(): Promise<Missing | null> {
    if (process.platform !== 'linux')
      return Promise.resolve({ needs: 'Linux', install: 'run the server on Linux, in a virtual machine if need be' });
    return libcLacks();
  }

  async incomplete(node: NodeNeeds): Promise<Missing | null> {
    const places = imagePlaces(this.#context, node);
    const { path: image } = settingsOf(node.properties);
    const found = await findImage('path', image, places).catch(() => null);
    return found === null ? { needs: `the image ${image}`, install: `put the image into ${places.images[0]}` } : null;
  }

  async unprovided(): Promise<Missing | null> {
    const { images } = imagePlaces(this.#context, { node_directory: null });
    if (await hasImages(images)) return null;
    return {
      needs: 'an image, and the licence that it asks for',
      install: `put the image into ${images[0]} and its licence into ~/.iourc, or send that with the start`,
    };
  }

  deadline(): number {
    return START_MS;
  }

  async start(node: KindNode, args: Record<string, unknown>, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    const missing = await this.missing();
    if (missing !== null) throw new TopologError('engine_missing', { what: node.name, ...missing });
    // Stops an earlier run whose end was not reported: it may hold the application id.
    await this.stop(node);
    try {
      const running = await this.#launch(node, args, signal);
      const console = await this.#processes.ready(node, signal, (left) => this.#open(node, left));
      signal.throwIfAborted();
      return this.#started(node, running, console);
    } catch (error) {
      // The caller gets the first failure.
      await this.stop(node).catch(() => undefined);
      signal.throwIfAborted();
      throw error;
    }
  }

  async #launch(node: KindNode, args: Record<string, unknown>, signal: AbortSignal): Promise<Running> {
    const directory = directoryOf(node);
    const settings = settingsOf(node.properties);
    const image = await findImage('path', settings.path, imagePlaces(this.#context, node));
    await checkImage(image);
    const applicationId = await this.#ids.take(node, {
      id: settings.applicationId,
      orAnother: settings.applicationId === ownApplicationId(node),
      last: await lastIdOf(directory),
    });
    const licence = await withServerLicense(licenceArgs(args), () => readLicense(this.#context.dataDir));
    const help = (): Promise<ImageHelp> => this.#helps.of(image, directory);
    const environment = await placeFiles(node, directory, { image, settings, applicationId, help }, licence);
    signal.throwIfAborted();
    const { keepalives } = settings;
    const plan: RelayPlan = {
      directory: await folders.make(node, this.#context),
      applicationId,
      ports: node.ports.map(({ adapter_number, port_number }) => ({ adapter_number, port_number })),
      keepalives,
      command: [image, ...iouArguments(settings, applicationId)],
    };
    this.#instances.set(node.node_id, { plan, directory, control: null, console: null });
    const launch = { program: process.execPath, args: [RELAY, ...relayArguments(plan)], environment };
    return this.#processes.start(node, launch, signal);
  }

  /** Resolves with the console's port once the instance is up and connected. */
  async #open(node: KindNode, signal: AbortSignal): Promise<number | null> {
    const instance = this.#instances.get(node.node_id);
    if (instance === undefined) return null;
    const control = await connectRelay(socketsIn(instance.plan.directory).control, signal);
    instance.control = control;
    await unlessAborted(control.ready, signal);
    return this.#attach(node, instance);
  }

  async #attach(node: KindNode, instance: Instance): Promise<number | null> {
    const sockets = socketsIn(instance.plan.directory);
    this.#links.listen();
    await this.#lines.attach(node, instance.plan.ports, (port) => ({
      type: 'stream',
      path: sockets.port(port),
      listen: false,
    }));
    this.#links.tell(node.node_id);
    const wished = instance.console ?? node.console;
    instance.console = await this.#lines.openConsole(node, { path: sockets.console }, wished);
    return instance.console;
  }

  #started({ node_id }: KindNode, running: Running, console: number | null): Started {
    const command = this.#instances.get(node_id)?.plan.command ?? [];
    return startedOf(running, console, joinWords(command));
  }

  async stop(node: KindNode): Promise<void> {
    await this.#processes.stop(node);
    await this.#release(node, node.ports);
  }

  async #release(node: Pick<KindNode, 'node_id' | 'project_id'>, ports: RelayPlan['ports']): Promise<void> {
    const instance = this.#instances.get(node.node_id);
    this.#instances.delete(node.node_id);
    instance?.control?.close();
    this.#links.forget(node.node_id);
    try {
      await this.#lines.detach(node, instance?.plan.ports ?? ports);
      await this.#lines.closeConsole(node);
      await folders.remove(node, this.#context);
    } finally {
      // Done even if the fabric fails: the next instance with this id must not find them.
      if (instance !== undefined) {
        const { plan, directory } = instance;
        await unlinkImage(directory, plan.command[0] ?? '').catch(() => undefined);
        await removeLeftOver(this.#uid, plan.applicationId).catch(() => undefined);
      }
      this.#ids.release(node.node_id);
    }
  }

  async update(node: KindNode): Promise<void> {
    const instance = this.#instances.get(node.node_id);
    if (instance !== undefined) await this.#attach(node, instance);
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const running = await this.#processes.adopt(node);
    const plan = running === null ? null : planOf(running, node, this.#context);
    if (running === null || plan === null) return null;
    const known = this.#instances.get(node.node_id);
    const instance = known ?? { plan, directory: directoryOf(node), control: null, console: null };
    this.#instances.set(node.node_id, instance);
    this.#ids.keep(node, plan.applicationId);
    const patience = AbortSignal.timeout(ADOPT_MS);
    try {
      instance.control ??= await connectRelay(socketsIn(plan.directory).control, patience);
      await unlessAborted(instance.control.ready, patience);
    } catch {
      // The start was never finished.
      await this.stop(node);
      return null;
    }
    const console = await this.#attach(node, instance);
    return { state: 'started', started: this.#started(node, running, console) };
  }

  sweep(keep: readonly Pick<KindNode, 'node_id' | 'project_id'>[], remove: boolean): Promise<string[]> {
    return folders.sweep(keep, this.#context, remove);
  }

  close(): Promise<void> {
    this.#processes.close();
    for (const { control } of this.#instances.values()) control?.close();
    this.#instances.clear();
    return Promise.resolve();
  }
}

/** Plan of a running relay, by its arguments behind Node and the script; null when they are not those of this node's. */
const planOf = ({ argv }: Running, node: KindNode, context: EngineContext): RelayPlan | null => {
  const plan = readRelayArguments(argv.slice(2));
  return plan !== null && folders.isOf(plan.directory, node, context) ? plan : null;
};
