import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { conflict, messageOf } from '../../common/errors.ts';
import { eachInTurns } from '../../common/slices.ts';
import type { WallClock } from '../frames/timers.ts';
import { FabricError } from '../client/client.ts';
import type {
  EchoRequest,
  EchoResult,
  FabricEvent,
  Inventory,
  NodeSpec,
  NodeTables,
  ProbeSpec,
  StartedNode,
} from '../protocol.ts';
import type { Model, Models } from './model.ts';
import { type NodeParts, type RunningNode, startNode } from './running-node.ts';

export interface Nodes {
  start(spec: NodeSpec): Promise<StartedNode>;
  stop(nodeId: string): Promise<void>;
  get(nodeId: string): RunningNode;
  /** Throws FabricError when it does not run. */
  tables(nodeId: string): NodeTables;
  configure(nodeId: string, change: Pick<NodeSpec, 'name' | 'config' | 'ports'>): void;
  removeProject(projectId: string): Promise<void>;
  inventory(): Inventory['nodes'];
  /** Ids of the project's nodes that still run their start-up text. */
  starting(projectId: string): string[];
  readonly size: number;
  close(): Promise<void>;
}

interface NodeTable {
  models: Models;
  parts: NodeParts;
  running: Map<string, RunningNode>;
  /** Stopped nodes whose console may still be closing. */
  ending: Map<string, Promise<void>>;
  /** Addresses and routes of nodes at their last end, oldest first: those that were typed are nowhere else. */
  before: Map<string, NonNullable<NodeTables['before']>>;
}

/** Most nodes of which that is kept. */
const MOST_KEPT = 2_000;

export function createNodes(models: Models, shared: Omit<NodeParts, 'started' | 'ended'>): Nodes {
  const running = new Map<string, RunningNode>();
  const parts: NodeParts = {
    ...shared,
    started: (node) => void running.set(node.spec.node_id, node),
    ended: (gone, output) => ended(table, gone, output),
  };
  const table: NodeTable = { models, parts, running, ending: new Map(), before: new Map() };
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
    tables(nodeId) {
      const before = table.before.get(nodeId);
      return { ...get(table, nodeId).tables(), ...(before === undefined ? {} : { before }) };
    },
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

function end(table: NodeTable, node: RunningNode): Promise<void> {
  const { running, ending } = table;
  const id = node.spec.node_id;
  running.delete(id);
  keep(table, node);
  const done = node
    .stop()
    .catch(() => undefined)
    .finally(() => {
      if (ending.get(id) === done) ending.delete(id);
    });
  ending.set(id, done);
  return done;
}

function keep({ before }: NodeTable, node: RunningNode): void {
  const { interfaces, routes } = node.tables();
  if (interfaces === undefined) return;
  before.delete(node.spec.node_id);
  before.set(node.spec.node_id, { interfaces, ...(routes === undefined ? {} : { routes }) });
  for (const oldest of [...before.keys()].slice(0, Math.max(0, before.size - MOST_KEPT))) before.delete(oldest);
}

/** A node has ended by itself. */
function ended(table: NodeTable, node: RunningNode, output: string): void {
  const { node_id, project_id } = node.spec;
  if (table.running.get(node_id) !== node) return;
  void end(table, node);
  table.parts.emit({ type: 'node.exited', node_id, project_id, output });
}

/** A spec with the console port in use is the same node, whichever port its own spec preferred. */
function isSame(node: RunningNode, spec: NodeSpec): boolean {
  if (isDeepStrictEqual(node.spec, spec)) return true;
  if (spec.console === null || node.spec.console === null || spec.console.port !== node.console?.port) return false;
  const port = node.spec.console.port;
  return isDeepStrictEqual(node.spec, { ...spec, console: { ...spec.console, port } });
}

interface ProbeParts {
  nodes: Pick<Nodes, 'get'>;
  clock: WallClock;
  emit: (event: FabricEvent) => void;
}

/** Added to the wait for an answer, for a node that is suspended meanwhile and never answers. Milliseconds. */
const GRACE_MS = 1_000;

/** Sends echo requests from nodes without using their consoles; emits `node.probed`. */
export const createNodeProbes = ({ nodes, clock, emit }: ProbeParts) => {
  let identifier = 0;
  return (spec: ProbeSpec): void => {
    // Several series from one node may be under way.
    identifier = (identifier % 0xffff) + 1;
    const { probe_id } = spec;
    const tell = (address: string | null, probes: EchoResult[], problem: string | null): void =>
      emit({ type: 'node.probed', probe_id, address, probes, problem });
    const ready = prepare(nodes, spec);
    if (typeof ready === 'string') return tell(null, [], ready);
    void probes({ ...ready, identifier }, spec, clock).then(
      (done) => tell(ready.address, done, null),
      (error: unknown) => tell(ready.address, [], messageOf(error)),
    );
  };
};

interface Ready {
  address: string;
  probe: NonNullable<Model['probe']>;
}

/** A string says why nothing can be sent now. Throws for a node that can never send probes. */
const prepare = (nodes: ProbeParts['nodes'], { node_id, to }: ProbeSpec): Ready | string => {
  const from = nodeOf(nodes, node_id);
  if (from.model === null) return `${from.spec.name} is suspended`;
  const { model } = from;
  if (model.probe === undefined) throw conflict(`${from.spec.name} ${SENDS_NONE}`);
  const address = 'address' in to ? to.address : addressOf(nodes, to.node_id);
  if (address === null) return 'the node that is to answer has no address';
  return { address, probe: (...asked) => model.probe?.(...asked) ?? Promise.reject(new Error('it sends no probes')) };
};

const SENDS_NONE = 'sends no probes by itself; a check of its console can type ping';

/** Nodes that are external processes are not in this table. */
const nodeOf = (nodes: ProbeParts['nodes'], nodeId: string): ReturnType<Nodes['get']> => {
  try {
    return nodes.get(nodeId);
  } catch {
    throw conflict(`It does not run inside and ${SENDS_NONE}`);
  }
};

const addressOf = (nodes: ProbeParts['nodes'], nodeId: string): string | null => {
  const node = nodes.get(nodeId);
  return node.model?.addresses?.()[0] ?? null;
};

const probes = async (
  { address, probe, identifier }: Ready & Pick<EchoRequest, 'identifier'>,
  { count, interval_ms, timeout_ms, size }: ProbeSpec,
  clock: WallClock,
): Promise<EchoResult[]> => {
  const echo = { identifier, timeout_ms, ...(size === undefined ? {} : { size }) };
  const one = async (sequence: number): Promise<EchoResult> => {
    await pause(sequence * interval_ms);
    const sent_us = clock.now();
    const late = new AbortController();
    const nothing = { rtt_ms: null, why: `no answer within ${timeout_ms} ms` };
    const silence = pause(timeout_ms + GRACE_MS, nothing, { signal: late.signal }).catch(() => nothing);
    const result = await Promise.race([probe(address, { ...echo, sequence }), silence]);
    late.abort();
    return { sent_us, ...result };
  };
  return Promise.all(Array.from({ length: count }, (_, sequence) => one(sequence)));
};
