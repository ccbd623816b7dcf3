import type { Duplex } from 'node:stream';
import { Emitter } from '../../common/emitter.ts';
import { messageOf } from '../../common/errors.ts';
import type { OpenFile } from '../capture/capture-file.ts';
import { type Captures, createCaptures } from '../capture/captures.ts';
import { FabricError } from '../client/client.ts';
import { createConsoleQuestions } from '../console/questions.ts';
import type { OpenConsole } from '../console/console.ts';
import { createOutsideConsoles, type OutsideConsoles } from '../console/outside-consoles.ts';
import { createRecordings, type Recordings } from '../console/recordings.ts';
import { type Attachments, createAttachments } from '../frames/attachments.ts';
import type { DirectionStatistics, Medium } from '../frames/cable.ts';
import { type Cables, type CableStatistics, createCables } from '../frames/cables.ts';
import { createDelayWheel } from '../frames/delay-wheel.ts';
import { createPortTable } from '../frames/ports.ts';
import { createRunQueue, type RunQueue, type RunQueueOptions } from '../frames/run-queue.ts';
import { createWallClock, Timers } from '../frames/timers.ts';
import { createWatches, type Watches } from '../frames/watches.ts';
import { createPathProbes } from '../io/path-mtu.ts';
import { nodeSockets, type SocketsKind } from '../io/sockets.ts';
import type {
  ConsoleQuestion,
  FabricEvent,
  FabricTotals,
  Inventory,
  Op,
  OpResult,
  OutsideConsole,
  PortId,
  ProbeSpec,
} from '../protocol.ts';
import type { Models } from './model.ts';
import { createNodeProbes, createNodes, type Nodes } from './nodes.ts';

export interface FabricParts {
  models: Models;
  openConsole: OpenConsole;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Default: Node's own. */
  sockets?: SocketsKind;
  openFile?: OpenFile;
  queue?: RunQueueOptions;
  log?: (line: string) => void;
  /** Called for each op. */
  onOp?: () => void;
  /** Longest time of an op that others wait behind. Milliseconds. */
  opDeadline?: number;
}

export interface Statistics {
  cables: CableStatistics[];
  captures: { port: PortId; frames: number; dropped: number }[];
  /** Frames in the run queue, and those that found it full. */
  queue: { length: number; dropped: number };
  /** Octets of frames waiting for their delay. */
  delayed_bytes: number;
  timers: number;
  sockets: SocketsKind['name'];
  /** Octets. */
  memory: { rss: number; heap: number };
}

/** Ports, cables, nodes, attachments and captures in this process. */
export interface Fabric {
  /** Ops take effect one after another, in the order of the calls. Never rejects. */
  perform(op: Op): Promise<OpResult>;
  /** Attaches raw clients to a node's console. Throws FabricError when the node does not run or has none. */
  console(nodeId: string): (client: Duplex) => void;
  onEvent(listener: (event: FabricEvent) => void): void;
  /** Whether the fabric is in use: it has a node, an attachment, an external console, or a cable with a UDP end. */
  readonly busy: boolean;
  close(): Promise<void>;
}

export function createFabric(parts: FabricParts): Fabric {
  const log = parts.log ?? (() => undefined);
  const emitter = new Emitter<{ event: [FabricEvent] }>();
  const holdings = createHoldings(parts, log, (event) => emitter.emit('event', event));
  const { nodes, attachments, cables, captures, consoles, queue, timers } = holdings;

  const answer = async (op: Op): Promise<OpResult> => {
    try {
      const value = await performOp(holdings, op);
      return value === undefined ? { ok: true } : { ok: true, value };
    } catch (error) {
      if (!(error instanceof FabricError)) log(`${JSON.stringify(op).slice(0, 300)}: ${messageOf(error)}`);
      return failure(error);
    }
  };

  const deadline = parts.opDeadline ?? OP_DEADLINE_MS;
  const inTime = (op: Op): Promise<OpResult> =>
    answerInTime(answer(op), deadline, `${op.op} did not finish within ${deadline / 1000} s`, () => {
      const undo = undoOf(op);
      if (undo !== null) void answer(undo);
    });

  let last: Promise<unknown> = Promise.resolve();
  return {
    perform(op) {
      parts.onOp?.();
      // Wrapped in an object: a bare promise would be awaited here, and the next op may begin before this one is done.
      const begun = last.then(() => ({ done: OVERLAPPING.has(op.op) ? answer(op) : inTime(op) }));
      const done = begun.then((answering) => answering.done);
      last = OVERLAPPING.has(op.op) ? begun : done;
      return done;
    },
    console(nodeId) {
      const console = consoles.get(nodeId) ?? nodes.get(nodeId).console;
      if (console === null) throw new FabricError('invalid', `Node ${nodeId} has no console`);
      return (client) => console.attach(client);
    },
    onEvent: emitter.subscriber('event'),
    get busy() {
      return nodes.size > 0 || attachments.specs().length > 0 || consoles.specs().length > 0 || cables.hasUdpEnd();
    },
    async close() {
      await last;
      await Promise.allSettled([
        nodes.close(),
        consoles.closeAll(),
        attachments.close(),
        cables.close(),
        captures.close(),
      ]);
      queue.close();
      timers.close();
      holdings.closeSockets();
    },
  };
}

interface Holdings {
  nodes: Nodes;
  attachments: Attachments;
  cables: Cables;
  captures: Captures;
  recordings: Recordings;
  consoles: OutsideConsoles;
  queue: RunQueue;
  timers: Timers;
  medium: Medium;
  socketsKind: SocketsKind['name'];
  watches: Watches;
  /** These three answer by an event. */
  probe: (spec: ProbeSpec) => void;
  ask: (question: ConsoleQuestion) => void;
  probePath: (host: string) => void;
  closeSockets: () => void;
}

function createHoldings(parts: FabricParts, log: (line: string) => void, emit: (event: FabricEvent) => void): Holdings {
  const queue = createRunQueue(parts.queue);
  const kind = parts.sockets ?? nodeSockets;
  const sockets = kind.open(() => queue.length);
  const { datagrams, createAlarm } = sockets;
  const timers = new Timers(parts.now, (error) => log(`timer: ${messageOf(error)}`), createAlarm);
  const ports = createPortTable();
  const medium = { queue, timers, wheel: createDelayWheel(timers) };
  const { openConsole, openFile } = parts;
  const recordings = createRecordings({ openConsole, timers, emit, openFile, clock: parts.clock });
  const cables = createCables({ medium, ports, datagrams, onChange: (key) => attachments.cableChanged(key) });
  const clock = createWallClock(() => timers.now());
  const watches = createWatches({ cables, clock, emit });
  const attachments = createAttachments({ ports, datagrams, emit, carries: (key) => cables.carries(key) });
  const consoles = createOutsideConsoles(recordings.open);
  const nodes = createNodes(parts.models, { ports, timers, openConsole: recordings.open, emit });
  return {
    timers,
    queue,
    medium,
    socketsKind: kind.name,
    probePath: createPathProbes((host) => sockets.pathMtu(host), emit, log),
    closeSockets: () => sockets.close(),
    recordings,
    consoles,
    watches,
    probe: createNodeProbes({ nodes, clock, emit }),
    ask: createConsoleQuestions({ consoleOf: (id) => consoles.get(id) ?? nodes.get(id).console, emit }),
    cables,
    attachments,
    captures: createCaptures({ ports, timers, emit, openFile }),
    nodes,
  };
}

/**
 * Ops that take effect at once and then only wait (for a console's clients, for the disk): the next op need not wait for them,
 * and stopping a thousand nodes takes as long as the slowest.
 */
const OVERLAPPING: ReadonlySet<Op['op']> = new Set<Op['op']>([
  'node.stop',
  'capture.flush',
  'console.close',
  'console.record_stop',
]);

/** A disk or a name service that does not answer must not hold up everything behind it. */
const OP_DEADLINE_MS = 10_000;

/** The answer, or a failure when it is late. An op that succeeds later is undone, as its caller was told that it failed. */
const answerInTime = (answer: Promise<OpResult>, ms: number, late: string, undo: () => void): Promise<OpResult> =>
  new Promise((resolve) => {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      resolve({ ok: false, code: 'failed', message: late });
    }, ms);
    void answer.then((result) => {
      clearTimeout(timer);
      if (over && result.ok) undo();
      resolve(result);
    });
  });

const undoOf = (op: Op): Op | null => {
  switch (op.op) {
    case 'node.start':
      return { op: 'node.stop', node_id: op.node.node_id };
    case 'console.open':
      return { op: 'console.close', node_id: op.node_id };
    case 'console.record':
      return { op: 'console.record_stop', node_id: op.recording.node_id };
    case 'port.attach':
      return { op: 'port.detach', port: op.attachment.port };
    case 'capture.start':
      return { op: 'capture.stop', port: op.capture.port };
    default:
      // Repeating these is safe, and their late effect is what the caller wanted.
      return null;
  }
};

const failure = (error: unknown): OpResult =>
  error instanceof FabricError && error.code !== 'lost'
    ? { ok: false, code: error.code, message: error.message }
    : { ok: false, code: 'failed', message: messageOf(error) };

/** Does one op and returns its value. Throws FabricError. */
function performOp(holdings: Holdings, op: Op): unknown {
  const { nodes, attachments, cables, captures, recordings, consoles } = holdings;
  switch (op.op) {
    case 'node.start':
      return nodes.start(op.node);
    case 'node.stop':
      return nodes.stop(op.node_id);
    case 'node.suspend':
      return nodes.get(op.node_id).suspend();
    case 'node.resume':
      return nodes.get(op.node_id).resume();
    case 'node.configure':
      return nodes.configure(op.node_id, op);
    case 'node.tables':
      return nodes.tables(op.node_id);
    case 'console.open':
      return consoles.open(outsideConsole(op));
    case 'console.close':
      return consoles.close(op.node_id);
    case 'console.reset':
      return (consoles.get(op.node_id) ?? nodes.get(op.node_id).console)?.reset();
    case 'console.record':
      return recordings.record(op.recording);
    case 'console.record_next':
      return recordings.recordNext(op.recording);
    case 'console.record_stop':
      return recordings.stop(op.node_id);
    case 'cable.put':
      return cables.put(op.cable);
    case 'cable.remove':
      return cables.remove(op.cable_id);
    case 'port.attach':
      return attachments.attach(op.attachment);
    case 'port.detach':
      return attachments.detach(op.port);
    case 'capture.start':
      return captures.start(op.capture);
    case 'capture.flush':
      return captures.flush(op.port);
    case 'capture.stop':
      return captures.stop(op.port);
    case 'path.probe':
      return holdings.probePath(op.host);
    case 'project.remove':
      return removeProject(holdings, op.project_id);
    case 'inventory':
      return inventory(holdings);
    case 'cable.counts':
      return cables.counts(op.project_id).filter(({ directions }) => directions.some(isUsed));
    case 'totals':
      return totals(holdings);
    case 'statistics':
      return statistics(holdings);
    case 'shutdown':
      // The process ends once the answer is sent (server.ts).
      return undefined;
    default:
      return observe(holdings, op);
  }
}

/** Ops that change nothing. */
function observe(holdings: Holdings, op: Op): unknown {
  switch (op.op) {
    case 'node.probe':
      return holdings.probe(op.probe);
    case 'console.ask':
      return holdings.ask(op.question);
    case 'watch.put':
      return holdings.watches.put(op.watch);
    case 'watch.remove':
      return holdings.watches.remove(op.watch_id);
    case 'nodes.starting':
      return holdings.nodes.starting(op.project_id);
    default:
      throw new FabricError('invalid', `There is no op ${JSON.stringify((op as { op?: unknown }).op)}`);
  }
}

const isUsed = ({ frames, dropped, delayed }: DirectionStatistics): boolean => frames + dropped + delayed > 0;

async function removeProject(holdings: Holdings, projectId: string): Promise<void> {
  const { nodes, attachments, cables, captures, recordings, consoles } = holdings;
  recordings.removeProject(projectId);
  holdings.watches.removeProject(projectId);
  await Promise.all([nodes, attachments, cables, captures, consoles].map((table) => table.removeProject(projectId)));
}

const outsideConsole = ({ op: _, ...spec }: { op: 'console.open' } & OutsideConsole): OutsideConsole => spec;

const inventory = ({ nodes, attachments, cables, captures, recordings, consoles }: Holdings): Inventory => ({
  pid: process.pid,
  nodes: nodes.inventory(),
  cables: cables.specs(),
  captures: captures.specs(),
  attachments: attachments.specs(),
  consoles: consoles.specs(),
  recordings: recordings.specs(),
});

const totals = ({ cables, queue }: Holdings): FabricTotals => {
  const { dropped, ...passed } = cables.totals();
  return { ...passed, dropped: dropped + queue.dropped };
};

const statistics = ({ cables, captures, queue, medium, timers, socketsKind }: Holdings): Statistics => ({
  cables: cables.statistics(),
  captures: captures.statistics(),
  queue: { length: queue.length, dropped: queue.dropped },
  delayed_bytes: medium.wheel.size,
  timers: timers.size,
  sockets: socketsKind,
  memory: { rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed },
});
