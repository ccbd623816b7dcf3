import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { TopologError } from '../../common/errors.ts';
import type { Engine, EngineContext, EngineFactory, Exit, KindNode, Started } from './contract.ts';
import { createFabricNodes, specOf } from './fabric-node.ts';
import * as fields from './fields.ts';

/** Milliseconds for a start on top of the delay that was asked for. */
const START_MS = 10_000;

/**
 * Has the ports, the console and the states of any kind, and moves no frames. It runs only where it was asked for.
 * `properties.simulate` makes it slow, fail or end by itself, so that a client can try how that looks.
 */
export const SIMULATED: EngineFactory = { name: 'simulated', create: (context) => createSimulated(context) };

const ACTIONS = ['start', 'stop', 'suspend', 'resume', 'reload'] as const;
type Action = (typeof ACTIONS)[number];

const createSimulated = (context: EngineContext): Engine => {
  const nodes = createFabricNodes(context, commandLine);
  const listeners: ((exit: Exit) => void)[] = [];
  const ends = new Map<string, NodeJS.Timeout>();
  const spec = (node: KindNode) => specOf(node, 'simulated', {}, context.consoles);

  const endsNoMore = (node: KindNode): void => {
    clearTimeout(ends.get(node.node_id));
    ends.delete(node.node_id);
  };
  const endLater = (node: KindNode): void => {
    const { exit_after_ms: ms } = settingsOf(node);
    if (ms === undefined) return;
    const timer = setTimeout(() => void end(node), ms);
    ends.set(node.node_id, timer.unref());
  };
  const end = async (node: KindNode): Promise<void> => {
    ends.delete(node.node_id);
    // Without a fabric it does not run either, so the exit is told in any case.
    await nodes.stop(node).catch(() => undefined);
    const { node_id, project_id } = node;
    const output = 'The simulated node ended by itself, as simulate.exit_after_ms says.';
    for (const listener of listeners) listener({ node_id, project_id, code: 0, signal: null, output });
  };
  const launch = async (node: KindNode, signal: AbortSignal): Promise<Started> => {
    const console = await nodes.start(node, spec(node), signal);
    endLater(node);
    return { pid: null, console, command_line: commandLine(node) };
  };

  return {
    name: 'simulated',
    concurrency: Infinity,
    missing: () => Promise.resolve(null),
    async start(node, _args, signal) {
      await rehearse(node, 'start', signal);
      return launch(node, signal);
    },
    async stop(node, signal) {
      await rehearse(node, 'stop', signal);
      endsNoMore(node);
      await nodes.stop(node);
    },
    async suspend(node, signal) {
      await rehearse(node, 'suspend', signal);
      await nodes.act(node, 'node.suspend');
    },
    async resume(node, signal) {
      await rehearse(node, 'resume', signal);
      await nodes.act(node, 'node.resume');
    },
    async reload(node, signal) {
      await rehearse(node, 'reload', signal);
      endsNoMore(node);
      await nodes.stop(node);
      return launch(node, signal);
    },
    update: (node) => nodes.configure(node, spec(node)),
    async adopt(node) {
      const found = await nodes.adopt(node, 'simulated', () => spec(node));
      if (found !== null && !ends.has(node.node_id)) endLater(node);
      return found;
    },
    async remove(node) {
      endsNoMore(node);
      await nodes.stop(node);
    },
    deadline: (node) => START_MS + (settingsOf(node).delay_ms ?? 0),
    onExit(listener) {
      listeners.push(listener);
      nodes.onExit(listener);
    },
    close() {
      for (const timer of ends.values()) clearTimeout(timer);
      ends.clear();
      nodes.close();
      return Promise.resolve();
    },
  };
};

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
    throw new TopologError('engine_failed', { what: node.name, reason });
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
