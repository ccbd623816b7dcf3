import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { LENGTHS } from '../../common/bounds.ts';
import { conflict, invalid, type TopologError } from '../../common/errors.ts';
import { seedOf } from '../../common/forms/seed.ts';
import { compileBpf } from '../filters/compile-bpf.ts';
import { FILTER_DESCRIPTIONS } from '../filters/filters.ts';
import { type Filters, filtersSchema, normaliseFilters, toCableFilters } from '../filters/parse.ts';
import type { CableCounts } from '../frames/cables.ts';
import {
  type CableEnd,
  type CableSpec,
  type CaptureSpec,
  type ConsoleQuestion,
  type FabricTotals,
  type NodeTables,
  type Op,
  type OpResult,
  type PortId,
  portKey,
  type ProbeSpec,
  type RecordingSpec,
  type WatchSpec,
} from '../protocol.ts';
import { type FabricClient, FabricError, throwFirst, toTopologError } from './client.ts';
import { forgetInventory, recordingsOf } from './inventory.ts';

export interface LinkCable {
  link_id: string;
  project_id: string;
  ends: readonly [PortId, PortId];
  suspend: boolean;
  filters: Filters;
  /** Used when its filters have no seed; absent: derived from its id. */
  seed?: number | undefined;
}

export interface TunnelCable {
  cable_id: string;
  project_id: string;
  port: PortId;
  nio: Readonly<Record<string, unknown>>;
}

interface NioCable extends PortId {
  project_id: string;
  nio: Readonly<Record<string, unknown>>;
}

type WatchId = Pick<WatchSpec, 'watch_id' | 'project_id' | 'cable_id'>;

/** Cables, captures and consoles of the fabric, for the actors that keep their records. Failures are TopologErrors. */
export interface Plumbing {
  /** Makes a link's cable or changes it in place. */
  putLink(link: LinkCable): Promise<void>;
  /** Does nothing for a missing cable. */
  removeCable(cableId: string): Promise<void>;
  /** Makes the cable of a link to another machine, or changes it in place. */
  putTunnel(tunnel: TunnelCable): Promise<void>;
  /** Makes the cable of a NIO or changes it in place. */
  putNio(nio: NioCable): Promise<void>;
  removeNio(port: PortId): Promise<void>;
  /** `append`: continues an existing file, after a restart of the fabric. */
  startCapture(port: PortId & { project_id: string }, capture: CaptureFile, append: boolean): Promise<void>;
  /** Resolves once the file is complete. Does nothing for a port without a capture. */
  stopCapture(port: PortId): Promise<void>;
  flushCapture(port: PortId): Promise<void>;
  /** Removes everything of a project from the fabric. */
  removeProject(projectId: string): Promise<void>;
  /** Tables of embedded nodes; nodes that do not run here are left out. */
  tables(nodeIds: readonly string[]): Promise<ReadonlyMap<string, NodeTables>>;
  /** Ids of the project's nodes that still run their start-up text. */
  starting(projectId: string): Promise<string[]>;
  /** Counters of the project's cables that have carried or dropped a frame. */
  traffic(projectId: string): Promise<CableCounts[]>;
  totals(): Promise<FabricTotals>;
  /** The fabric answers these three by an event. */
  probePath(host: string): Promise<void>;
  probe(probe: ProbeSpec): Promise<void>;
  askConsole(question: ConsoleQuestion): Promise<void>;
  /** Waits for a frame that matches a pcap filter expression; the fabric emits `watch.matched`. Repeating it starts over. */
  putWatch(watch: WatchId & { filter: string }): Promise<void>;
  /** Waits in the same way for a frame that comes over a tunnel and answers a request from here. */
  putProof(watch: WatchId): Promise<void>;
  removeWatch(watchId: string): Promise<void>;
  /**
   * Removes what an earlier server left behind: everything whose id is not in `kept`, which is called after the fabric's inventory is
   * there, so that new objects are not swept. Cables that an engine made for a node (`<engine>:<node_id>/…`) go with the node.
   */
  sweep(kept: () => Kept): Promise<void>;
  /** Closes every client of a node's console. */
  resetConsole(nodeId: string): Promise<void>;
  /** A node's console: raw bytes in both directions. */
  openConsole(nodeId: string): Promise<Duplex>;
  /** Records a running node's console; does nothing for a recording under way. Resolves once its file exists. */
  record(recording: RecordingSpec): Promise<void>;
  /** Records the next run of a node from its first byte. */
  recordNext(recording: RecordingSpec): Promise<void>;
  /** Ends recording of this run and the next. Resolves once the file is complete; does nothing for a node that is not recorded. */
  stopRecording(nodeId: string): Promise<void>;
  /** Recordings under way, by node id. */
  recordings(): Promise<ReadonlyMap<string, RecordingSpec>>;
}

/** Ids of what the fabric should have. */
export interface Kept {
  nodes: ReadonlySet<string>;
  /** Nodes that are not stopped. */
  running: ReadonlySet<string>;
  cables: ReadonlySet<string>;
  /** Path of the file by port key. */
  captures: ReadonlyMap<string, string>;
}

interface CaptureFile {
  /** Absolute. */
  path: string;
  data_link_type: string;
}

/** Checks filters and returns them as they are stored. Throws TopologError that names the filter. */
export const checkFilters = async (filters: Filters): Promise<Filters> => {
  await toCableFilters(filters);
  return normaliseFilters(filters);
};

export { FILTER_DESCRIPTIONS, filtersSchema, normaliseFilters };
export { portKey };
export type { PortId };

type Ends = CableSpec['ends'];

const specOf = async ({
  seed,
  ...cable
}: Pick<CableSpec, 'cable_id' | 'project_id' | 'ends' | 'suspend'> &
  Pick<LinkCable, 'filters' | 'seed'>): Promise<CableSpec> => ({
  ...cable,
  seed: seed ?? seedOf(cable.cable_id),
  ...(await toCableFilters(cable.filters)),
});

export const createPlumbing = (fabric: () => FabricClient): Plumbing => {
  const run = async (op: Op, what: string, harmless: string[] = []): Promise<void> => {
    throwFirst(await results(fabric, [op], what), what, harmless);
  };
  const put = async (cable: CableSpec, what: string): Promise<void> => {
    const [result] = await results(fabric, [{ op: 'cable.put', cable }], what);
    if (result?.ok === false) throw cableError(result, cable, what);
  };
  const removeCable = (cableId: string): Promise<void> =>
    run({ op: 'cable.remove', cable_id: cableId }, 'The cable', ['not_found']);
  const putTunnel = async ({ cable_id, project_id, port, nio }: TunnelCable): Promise<void> => {
    const { suspend = false, filters = {}, ...udp } = udpNio(nio);
    const spec = await specOf({ cable_id, project_id, ends: [portEnd(port), udpEnd(udp)], suspend, filters });
    await put(spec, `Port ${port.adapter_number}/${port.port_number}`);
  };
  return {
    async putLink({ link_id, ends: [a, b], ...link }) {
      const spec = { ...link, cable_id: link_id, ends: [portEnd(a), portEnd(b)] as Ends };
      await put(await specOf(spec), `Link ${link_id}`);
    },
    removeCable,
    putTunnel,
    putNio: ({ project_id, nio, ...port }) => putTunnel({ cable_id: nioCable(port), project_id, port, nio }),
    removeNio: (port) => removeCable(nioCable(port)),
    startCapture: ({ project_id, ...port }, { path, data_link_type }, append) => {
      const capture: CaptureSpec = { port: portId(port), project_id, path, data_link_type, append };
      return run({ op: 'capture.start', capture }, `The capture to ${path}`);
    },
    stopCapture: (port) => run({ op: 'capture.stop', port: portId(port) }, 'The capture', ['not_found']),
    flushCapture: (port) => run({ op: 'capture.flush', port: portId(port) }, 'The capture', ['not_found']),
    removeProject: (projectId) => run({ op: 'project.remove', project_id: projectId }, 'The project', ['not_found']),
    resetConsole: (nodeId) => run({ op: 'console.reset', node_id: nodeId }, 'The console', ['not_found']),
    probePath: (host) => run({ op: 'path.probe', host }, 'The path'),
    tables: (nodeIds) => tablesOf(fabric, nodeIds),
    starting: (project_id) => ask<string[]>(fabric, { op: 'nodes.starting', project_id }, 'The nodes'),
    traffic: (projectId) => ask<CableCounts[]>(fabric, { op: 'cable.counts', project_id: projectId }, 'The counters'),
    totals: () => ask<FabricTotals>(fabric, { op: 'totals' }, 'The counters'),
    probe: (probe) => run({ op: 'node.probe', probe }, 'The probe'),
    askConsole: (question) => run({ op: 'console.ask', question }, 'The console'),
    async putWatch({ filter, ...watch }) {
      await run({ op: 'watch.put', watch: { ...watch, program: await compileBpf(filter) } }, 'The watch');
    },
    // The first end of a tunnel is the one on this machine.
    putProof: (watch) => run({ op: 'watch.put', watch: { ...watch, answers: 1 } }, 'The watch'),
    removeWatch: (watch_id) => run({ op: 'watch.remove', watch_id }, 'The watch'),
    sweep: (kept) => sweep(fabric, kept),
    async openConsole(nodeId) {
      try {
        return await fabric().console(nodeId);
      } catch (error) {
        throw toTopologError(error, 'The console');
      }
    },
    ...recordingOps(fabric, run),
  };
};

const ask = async <T>(fabric: () => FabricClient, op: Op, what: string): Promise<T> => {
  try {
    return await fabric().one<T>(op);
  } catch (error) {
    throw toTopologError(error, what);
  }
};

const tablesOf = async (
  fabric: () => FabricClient,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, NodeTables>> => {
  const ops = nodeIds.map((node_id): Op => ({ op: 'node.tables', node_id }));
  const answers = await results(fabric, ops, 'The tables');
  return new Map(nodeIds.flatMap((id, n) => (answers[n]?.ok === true ? [[id, answers[n].value as NodeTables]] : [])));
};

const recordingOps = (
  fabric: () => FabricClient,
  run: (op: Op, what: string) => Promise<void>,
): Pick<Plumbing, 'record' | 'recordNext' | 'stopRecording' | 'recordings'> => {
  const change = (op: Op): Promise<void> => {
    forgetInventory(fabric());
    return run(op, 'The recording');
  };
  return {
    record: (recording) => change({ op: 'console.record', recording }),
    recordNext: (recording) => change({ op: 'console.record_next', recording }),
    stopRecording: (node_id) => change({ op: 'console.record_stop', node_id }),
    async recordings() {
      try {
        return await recordingsOf(fabric());
      } catch (error) {
        throw toTopologError(error, 'The recording');
      }
    },
  };
};

const sweep = async (fabric: () => FabricClient, kept: () => Kept): Promise<void> => {
  const found = await fabric().inventory();
  const { nodes, running, cables, captures } = kept();
  const isKeptCable = ({ cable_id }: CableSpec): boolean =>
    cables.has(cable_id) || (!cable_id.startsWith(NIO) && nodes.has(ownerOf(cable_id) ?? ''));
  const unknown = ({ node_id }: { node_id: string }): boolean => !nodes.has(node_id);
  const ops: Op[] = [
    // A start that failed because the fabric was lost may have been done all the same.
    ...found.nodes.filter(({ spec }) => !running.has(spec.node_id)).map(({ spec }) => nodeOp('node.stop', spec)),
    ...found.cables.filter((w) => !isKeptCable(w)).map((w): Op => ({ op: 'cable.remove', cable_id: w.cable_id })),
    ...(found.attachments ?? [])
      .filter(({ port }) => unknown(port))
      .map(({ port }): Op => ({ op: 'port.detach', port })),
    ...(found.consoles ?? []).filter(unknown).map((console) => nodeOp('console.close', console)),
    ...(found.recordings ?? []).filter(unknown).map((recording) => nodeOp('console.record_stop', recording)),
    ...found.captures
      .filter(({ port, path }) => captures.get(portKey(port)) !== path)
      .map(({ port }): Op => ({ op: 'capture.stop', port })),
  ];
  if (ops.length > 0) throwFirst(await results(fabric, ops, 'What was left over'), 'What was left over', ['not_found']);
};

const nodeOp = (op: 'node.stop' | 'console.close' | 'console.record_stop', { node_id }: { node_id: string }): Op => ({
  op,
  node_id,
});

/** Id of the node for which an engine made the cable. */
const ownerOf = (cableId: string): string | undefined => /^\w+:([0-9a-f-]+)\//.exec(cableId)?.[1];

const results = async (fabric: () => FabricClient, ops: Op[], what: string): Promise<OpResult[]> => {
  try {
    return await fabric().run(ops);
  } catch (error) {
    throw toTopologError(error, what);
  }
};

const cableError = (result: OpResult & { ok: false }, cable: CableSpec, what: string): TopologError => {
  const udp = cable.ends.find((end) => end.type === 'udp');
  if (result.code === 'port_taken' && udp !== undefined)
    return conflict(`UDP port ${udp.lport} is in use by another program or cable`, { field: 'lport' });
  if (result.code === 'exists') return conflict(result.message);
  return toTopologError(new FabricError(result.code, result.message), what);
};

/** Only the keys of a port: the ends of records have more. */
const portId = ({ node_id, adapter_number, port_number }: PortId): PortId => ({ node_id, adapter_number, port_number });
const portEnd = (port: PortId): CableEnd => ({ type: 'port', ...portId(port) });

const NIO = 'nio:';

/** Id of the cable that a NIO makes. */
export const nioCable = ({ node_id, adapter_number, port_number }: PortId): string =>
  `${NIO}${node_id}/${adapter_number}/${port_number}`;

const udpPort = z.int().min(1).max(65_535);

/**
 * The NIO of the compute group: `{type: "nio_udp", lport, rhost, rport, filters?, suspend?}`. The other types lead to interfaces of the
 * host and need engines that this server does not have.
 */
const udpSchema = z.looseObject({
  type: z.literal('nio_udp'),
  lport: udpPort,
  rhost: z.string().min(1, 'must not be empty').max(LENGTHS.line, `must have at most ${LENGTHS.line} characters`),
  rport: udpPort,
  filters: z.record(z.string(), z.array(z.union([z.number(), z.string()]))).optional(),
  suspend: z.boolean().optional(),
});
type UdpNio = z.infer<typeof udpSchema>;

/** Checks a NIO. Throws TopologError. */
const udpNio = (nio: Readonly<Record<string, unknown>>): UdpNio => {
  if (nio['type'] !== 'nio_udp')
    throw conflict(`A NIO of type ${String(nio['type'])} is not possible here; nio_udp is`);
  const result = udpSchema.safeParse(nio);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`${issue?.path.join('.') ?? 'nio'}: ${issue?.message ?? 'not valid'}`);
};

export const udpEnd = ({ lport, rhost, rport }: Pick<UdpNio, 'lport' | 'rhost' | 'rport'>): CableEnd => ({
  type: 'udp',
  lport,
  rhost,
  rport,
});
