import type { Engine, EngineContext, EngineFactory, Exit, KindNode } from '../kit/contract.ts';
import { TopologError } from '../../common/errors.ts';
import { createFabricNodes } from '../kit/fabric-node.ts';
import type { Relay } from '../shared/network/relay.ts';
import { cloudLacks, engineLacks } from './lacks.ts';
import { createPassage, MODEL, passageSpec } from './passage.ts';
import { createPortHelpers } from './port-helpers.ts';
import type { PortType } from './schema.ts';

/**
 * Lead ports of a cloud out of the lab: over UDP, one raw frame a datagram, to TAP devices and to interfaces of the host. All
 * are the same engine, so a cloud may have ports of each type; they differ in what they must find on this machine.
 */
export const UDP: EngineFactory = { name: 'udp', create: (context) => createCloud('udp', context) };
export const TAP: EngineFactory = { name: 'tap', create: (context) => createCloud('tap', context) };
export const ETHERNET: EngineFactory = { name: 'ethernet', create: (context) => createCloud('ethernet', context) };

const START_MS = 15_000;

const createCloud = (name: PortType, context: EngineContext): Engine => {
  const commandLine = (node: KindNode): string => `${name} ${node.name}`;
  const nodes = createFabricNodes(context, commandLine);
  const passage = createPassage(context);
  const helpers = createPortHelpers(context);
  const listeners: ((exit: Exit) => void)[] = [];

  const stop = async (node: Pick<KindNode, 'node_id' | 'name'>): Promise<void> => {
    await passage.remove(node);
    await nodes.stop(node);
    await helpers.end(node);
  };
  /** Ports that were changed while it runs may lack what its start did not need. */
  const ready = async (node: KindNode, signal: AbortSignal): Promise<Map<number, Relay>> => {
    const lacks = await cloudLacks('ethernet', node);
    if (lacks !== null) throw new TopologError('engine_missing', { what: node.name, ...lacks });
    return helpers.put(node, signal);
  };
  const report = (exit: Exit): void => listeners.forEach((listener) => listener(exit));

  nodes.onExit((exit) => {
    // Reported in any case; what could not be ended now is at the next start.
    void helpers
      .end({ node_id: exit.node_id, name: exit.node_id })
      .catch(() => undefined)
      .then(() => report(exit));
  });
  helpers.onEnd(({ node_id, project_id, output }) => {
    void stop({ node_id, name: node_id })
      .catch(() => undefined)
      .then(() => report({ node_id, project_id, code: null, signal: null, output }));
  });

  return {
    name,
    outside: true,
    concurrency: name === 'udp' ? Infinity : 4,
    missing: (node) => (node === null ? engineLacks(name) : cloudLacks(name, node)),
    async start(node, _args, signal) {
      await nodes.start(node, passageSpec(node, context), signal);
      try {
        // Of a server that ended half-way.
        await helpers.end(node);
        await passage.put(node, await ready(node, signal));
        signal.throwIfAborted();
      } catch (error) {
        await stop(node).catch(() => undefined);
        throw error;
      }
      return { pid: null, console: null, command_line: commandLine(node) };
    },
    stop,
    async update(node, signal) {
      const relays = await ready(node, signal);
      await nodes.configure(node, passageSpec(node, context));
      await passage.put(node, relays);
    },
    async adopt(node) {
      const found = await nodes.adopt(node, MODEL, () => passageSpec(node, context));
      if (found === null) return null;
      const relays = await helpers.adopt(node);
      if (relays === null) {
        // One of its ports no longer leads anywhere.
        await stop(node);
        return null;
      }
      await passage.put(node, relays);
      return found;
    },
    async remove(node) {
      await stop(node);
      await helpers.forget(node);
    },
    deadline: () => START_MS,
    onExit: (listener) => void listeners.push(listener),
    close() {
      nodes.close();
      helpers.close();
      return Promise.resolve();
    },
  };
};
