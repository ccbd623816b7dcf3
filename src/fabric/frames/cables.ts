import { messageOf } from '../../common/errors.ts';
import { eachInTurns } from '../../common/slices.ts';
import { loadProgram } from '../filters/bpf.ts';
import { FabricError } from '../client/client.ts';
import { type DatagramSocket, type DatagramSockets, localHost } from '../io/datagrams.ts';
import { type CableEnd, type CableSpec, type FabricTotals, portKey, type PortKey } from '../protocol.ts';
import { type BatchDestination, Direction, type DirectionStatistics, type Medium, type Reasons } from './cable.ts';
import type { FrameSink } from './frame-batch.ts';
import { arriveAt, batchArrivesAt, type Port, type PortTable } from './ports.ts';

export interface CableStatistics {
  cable_id: string;
  /** First end to second, and back. */
  directions: [DirectionStatistics, DirectionStatistics];
}

export interface CableCounts {
  cable_id: string;
  directions: [DirectionCounts, DirectionCounts];
}

type DirectionCounts = DirectionStatistics & { reasons: Reasons };

/** `number`: position of the frame among those delivered in its direction, from 1. The frame must not be kept. */
type FrameObserver = (direction: 0 | 1, frame: Uint8Array, number: number) => void;

export interface Cables {
  put(spec: CableSpec): Promise<void>;
  remove(cableId: string): Promise<void>;
  removeProject(projectId: string): Promise<void>;
  specs(): CableSpec[];
  /** Sets the observer of a cable's delivered frames, or removes it. False: there is no such cable. */
  watch(cableId: string, observer?: FrameObserver): boolean;
  /** Whether a cable that is not suspended ends at a port. */
  carries(key: PortKey): boolean;
  /** Whether any cable ends outside of this process. */
  hasUdpEnd(): boolean;
  statistics(): CableStatistics[];
  counts(projectId: string): CableCounts[];
  /** Since the start, including removed cables. */
  totals(): FabricTotals;
  close(): Promise<void>;
}

export interface CableParts {
  medium: Medium;
  ports: PortTable;
  datagrams: DatagramSockets;
  /** Called when `carries` may have changed for a port. */
  onChange: (key: PortKey) => void;
}

interface Cable {
  spec: CableSpec;
  ends: [AttachedEnd, AttachedEnd];
  directions: [Direction, Direction];
}

interface CableTable extends CableParts {
  cables: Map<string, Cable>;
  /** Id of the cable at each port. */
  taken: Map<PortKey, string>;
  /** Sums of removed cables. */
  gone: DirectionStatistics;
}

export function createCables(parts: CableParts): Cables {
  const table: CableTable = { ...parts, cables: new Map(), taken: new Map(), gone: { ...NOTHING } };
  const all = (): Cable[] => [...table.cables.values()];
  const removeAll = async (cables: Cable[]): Promise<void> => {
    await eachInTurns(cables, ({ spec }) => remove(table, spec.cable_id));
  };
  return {
    async put(spec) {
      check(table, spec);
      const cable = table.cables.get(spec.cable_id);
      await (cable === undefined ? create(table, spec) : change(table, cable, spec));
    },
    remove: (cableId) => remove(table, cableId),
    removeProject: (projectId) => removeAll(all().filter(({ spec }) => spec.project_id === projectId)),
    specs: () => all().map(({ spec }) => spec),
    watch(cableId, observer) {
      const cable = table.cables.get(cableId);
      for (const [index, direction] of cable?.directions.entries() ?? [])
        direction.see = observer === undefined ? null : (frame, number) => observer(index as 0 | 1, frame, number);
      return cable !== undefined;
    },
    carries(key) {
      const cable = table.cables.get(table.taken.get(key) ?? '');
      return cable?.spec.suspend === false;
    },
    hasUdpEnd: () => all().some(({ ends }) => ends.some(({ type }) => type === 'udp')),
    statistics: () =>
      all().map(({ spec, directions: [a, b] }) => ({
        cable_id: spec.cable_id,
        directions: [a.statistics(), b.statistics()],
      })),
    counts: (projectId) =>
      all()
        .filter(({ spec }) => spec.project_id === projectId)
        .map(({ spec, directions: [a, b] }) => ({
          cable_id: spec.cable_id,
          directions: [
            { ...a.statistics(), reasons: a.reasons() },
            { ...b.statistics(), reasons: b.reasons() },
          ],
        })),
    totals() {
      const sum = { ...table.gone };
      for (const { directions } of table.cables.values()) for (const one of directions) add(sum, one.statistics());
      return { ...sum, cables: table.cables.size };
    },
    close: () => removeAll(all()),
  };
}

const NOTHING: DirectionStatistics = { frames: 0, bytes: 0, dropped: 0, delayed: 0 };

function add(to: DirectionStatistics, { frames, bytes, dropped, delayed }: DirectionStatistics): void {
  to.frames += frames;
  to.bytes += bytes;
  to.dropped += dropped;
  to.delayed += delayed;
}

function check({ taken }: CableTable, { cable_id, ends, filters, one_way = [{}, {}] }: CableSpec): void {
  const keys = ends.flatMap((end) => (end.type === 'port' ? [portKey(end)] : []));
  if (keys.length === 2 && keys[0] === keys[1])
    throw new FabricError('invalid', `A cable has two ends; both of ${cable_id} are port ${keys[0]}`);
  for (const key of keys) {
    const other = taken.get(key);
    if (other !== undefined && other !== cable_id)
      throw new FabricError('exists', `Port ${key} already has cable ${other}; a port takes one cable`);
  }
  try {
    for (const { bpf = [] } of [filters, ...one_way]) bpf.forEach(loadProgram);
  } catch (error) {
    throw new FabricError('invalid', messageOf(error));
  }
}

async function create(table: CableTable, spec: CableSpec): Promise<void> {
  const ends = await openEnds(table, spec, []);
  const directions: Cable['directions'] = [
    new Direction(table.medium, spec, 0, ends[1]),
    new Direction(table.medium, spec, 1, ends[0]),
  ];
  table.cables.set(spec.cable_id, { spec, ends, directions });
  connectEnd(table, ends[0], directions[0], spec.cable_id);
  connectEnd(table, ends[1], directions[1], spec.cable_id);
  notify(table, ends);
}

async function change(table: CableTable, cable: Cable, spec: CableSpec): Promise<void> {
  const old = cable.ends;
  const ends = await openEnds(table, spec, old);
  const left = old.filter((end) => !ends.some((kept) => kept === end || isSamePort(kept, end)));
  // Nothing is awaited until the last line, so that no frame meets a half-changed cable.
  const closing = left.map((end) => detach(table, end));
  const [forth, back] = cable.directions;
  for (const direction of cable.directions) direction.change(spec);
  forth.to = ends[1];
  back.to = ends[0];
  connectEnd(table, ends[0], forth, spec.cable_id);
  connectEnd(table, ends[1], back, spec.cable_id);
  cable.ends = ends;
  cable.spec = spec;
  notify(table, [...ends, ...left]);
  await Promise.all(closing);
}

/** Opens new ends and reuses sockets before anything old is closed, so that a failed change leaves the cable as it was. */
async function openEnds(
  { ports, datagrams }: CableTable,
  spec: CableSpec,
  old: readonly AttachedEnd[],
): Promise<Cable['ends']> {
  const first = await openEnd(ports, datagrams, spec.ends[0], old);
  let second: AttachedEnd | undefined;
  try {
    second = await openEnd(ports, datagrams, spec.ends[1], old);
    await connectPeer(first, spec.ends[0]);
    await connectPeer(second, spec.ends[1]);
    return [first, second];
  } catch (error) {
    for (const end of [first, second]) if (end?.type === 'udp' && !old.includes(end)) await end.socket.close();
    throw error;
  }
}

/** Frames that enter at an end go into the direction away from it. */
function connectEnd({ taken, ports }: CableTable, end: AttachedEnd, into: Direction, cableId: string): void {
  if (end.type === 'udp') end.source.into = into;
  else {
    taken.set(end.key, cableId);
    ports.set(end.key, { outlet: into });
  }
}

async function detach({ taken, ports }: CableTable, end: AttachedEnd): Promise<void> {
  if (end.type === 'udp') await end.socket.close();
  else {
    taken.delete(end.key);
    ports.set(end.key, { outlet: null });
  }
}

function notify({ onChange }: CableTable, ends: readonly AttachedEnd[]): void {
  for (const end of ends) if (end.type === 'port') onChange(end.key);
}

async function remove(table: CableTable, cableId: string): Promise<void> {
  const cable = table.cables.get(cableId);
  if (cable === undefined) return;
  table.cables.delete(cableId);
  for (const direction of cable.directions) {
    direction.remove();
    add(table.gone, direction.statistics());
  }
  const detaching = cable.ends.map((end) => detach(table, end));
  notify(table, cable.ends);
  await Promise.all(detaching);
}

type UdpEnd = Extract<CableEnd, { type: 'udp' }>;

/** An end of a cable with its port or socket. */
type AttachedEnd = BatchDestination &
  (
    | { type: 'port'; key: PortKey }
    | {
        type: 'udp';
        end: UdpEnd;
        socket: DatagramSocket;
        /** Direction that received datagrams enter. */
        source: { into: FrameSink | null };
      }
  );

/** Reuses a socket of `reusable` that is bound to the address of the end; `connectPeer` then sets its peer. */
async function openEnd(
  ports: PortTable,
  datagrams: DatagramSockets,
  end: CableEnd,
  reusable: readonly AttachedEnd[],
): Promise<AttachedEnd> {
  if (end.type === 'port') return openPortEnd(ports, portKey(end));
  const same = reusable.find((old) => old.type === 'udp' && local(old.end) === local(end));
  return same ?? openUdpEnd(datagrams, end);
}

const local = (end: UdpEnd): string => `${end.lhost ?? localHost(end.rhost)}:${end.lport}`;

function openPortEnd(ports: PortTable, key: PortKey): AttachedEnd {
  let port: Port | undefined;
  // Looked up at the first frame: by then the cable is attached, so the table keeps the port.
  const find = (): Port | undefined => (port ??= ports.find(key));
  return {
    type: 'port',
    key,
    take(frame) {
      const at = find();
      if (at !== undefined) arriveAt(at, frame);
    },
    takeBatch(batch) {
      const at = find();
      return at === undefined || batchArrivesAt(at, batch);
    },
  };
}

async function openUdpEnd(datagrams: DatagramSockets, end: UdpEnd): Promise<AttachedEnd> {
  const source: { into: FrameSink | null } = { into: null };
  const socket = await datagrams.open(
    { host: end.lhost ?? localHost(end.rhost), port: end.lport },
    { host: end.rhost, port: end.rport },
    {
      take: (frame) => source.into?.take(frame),
      takeBatch: (batch) => source.into?.takeBatch(batch),
    },
  );
  return {
    type: 'udp',
    end,
    socket,
    source,
    take: (frame) => socket.take(frame),
    takeBatch(batch) {
      socket.takeBatch(batch);
      return true;
    },
  };
}

/** Connects a reused socket to the peer that the end now names; back to the old peer when that fails. */
async function connectPeer(attached: AttachedEnd, end: CableEnd): Promise<void> {
  if (attached.type !== 'udp' || end.type !== 'udp') return;
  const { rhost, rport } = attached.end;
  if (rhost !== end.rhost || rport !== end.rport) {
    try {
      await attached.socket.connect({ host: end.rhost, port: end.rport });
    } catch (error) {
      await attached.socket.connect({ host: rhost, port: rport }).catch(() => undefined);
      throw error;
    }
  }
  attached.end = end;
}

const isSamePort = (a: AttachedEnd, b: AttachedEnd): boolean =>
  a.type === 'port' && b.type === 'port' && a.key === b.key;
