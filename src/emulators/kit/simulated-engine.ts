import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { Emitter } from '../../common/emitter.ts';
import { engineFailed } from '../../common/errors.ts';
import type { NodeSpec } from '../../fabric/protocol.ts';
import type { Engine, EngineContext, EngineFactory, Exit, KindNode, Started } from './contract.ts';
import { FabricNodes, specOf } from './fabric-node.ts';
import * as fields from './fields.ts';

/** Milliseconds for a start on top of the delay that was asked for. */
const START_MS = 10_000;

/**
 * Has the ports, the console and the states of any kind, and moves no frames. It runs only where it was asked for.
 * `properties.simulate` makes it slow, fail or end by itself, so that a client can try how that looks.
 */
export const SIMULATED: EngineFactory = { name: 'simulated', create: (context) => new SimulatedEngine(context) };

const ACTIONS = ['start', 'stop', 'suspend', 'resume', 'reload'] as const;
type Action = (typeof ACTIONS)[number];

class SimulatedEngine implements Engine {
  readonly name = 'simulated';
  readonly concurrency = Infinity;
  readonly #context: EngineContext;
  readonly #nodes: FabricNodes;
  readonly #events = new Emitter<{ exit: [Exit] }>();
  readonly onExit = this.#events.subscriber('exit');
  readonly #ends = new Map<string, NodeJS.Timeout>();

  constructor(context: EngineContext) {
    this.#context = context;
    this.#nodes = new FabricNodes(context, commandLine);
    this.#nodes.onExit((exit) => this.#events.emit('exit', exit));
  }

  missing(): Promise<null> {
    return Promise.resolve(null);
  }

  async start(node: KindNode, _args: unknown, signal: AbortSignal): Promise<Started> {
    await rehearse(node, 'start', signal);
    return this.#launch(node, signal);
  }

  async stop(node: KindNode, signal: AbortSignal): Promise<void> {
    await rehearse(node, 'stop', signal);
    await this.remove(node);
  }

  async suspend(node: KindNode, signal: AbortSignal): Promise<void> {
    await rehearse(node, 'suspend', signal);
    await this.#nodes.act(node, 'node.suspend');
  }

  async resume(node: KindNode, signal: AbortSignal): Promise<void> {
    await rehearse(node, 'resume', signal);
    await this.#nodes.act(node, 'node.resume');
  }

  async reload(node: KindNode, signal: AbortSignal): Promise<Started> {
    await rehearse(node, 'reload', signal);
    await this.remove(node);
    return this.#launch(node, signal);
  }

  update(node: KindNode): Promise<void> {
    return this.#nodes.configure(node, this.#spec(node));
  }

  async adopt(node: KindNode): ReturnType<Engine['adopt']> {
    const found = await this.#nodes.adopt(node, 'simulated', () => this.#spec(node));
    if (found !== null && !this.#ends.has(node.node_id)) this.#endLater(node);
    return found;
  }

  async remove(node: KindNode): Promise<void> {
    clearTimeout(this.#ends.get(node.node_id));
    this.#ends.delete(node.node_id);
    await this.#nodes.stop(node);
  }

  deadline(node: KindNode): number {
    return START_MS + (settingsOf(node).delay_ms ?? 0);
  }

  close(): Promise<void> {
    for (const timer of this.#ends.values()) clearTimeout(timer);
    this.#ends.clear();
    this.#nodes.close();
    return Promise.resolve();
  }

  #spec(node: KindNode): NodeSpec {
    return specOf(node, 'simulated', {}, this.#context.consoles);
  }

  async #launch(node: KindNode, signal: AbortSignal): Promise<Started> {
    const console = await this.#nodes.start(node, this.#spec(node), signal);
    this.#endLater(node);
    return { pid: null, console, command_line: commandLine(node) };
  }

  #endLater(node: KindNode): void {
    const { exit_after_ms: ms } = settingsOf(node);
    if (ms === undefined) return;
    const timer = setTimeout(() => void this.#end(node), ms);
    this.#ends.set(node.node_id, timer.unref());
  }

  async #end(node: KindNode): Promise<void> {
    this.#ends.delete(node.node_id);
    // Without a fabric it does not run either, so the exit is reported in any case.
    await this.#nodes.stop(node).catch(() => undefined);
    const { node_id, project_id } = node;
    const output = 'The simulated node ended by itself, as simulate.exit_after_ms says.';
    this.#events.emit('exit', { node_id, project_id, code: 0, signal: null, output });
  }
}

const commandLine = (node: KindNode): string => `simulated ${node.name}`;

const settings = fields.simulate.catch({});
const settingsOf = (node: KindNode): z.infer<typeof settings> => settings.parse(node.properties['simulate'] ?? {});

/** Takes the time and makes the failure that were asked for. */
const rehearse = async (node: KindNode, action: Action, signal: AbortSignal): Promise<void> => {
  const { delay_ms = 0, fail } = settingsOf(node);
  if (delay_ms > 0) await abortable(sleep(delay_ms, undefined, { signal }), signal);
  signal.throwIfAborted();
  if (fail === undefined) return;
  const isAction = (ACTIONS as readonly string[]).includes(fail);
  if (isAction ? fail === action : action === 'start') {
    const reason = isAction ? `its simulated ${action} fails, as simulate.fail says` : fail;
    throw engineFailed(node.name, reason);
  }
};

/** An aborted timer rejects with an error of its own; callers are told the signal's reason. */
const abortable = async (promise: Promise<unknown>, signal: AbortSignal): Promise<void> => {
  try {
    await promise;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};
