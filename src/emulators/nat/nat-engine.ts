import { rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, TopologError } from '../../errors.ts';
import type { Engine, EngineContext, EngineFactory, Exit, KindNode, Missing, Started } from '../contract.ts';
import { createOutsideLines, type OutsideLines } from '../outside-lines.ts';
import { joinWords } from '../shell-words.ts';
import { createProcesses, type Processes, type Running } from '../process/processes.ts';
import { which } from '../which.ts';
import { makeNatSockets, removeNatSockets } from './nat-sockets.ts';
import { natScript, partsOfScript, socketIn, withoutNoise } from './passt-arguments.ts';

/** Leads out of the lab by passt, which needs no privileges: one for each port. */
export const PASST: EngineFactory = { name: 'passt', create: (context) => new PasstEngine(context) };

const START_MS = 20_000;
const TERM_MS = 1_500;
const LOOK_MS = 10;
const SHELL = '/bin/sh';
const MISSING: Missing = { needs: 'passt', install: 'apt-get install passt' };

type Whose = Pick<KindNode, 'node_id' | 'ports'>;

class PasstEngine implements Engine {
  readonly name = 'passt';
  readonly outside = true;
  readonly concurrency = Math.max(4, 2 * availableParallelism());
  readonly #context: EngineContext;
  readonly #lines: OutsideLines;
  readonly #processes: Processes;
  /** Nodes that run, with the ports that they were started with. */
  readonly #running = new Map<string, { ports: KindNode['ports']; started: Started }>();
  readonly #listeners: ((exit: Exit) => void)[] = [];

  constructor(context: EngineContext) {
    this.#context = context;
    this.#lines = createOutsideLines(context);
    this.#processes = createProcesses({
      engine: this.name,
      mark: context.mark,
      patience: { term: TERM_MS },
      logOf: ({ node_id }) => this.#log(node_id),
    });
    this.#processes.onExit((exit) => void this.#exited(exit));
  }

  /** The node has no directory of its own. */
  #log(nodeId: string): string {
    return path.join(this.#context.dataDir, 'nat', `${nodeId}.log`);
  }

  async missing(): Promise<Missing | null> {
    return (await which('passt')) === null ? MISSING : null;
  }

  deadline(): number {
    return START_MS;
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    signal.throwIfAborted();
    const passt = await which('passt');
    if (passt === null) throw new TopologError('engine_missing', { what: node.name, ...MISSING });
    try {
      await this.#release(node);
      return await this.#launch(node, passt, signal);
    } catch (error) {
      await this.#clear(node);
      signal.throwIfAborted();
      throw failed(node, error);
    }
  }

  async #launch(node: KindNode, passt: string, signal: AbortSignal): Promise<Started> {
    const directory = await makeNatSockets(node, this.#context);
    const numbers = node.ports.map(({ port_number }) => port_number);
    const sockets = numbers.map((number) => socketIn(directory, number));
    const launch = { program: SHELL, args: ['-c', natScript(passt, directory, numbers)], cwd: '/' };
    const running = await this.#processes.start(node, launch, signal);
    await this.#processes.ready(node, signal, (left) => areThere(sockets, left));
    await this.#attach(node, directory);
    signal.throwIfAborted();
    return this.#keep(node, running);
  }

  #keep({ node_id, ports }: Whose, { pid, started: pid_started, argv }: Running): Started {
    const started = { pid, pid_started, console: null, command_line: joinWords(argv) };
    this.#running.set(node_id, { ports, started });
    return started;
  }

  #attach(node: KindNode, directory: string): Promise<void> {
    return this.#lines.attach(node, node.ports, ({ port_number }) => ({
      type: 'stream',
      path: socketIn(directory, port_number),
      listen: false,
    }));
  }

  async stop(node: KindNode): Promise<void> {
    await this.#processes.stop(node);
    await this.#release(node);
  }

  async #clear(node: KindNode): Promise<void> {
    // What failed first is what the caller is to hear of.
    await this.stop(node).catch(() => undefined);
  }

  async #release({ node_id, ports }: Whose): Promise<void> {
    const all = new Map(
      [...ports, ...(this.#running.get(node_id)?.ports ?? [])].map((port) => [port.port_number, port]),
    );
    this.#running.delete(node_id);
    await this.#lines.detach({ node_id }, [...all.values()]);
    await removeNatSockets(node_id, this.#context);
  }

  async #exited(exit: Exit): Promise<void> {
    // Reported in any case; what could not be released now is at the next start.
    await this.#release({ node_id: exit.node_id, ports: [] }).catch(() => undefined);
    for (const listener of this.#listeners) listener({ ...exit, output: withoutNoise(exit.output) });
  }

  /** Other ports are other passts: all are started anew. */
  async update(node: KindNode, signal: AbortSignal): Promise<void> {
    const known = this.#running.get(node.node_id);
    if (known !== undefined && portsOf(known.ports) === portsOf(node.ports)) return;
    await this.stop(node);
    await this.start(node, {}, signal);
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const running = await this.#processes.adopt(node);
    if (running === null) return null;
    const directory = directoryOf(running.argv, node);
    if (directory === null) {
      // Started with other ports than the node has now.
      await this.stop(node);
      return null;
    }
    await this.#attach(node, directory);
    return { state: 'started', started: this.#keep(node, running) };
  }

  async remove(node: KindNode): Promise<void> {
    await this.stop(node);
    await Promise.all(['', '.1'].map((end) => rm(this.#log(node.node_id) + end, { force: true })));
  }

  onExit(listener: (exit: Exit) => void): void {
    this.#listeners.push(listener);
  }

  close(): Promise<void> {
    this.#processes.close();
    this.#running.clear();
    return Promise.resolve();
  }
}

const portsOf = (ports: KindNode['ports']): string => ports.map(({ port_number }) => port_number).join();

/** Where the sockets of a running node are, by its script, when it was made for the ports that the node has. */
const directoryOf = (argv: readonly string[], node: Whose): string | null => {
  const script = argv.at(-1) ?? '';
  const { passt, directory } = partsOfScript(script) ?? { passt: '', directory: '' };
  const numbers = node.ports.map(({ port_number }) => port_number);
  return natScript(passt, directory, numbers) === script ? directory : null;
};

/** Resolves once every socket has been made, which passt does before it serves. */
const areThere = async (sockets: readonly string[], signal: AbortSignal): Promise<void> => {
  for (const socket of sockets)
    while (!(await stat(socket).then(Boolean, () => false))) {
      signal.throwIfAborted();
      await sleep(LOOK_MS);
    }
};

/** An error whose sentence has what passt said and not what its host lacks. */
const failed = (node: KindNode, error: unknown): TopologError => {
  if (error instanceof TopologError && error.code !== 'engine_failed') return error;
  const reason = error instanceof TopologError ? String(error.details['reason']) : messageOf(error);
  return new TopologError('engine_failed', { what: node.name, reason: withoutNoise(reason) }, { cause: error });
};
