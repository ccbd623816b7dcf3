import type { Attachments } from '../frames/attachments.ts';
import type { Captures } from '../capture/captures.ts';
import { FabricError } from '../client/client.ts';
import type { OutsideConsoles } from '../console/outside.ts';
import type { Recordings } from '../console/recordings.ts';
import type { Nodes } from './nodes.ts';
import type { ConsoleQuestion, ProbeSpec } from '../questions.ts';
import type { FabricTotals, Inventory, Op, OutsideConsole, PortId } from '../protocol.ts';
import type { Watches } from '../frames/watches.ts';
import type { RunQueue } from '../frames/run-queue.ts';
import type { SocketsKind } from '../io/sockets.ts';
import type { Timers } from '../frames/timers.ts';
import type { DirectionStatistics, Medium } from '../frames/cable.ts';
import type { Cables, CableStatistics } from '../frames/cables.ts';

/** All that a fabric holds. */
export interface Holdings {
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
  /** Tells by an event what became of the probes. */
  probe: (spec: ProbeSpec) => void;
  /** Tells by an event what the console showed. */
  ask: (question: ConsoleQuestion) => void;
  /** Tells by an event how long a packet to a host may be. */
  probePath: (host: string) => void;
  closeSockets: () => void;
}

export interface Statistics {
  cables: CableStatistics[];
  captures: { port: PortId; frames: number; dropped: number }[];
  /** Frames between two ports, and those that found no room. */
  queue: { length: number; dropped: number };
  /** Octets that wait in delays. */
  delayed_bytes: number;
  timers: number;
  /** By which means frames reach UDP. */
  sockets: SocketsKind['name'];
  /** Octets. */
  memory: { rss: number; heap: number };
}

/** Does one op. Throws FabricError; what it answers is the op's value. */
export function performOp(holdings: Holdings, op: Op): unknown {
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
      return nodes.get(op.node_id).tables();
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
      // The process that holds the fabric ends it once the answer is out.
      return undefined;
    default:
      return look(holdings, op);
  }
}

/** What looks and changes nothing; what takes its time is told by events. */
function look(holdings: Holdings, op: Op): unknown {
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

/** The specification without what makes it an op. */
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
