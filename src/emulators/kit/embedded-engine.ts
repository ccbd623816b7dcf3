import type { Engine, EngineContext, EngineFactory, KindNode, Properties } from './contract.ts';
import { FabricNodes, specOf } from './fabric-node.ts';

interface Embedded {
  /** Name of a model of the fabric. */
  model: string;
  /** Settings of the model. `args` is the body of the start, empty when a running node is configured. Throws TopologError. */
  config(node: KindNode, args: Properties): Record<string, unknown>;
  /** Start arguments from which a running model must have got these settings; for a node that is adopted. */
  recall?(config: Record<string, unknown>): Properties;
  suspend?: boolean;
}

/** Milliseconds for a start: a listening console and a startup script at most. */
const START_MS = 15_000;

/** Engine of the kinds that are a model of the fabric: nothing to install, no process of its own. */
export const embeddedEngine = (embedded: Embedded): EngineFactory => ({
  name: 'embedded',
  create: (context) => createEmbedded(embedded, context),
});

const createEmbedded = (embedded: Embedded, context: EngineContext): Engine => {
  const commandLine = (node: KindNode): string => `embedded ${embedded.model} ${node.name}`;
  const nodes = new FabricNodes(context, commandLine);
  /** Arguments of each running start, so that new settings do not remove them. */
  const asked = new Map<string, Properties>();
  const spec = (node: KindNode, args: Properties) =>
    specOf(node, embedded.model, embedded.config(node, args), context.consoles);
  return {
    name: 'embedded',
    concurrency: Infinity,
    missing: () => Promise.resolve(null),
    async start(node, args, signal) {
      const console = await nodes.start(node, spec(node, args), signal);
      asked.set(node.node_id, args);
      return { pid: null, console, command_line: commandLine(node) };
    },
    async stop(node) {
      asked.delete(node.node_id);
      await nodes.stop(node);
    },
    ...(embedded.suspend === true
      ? {
          suspend: (node: KindNode) => nodes.act(node, 'node.suspend'),
          resume: (node: KindNode) => nodes.act(node, 'node.resume'),
        }
      : {}),
    update: (node) => nodes.configure(node, spec(node, asked.get(node.node_id) ?? {})),
    adopt: (node) =>
      nodes.adopt(node, embedded.model, (found) => {
        const args = embedded.recall?.(found.config) ?? {};
        asked.set(node.node_id, args);
        return spec(node, args);
      }),
    remove: (node) => nodes.stop(node),
    deadline: () => START_MS,
    onExit: nodes.onExit,
    close: () => Promise.resolve(nodes.close()),
  };
};
