import type { Duplex } from 'node:stream';
import { messageOf } from '../../common/errors.ts';
import { createAttachments } from '../frames/attachments.ts';
import type { OpenFile } from '../capture/capture-file.ts';
import { createCaptures } from '../capture/captures.ts';
import { createWallClock } from '../capture/wall-clock.ts';
import { createAsking } from '../console/asking.ts';
import { createWatches } from '../frames/watches.ts';
import { createProbing } from './probing.ts';
import { FabricError } from '../client/client.ts';
import { createOutsideConsoles } from '../console/outside.ts';
import { createRecordings } from '../console/recordings.ts';
import { createDelayWheel } from '../frames/delay-wheel.ts';
import type { Models } from './model.ts';
import { createNodes } from './nodes.ts';
import { performOp, type Holdings } from './operations.ts';
import { createPortTable } from '../frames/ports.ts';
import type { FabricEvent, Op, OpResult } from '../protocol.ts';
import { createRunQueue, type RunQueueOptions } from '../frames/run-queue.ts';
import type { OpenConsole } from '../console/console.ts';
import { createPathProbes } from '../io/path-mtu.ts';
import { nodeSockets, type SocketsKind } from '../io/sockets.ts';
import { Timers } from '../frames/timers.ts';
import { createCables } from '../frames/cables.ts';

export interface FabricParts {
  models: Models;
  openConsole: OpenConsole;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Node's own if absent. */
  sockets?: SocketsKind;
  openFile?: OpenFile;
  queue?: RunQueueOptions;
  log?: (line: string) => void;
  /** Called for each op that is asked for. */
  onOp?: () => void;
  /** Milliseconds for an op that others wait behind. */
  opDeadline?: number;
}

/** Ports, cables, nodes, attachments and captures in this process. */
export interface Fabric {
  /** Ops take effect one after another, in the order they were asked for. Never rejects. */
  perform(op: Op): Promise<OpResult>;
  /** Attaches raw clients to a node's console. Throws FabricError when the node does not run or has none. */
  console(nodeId: string): (client: Duplex) => void;
  onEvent(listener: (event: FabricEvent) => void): void;
  /** Whether anything runs here that would be missed: a node, an attachment, or a cable to the world outside. */
  readonly busy: boolean;
  close(): Promise<void>;
}

export function createFabric(parts: FabricParts): Fabric {
  const log = parts.log ?? (() => undefined);
  const listeners: ((event: FabricEvent) => void)[] = [];
  const holdings = createHoldings(parts, log, (event) => listeners.forEach((listener) => listener(event)));
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
      // Wrapped, so that what is begun can be told from what is done.
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
    onEvent: (listener) => void listeners.push(listener),
    get busy() {
      return nodes.size > 0 || attachments.specs().length > 0 || consoles.specs().length > 0 || cables.leadOut();
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
  const cables = createCables({ medium, ports, datagrams, onChange: (key) => attachments.look(key) });
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
    probe: createProbing({ nodes, clock, emit }),
    ask: createAsking({ consoleOf: (id) => consoles.get(id) ?? nodes.get(id).console, emit }),
    cables,
    attachments,
    captures: createCaptures({ ports, timers, emit, openFile }),
    nodes,
  };
}

/**
 * Ops whose effect is there at once and whose rest is waiting (for a console's clients, for the disk): the next op need not wait,
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

/** The answer, or a failure when it is late; what succeeds after that is undone: the caller was told that it failed. */
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
      // Asking for it again is safe, and what it changed is what was wished for.
      return null;
  }
};

const failure = (error: unknown): OpResult =>
  error instanceof FabricError && error.code !== 'lost'
    ? { ok: false, code: error.code, message: error.message }
    : { ok: false, code: 'failed', message: messageOf(error) };
