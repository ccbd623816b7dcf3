import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { engineFailed, messageOf, TopologError } from '../../common/errors.ts';
import type { AttachmentSpec } from '../../fabric/protocol.ts';
import type { Engine, EngineContext, EngineFactory, KindNode, Missing, Port, Started } from '../kit/contract.ts';
import { connectToFabric, type FabricConnection } from '../shared/fabric-connection.ts';
import { OutsideEngine } from '../shared/outside-engine.ts';
import { Processes, type Running, startedOf } from '../shared/process/processes.ts';
import { joinWords } from '../shared/process/shell-words.ts';

/** Leads nodes out of the lab by one of the backends; a shell for each node runs its programs. */
export const natEngine = (name: string, makeBackend: NatBackendFactory): EngineFactory => ({
  name,
  create: (context) => new NatEngine(context, makeBackend(context)),
});

const START_MS = 20_000;
const TERM_MS = 1_500;
const SHELL = '/bin/sh';

type NodeRef = Pick<KindNode, 'node_id' | 'project_id' | 'ports'>;

class NatEngine extends OutsideEngine implements Engine {
  readonly name: string;
  readonly concurrency = Math.max(4, 2 * availableParallelism());
  readonly #context: EngineContext;
  readonly #backend: NatBackend;
  readonly #lines: FabricConnection;
  readonly #processes: Processes;
  /** Nodes that run, with the ports that they were started with. */
  readonly #running = new Map<string, { ports: KindNode['ports']; started: Started }>();

  constructor(context: EngineContext, backend: NatBackend) {
    super();
    this.name = backend.name;
    this.#context = context;
    this.#backend = backend;
    this.#lines = connectToFabric(context);
    this.#processes = new Processes({
      engine: backend.name,
      mark: context.mark,
      patience: { term: TERM_MS },
      logOf: ({ node_id }) => this.#log(node_id),
    });
    this.#processes.onExit((exit) => {
      const filtered = { ...exit, output: this.#filtered(exit.output) };
      void this.reportEnd(filtered, this.#release({ ...exit, ports: [] }));
    });
  }

  /** The node has no directory of its own. */
  #log(nodeId: string): string {
    return path.join(this.#context.dataDir, 'nat', `${nodeId}.log`);
  }

  missing(): Promise<Missing | null> {
    return this.#backend.missing();
  }

  deadline(): number {
    return START_MS;
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    const missing = await this.#backend.missing();
    if (missing !== null) throw new TopologError('engine_missing', { what: node.name, ...missing });
    try {
      // Stops what an earlier server may have left: its programs hold what is made again below.
      await this.stop(node);
      return await this.#launch(node, await this.#backend.prepare(node), signal);
    } catch (error) {
      await this.#clear(node);
      signal.throwIfAborted();
      throw this.#failed(node, error);
    }
  }

  async #launch(node: KindNode, plan: NatPlan, signal: AbortSignal): Promise<Started> {
    const launch = { program: SHELL, args: ['-c', plan.script], cwd: '/' };
    const running = await this.#processes.start(node, launch, signal);
    await this.#processes.ready(node, signal, (left) => plan.ready(left, () => this.#processes.output(node)));
    await this.#lines.attach(node, node.ports, (port) => plan.to(port));
    signal.throwIfAborted();
    return this.#keep(node, running);
  }

  #keep({ node_id, ports }: NodeRef, running: Running): Started {
    const started = startedOf(running, null, joinWords(running.argv));
    this.#running.set(node_id, { ports, started });
    return started;
  }

  async stop(node: KindNode): Promise<void> {
    await this.#processes.stop(node);
    await this.#release(node);
  }

  async #clear(node: KindNode): Promise<void> {
    // The caller gets the first failure.
    await this.stop(node).catch(() => undefined);
  }

  async #release(node: NodeRef): Promise<void> {
    const { node_id, ports } = node;
    const all = new Map(
      [...ports, ...(this.#running.get(node_id)?.ports ?? [])].map((port) => [port.port_number, port]),
    );
    this.#running.delete(node_id);
    await this.#lines.detach({ node_id }, [...all.values()]);
    await this.#backend.clean(node);
  }

  /** The programs depend on the ports: all are restarted. */
  async update(node: KindNode, signal: AbortSignal): Promise<void> {
    const known = this.#running.get(node.node_id);
    if (known !== undefined && portsOf(known.ports) === portsOf(node.ports)) return;
    await this.stop(node);
    await this.start(node, {}, signal);
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const running = await this.#processes.adopt(node);
    if (running === null) return null;
    const plan = await this.#backend.recall(node, running.argv.at(-1) ?? '');
    if (plan === null) {
      // Started with other ports than the node has now.
      await this.stop(node);
      return null;
    }
    await this.#lines.attach(node, node.ports, (port) => plan.to(port));
    return { state: 'started', started: this.#keep(node, running) };
  }

  async sweep(keep: readonly NatNode[], remove: boolean): Promise<string[]> {
    return (await this.#backend.sweep?.(keep, remove)) ?? [];
  }

  override async remove(node: KindNode): Promise<void> {
    await this.stop(node);
    await this.#backend.forget?.(node);
    await Promise.all(['', '.1'].map((end) => rm(this.#log(node.node_id) + end, { force: true })));
  }

  #filtered(output: string): string {
    return this.#backend.filterOutput?.(output) ?? output;
  }

  /** An error whose sentence has what the programs said and not what their host lacks. */
  #failed(node: KindNode, error: unknown): TopologError {
    if (error instanceof TopologError && error.code !== 'engine_failed') return error;
    const reason = error instanceof TopologError ? String(error.details['reason']) : messageOf(error);
    return engineFailed(node.name, this.#filtered(reason), error);
  }

  close(): Promise<void> {
    this.#processes.close();
    this.#running.clear();
    return Promise.resolve();
  }
}

const portsOf = (ports: KindNode['ports']): string => ports.map(({ port_number }) => port_number).join();

/** Plan of one run of a NAT node. */
export interface NatPlan {
  /** Shell script that runs the programs of the node, and ends when one of them does. */
  script: string;
  /** Destination of a port's frames. */
  to(port: Pick<Port, 'port_number'>): AttachmentSpec['to'];
  /** Resolves once everything that the script runs serves. `said`: what it has printed in this run. */
  ready(signal: AbortSignal, said: () => Promise<string>): Promise<void>;
}

export type NatNode = Pick<KindNode, 'node_id' | 'project_id'>;

/** Programs that lead out of the lab. */
export interface NatBackend {
  readonly name: string;
  missing(): Promise<Missing | null>;
  /** Makes whatever the script needs. Nothing is there of the node when it is called, as `clean` was before. */
  prepare(node: KindNode): Promise<NatPlan>;
  /** The plan that a running script belongs to; null when it was made for other ports, or what it needs is gone. */
  recall(node: KindNode, script: string): Promise<NatPlan | null>;
  /** Removes what there is for the node beside its processes, whichever server made it. Does nothing when there is none. */
  clean(node: NatNode): Promise<void>;
  /** As `sweep` of an engine. */
  sweep?(keep: readonly NatNode[], remove: boolean): Promise<string[]>;
  /** Removes what is kept from one run to the next. */
  forget?(node: NatNode): Promise<void>;
  /** Output of its programs without lines that tell a user nothing. */
  filterOutput?(output: string): string;
}

type NatBackendFactory = (context: EngineContext) => NatBackend;

/**
 * A shell script that runs the commands and ends when one of them does, which ends the others: they are one node. One without
 * commands only waits to be ended.
 */
export const scriptOf = (commands: readonly string[]): string =>
  commands.length === 0
    ? 'while :; do sleep 3600; done'
    : [...commands.map((command) => `(${command}; kill 0) &`), 'wait'].join('\n');
