import { isDeepStrictEqual } from 'node:util';
import { eachInTurns } from '../../common/slices.ts';
import { messageOf } from '../../common/errors.ts';
import { FabricError } from '../client/client.ts';
import type { Models } from './model.ts';
import type { Inventory, NodeSpec, StartedNode } from '../protocol.ts';
import type { NodeParts, RunningNode } from './node-life.ts';
import { startNode } from './running-node.ts';

export interface Nodes {
  start(spec: NodeSpec): Promise<StartedNode>;
  stop(nodeId: string): Promise<void>;
  get(nodeId: string): RunningNode;
  configure(nodeId: string, change: Pick<NodeSpec, 'name' | 'config' | 'ports'>): void;
  removeProject(projectId: string): Promise<void>;
  inventory(): Inventory['nodes'];
  /** Ids of those of a project that still run their start-up text. */
  starting(projectId: string): string[];
  readonly size: number;
  close(): Promise<void>;
}

interface NodeTable {
  models: Models;
  parts: NodeParts;
  running: Map<string, RunningNode>;
  /** Nodes that run no more and whose console may still be closing. */
  ending: Map<string, Promise<void>>;
}

export function createNodes(models: Models, shared: Omit<NodeParts, 'started' | 'ended'>): Nodes {
  const running = new Map<string, RunningNode>();
  const parts: NodeParts = {
    ...shared,
    started: (node) => void running.set(node.spec.node_id, node),
    ended: (gone, output) => ended(table, gone, output),
  };
  const table: NodeTable = { models, parts, running, ending: new Map() };
  const stopAll = async (nodes: RunningNode[]): Promise<void> => {
    await eachInTurns(nodes, (node) => end(table, node).catch(() => undefined));
  };
  return {
    start: (spec) => start(table, spec),
    async stop(nodeId) {
      const node = running.get(nodeId);
      await (node === undefined ? table.ending.get(nodeId) : end(table, node));
    },
    get: (nodeId) => get(table, nodeId),
    configure(nodeId, { name, config, ports }) {
      const node = get(table, nodeId);
      try {
        node.configure({ ...node.spec, name, config, ports });
      } catch (error) {
        throw new FabricError('invalid', messageOf(error));
      }
    },
    removeProject: (projectId) => stopAll([...running.values()].filter(({ spec }) => spec.project_id === projectId)),
    inventory: () =>
      [...running.values()].map((node) => ({
        spec: node.spec,
        state: node.state,
        console: node.console?.port ?? null,
      })),
    starting: (projectId) =>
      [...running.values()]
        .filter(({ spec, model }) => spec.project_id === projectId && model?.isStarting?.() === true)
        .map(({ spec }) => spec.node_id),
    get size() {
      return running.size;
    },
    close: () => stopAll([...running.values()]),
  };
}

function get({ running }: NodeTable, nodeId: string): RunningNode {
  const node = running.get(nodeId);
  if (node === undefined) throw new FabricError('not_found', `Node ${nodeId} does not run`);
  return node;
}

async function start(table: NodeTable, spec: NodeSpec): Promise<StartedNode> {
  const { models, parts, running, ending } = table;
  const known = running.get(spec.node_id);
  if (known !== undefined) {
    if (isSame(known, spec)) return { console: known.console?.port ?? null };
    throw new FabricError('exists', `Node ${spec.node_id} already runs with other settings; stop it first`);
  }
  await ending.get(spec.node_id);
  const factory = Object.hasOwn(models, spec.model) ? models[spec.model] : undefined;
  if (factory === undefined) throw new FabricError('invalid', `There is no model ${spec.model}`);
  const node = await startNode(spec, factory, parts);
  return { console: node.console?.port ?? null };
}

function end({ running, ending }: NodeTable, node: RunningNode): Promise<void> {
  const id = node.spec.node_id;
  running.delete(id);
  const done = node
    .stop()
    .catch(() => undefined)
    .finally(() => {
      if (ending.get(id) === done) ending.delete(id);
    });
  ending.set(id, done);
  return done;
}

/** A node has ended by itself. */
function ended(table: NodeTable, node: RunningNode, output: string): void {
  const { node_id, project_id } = node.spec;
  if (table.running.get(node_id) !== node) return;
  void end(table, node);
  table.parts.emit({ type: 'node.exited', node_id, project_id, output });
}

/** Asking for the console port that is in use is asking for what runs, whichever was wished for first. */
function isSame(node: RunningNode, spec: NodeSpec): boolean {
  if (isDeepStrictEqual(node.spec, spec)) return true;
  if (spec.console === null || node.spec.console === null || spec.console.port !== node.console?.port) return false;
  const port = node.spec.console.port;
  return isDeepStrictEqual(node.spec, { ...spec, console: { ...spec.console, port } });
}
