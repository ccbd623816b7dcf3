import { messageOf } from '../../common/errors.ts';
import { loadProgram } from '../bpf/interpret.ts';
import { FabricError } from '../client/client.ts';
import type { DatagramSockets } from '../io/datagrams.ts';
import type { PortTable } from './ports.ts';
import { portKey, type PortKey, type WireSpec } from '../protocol.ts';
import { isSamePort, openEnd, pointTo, type AttachedEnd } from './wire-end.ts';
import { createDirection, type Direction, type DirectionStatistics, type Medium } from './wire.ts';

export interface WireStatistics {
  wire_id: string;
  /** First end to second, second to first. */
  directions: [DirectionStatistics, DirectionStatistics];
}

export interface Wires {
  put(spec: WireSpec): Promise<void>;
  remove(wireId: string): Promise<void>;
  removeProject(projectId: string): Promise<void>;
  specs(): WireSpec[];
  /** Whether a wire that is not suspended ends at a port. */
  carries(key: PortKey): boolean;
  /** Whether any wire ends outside of this process. */
  leadOut(): boolean;
  /** Default: of all projects. */
  statistics(projectId?: string): WireStatistics[];
  close(): Promise<void>;
}

export interface WireParts {
  medium: Medium;
  ports: PortTable;
  datagrams: DatagramSockets;
  /** What `carries` says of a port may have changed. */
  onChange: (key: PortKey) => void;
}

interface Wire {
  spec: WireSpec;
  ends: [AttachedEnd, AttachedEnd];
  directions: [Direction, Direction];
}

interface WireTable extends WireParts {
  wires: Map<string, Wire>;
  /** Which wire ends at a port. */
  taken: Map<PortKey, string>;
}

export function createWires(parts: WireParts): Wires {
  const table: WireTable = { ...parts, wires: new Map(), taken: new Map() };
  const all = (): Wire[] => [...table.wires.values()];
  const removeAll = async (wires: Wire[]): Promise<void> => {
    await Promise.all(wires.map(({ spec }) => remove(table, spec.wire_id)));
  };
  return {
    async put(spec) {
      check(table, spec);
      const wire = table.wires.get(spec.wire_id);
      await (wire === undefined ? create(table, spec) : change(table, wire, spec));
    },
    remove: (wireId) => remove(table, wireId),
    removeProject: (projectId) => removeAll(all().filter(({ spec }) => spec.project_id === projectId)),
    specs: () => all().map(({ spec }) => spec),
    carries(key) {
      const wire = table.wires.get(table.taken.get(key) ?? '');
      return wire?.spec.suspend === false;
    },
    leadOut: () => all().some(({ ends }) => ends.some(({ type }) => type === 'udp')),
    statistics: (projectId) =>
      all()
        .filter(({ spec }) => projectId === undefined || spec.project_id === projectId)
        .map(({ spec, directions: [a, b] }) => ({
          wire_id: spec.wire_id,
          directions: [a.statistics(), b.statistics()],
        })),
    close: () => removeAll(all()),
  };
}

function check({ taken }: WireTable, { wire_id, ends, filters }: WireSpec): void {
  const keys = ends.flatMap((end) => (end.type === 'port' ? [portKey(end)] : []));
  if (keys.length === 2 && keys[0] === keys[1])
    throw new FabricError('invalid', `A wire has two ends; both of ${wire_id} are port ${keys[0]}`);
  for (const key of keys) {
    const other = taken.get(key);
    if (other !== undefined && other !== wire_id)
      throw new FabricError('exists', `Port ${key} already has wire ${other}; a port takes one wire`);
  }
  try {
    filters.bpf?.forEach(loadProgram);
  } catch (error) {
    throw new FabricError('invalid', messageOf(error));
  }
}

async function create(table: WireTable, spec: WireSpec): Promise<void> {
  const ends = await openEnds(table, spec, []);
  const directions: Wire['directions'] = [
    createDirection(table.medium, spec, 0, ends[1]),
    createDirection(table.medium, spec, 1, ends[0]),
  ];
  table.wires.set(spec.wire_id, { spec, ends, directions });
  lead(table, ends[0], directions[0], spec.wire_id);
  lead(table, ends[1], directions[1], spec.wire_id);
  tell(table, ends);
}

async function change(table: WireTable, wire: Wire, spec: WireSpec): Promise<void> {
  const old = wire.ends;
  const ends = await openEnds(table, spec, old);
  const left = old.filter((end) => !ends.some((kept) => kept === end || isSamePort(kept, end)));
  // From here to the last line without a pause: no frame meets a wire that is half changed.
  const closing = left.map((end) => detach(table, end));
  const [forth, back] = wire.directions;
  for (const direction of wire.directions) direction.change(spec.seed, spec.filters, spec.suspend);
  forth.to = ends[1];
  back.to = ends[0];
  lead(table, ends[0], forth, spec.wire_id);
  lead(table, ends[1], back, spec.wire_id);
  wire.ends = ends;
  wire.spec = spec;
  tell(table, [...ends, ...left]);
  await Promise.all(closing);
}

/** Opens what is new and keeps the sockets it can, before anything old is let go: a change that fails leaves the wire as it was. */
async function openEnds(
  { ports, datagrams }: WireTable,
  spec: WireSpec,
  old: readonly AttachedEnd[],
): Promise<Wire['ends']> {
  const first = await openEnd(ports, datagrams, spec.ends[0], old);
  let second: AttachedEnd | undefined;
  try {
    second = await openEnd(ports, datagrams, spec.ends[1], old);
    await pointTo(first, spec.ends[0]);
    await pointTo(second, spec.ends[1]);
    return [first, second];
  } catch (error) {
    for (const end of [first, second]) if (end?.type === 'udp' && !old.includes(end)) await end.socket.close();
    throw error;
  }
}

/** Frames that enter at an end go into the direction that leads away from it. */
function lead({ taken, ports }: WireTable, end: AttachedEnd, into: Direction, wireId: string): void {
  if (end.type === 'udp') end.source.into = into;
  else {
    taken.set(end.key, wireId);
    ports.set(end.key, { outlet: into });
  }
}

async function detach({ taken, ports }: WireTable, end: AttachedEnd): Promise<void> {
  if (end.type === 'udp') await end.socket.close();
  else {
    taken.delete(end.key);
    ports.set(end.key, { outlet: null });
  }
}

function tell({ onChange }: WireTable, ends: readonly AttachedEnd[]): void {
  for (const end of ends) if (end.type === 'port') onChange(end.key);
}

async function remove(table: WireTable, wireId: string): Promise<void> {
  const wire = table.wires.get(wireId);
  if (wire === undefined) return;
  table.wires.delete(wireId);
  for (const direction of wire.directions) direction.remove();
  const detaching = wire.ends.map((end) => detach(table, end));
  tell(table, wire.ends);
  await Promise.all(detaching);
}
