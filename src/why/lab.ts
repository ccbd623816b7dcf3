import { isDeepStrictEqual } from 'node:util';
import { partsOf } from '../common/forms/filters.ts';
import { memo } from '../common/memo.ts';
import { inSlices, type Steps } from '../common/slices.ts';
import type { Forwarding, Kind, Port as KindPort } from '../emulators/kit/contract.ts';
import { forwardingOf, portsOf } from '../emulators/recorded-node.ts';
import { toCableFilters } from '../fabric/filters/parse.ts';
import type { CableFilters, NodeTables } from '../fabric/protocol.ts';
import type { Transition } from '../projections/fold/change.ts';
import type { LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../projections/records.ts';
import { withWeather } from '../projections/weather.ts';
import { type Address, parseAddress } from './address.ts';
import { type Answers, forwardingOf as heardOf } from './console-answers.ts';
import type { Place } from './contract.ts';

export interface Kinds {
  get(name: string): Kind | undefined;
}

export interface LabNode {
  record: NodeRecord;
  ports: readonly KindPort[];
  /** null if it is not known how it forwards. */
  forwarding: Forwarding | null;
  /** Time of the console's output that `forwarding` is read from, and whether it had routes; absent if it is known otherwise. */
  heard?: { at: number; routes: boolean };
  leadsOut: boolean;
  /** Tables that the running node has told; null without them. */
  tables: NodeTables | null;
  /** Whether it was deleted before. */
  isGone: boolean;
}

export interface LabLink {
  record: LinkRecord;
  /** Whether it is suspended, by a user or by the weather. */
  suspend: boolean;
  /** Filters from its first end to its second, and back. */
  filters: readonly [CableFilters, CableFilters];
  isGone: boolean;
}

/** A map that records which keys were looked up. */
export class TrackedMap<V> extends Map<string, V> {
  readonly lookedUp = new Set<string>();

  override get(key: string): V | undefined {
    this.lookedUp.add(key);
    return super.get(key);
  }

  override has(key: string): boolean {
    this.lookedUp.add(key);
    return super.has(key);
  }
}

/** A lab at one moment, prepared to follow packets. */
export interface Lab {
  project: ProjectRecord;
  nodes: TrackedMap<LabNode>;
  /** Links by the node at either end, and its port (`portKey`). A deleted link comes after existing ones. */
  links: TrackedMap<Map<number, readonly LabLink[]>>;
  /** Ports that have an address, or want it. */
  owners: TrackedMap<readonly Owner[]>;
  /** Whether duplicate addresses and loops are found regardless of which nodes run: a restart does not end them. */
  isSteady: boolean;
}

export interface Owner {
  place: Place;
  address: Address;
  mac: string | null;
  /** Absent if it only wants the address. */
  has?: true;
}

/** Data of a lab beside its records. */
export interface LabSources {
  kinds: Kinds;
  /** Tables of running nodes; the records stand in for missing ones. */
  tables: ReadonlyMap<string, NodeTables>;
  /** Addresses and routes that consoles of real systems have shown. */
  answers?: ReadonlyMap<string, Answers>;
  /** Set for the past, in which nodes have the states of the moment in question (`states`), so that the path is the same. */
  isSteady?: true;
  states?: ReadonlyMap<string, NodeRecord>;
  gone?: { nodes: readonly NodeRecord[]; links: readonly LinkRecord[] };
}

export const placeKey = ({ node_id, adapter_number, port_number }: Place): string =>
  `${node_id}/${adapter_number}/${port_number}`;

export const isAt = (one: Place, other: Place): boolean =>
  one.node_id === other.node_id && one.adapter_number === other.adapter_number && one.port_number === other.port_number;

/** Whether its forwarding is not known, or only by its console or its settings. */
export const isUnsure = ({ forwarding, heard }: LabNode): boolean =>
  forwarding === null || heard !== undefined || isMeant(forwarding);

/** Whether it is only what the settings ask of a system that may have changed it. */
const isMeant = (forwarding: Forwarding | null): boolean =>
  forwarding?.by === 'addresses' && forwarding.isMeant === true;

export const addressKey = ({ family, value }: Address): string => `${family}/${value}`;

export const labOf = async (view: RecordView, project: ProjectRecord, known: LabSources): Promise<Lab> => {
  await compileFilters([...view.ofProject('link', project.project_id), ...(known.gone?.links ?? [])]);
  return inSlices(made(view, project, known));
};

function* made(view: RecordView, project: ProjectRecord, known: LabSources): Steps<Lab> {
  const { gone = { nodes: [], links: [] } } = known;
  const isSteady = known.isSteady === true;
  const lab: Lab = { project, nodes: new TrackedMap(), links: new TrackedMap(), owners: new TrackedMap(), isSteady };
  const { project_id } = project;
  for (const record of view.ofProject('node', project_id)) yield addNode(lab, nodeOf(record, known, false));
  for (const record of gone.nodes)
    if (view.get('node', record.node_id) === undefined) addNode(lab, nodeOf(record, known, true));
  for (const record of view.ofProject('link', project_id)) yield addLink(lab, linkOf(record, false));
  for (const record of gone.links)
    if (view.get('link', record.link_id) === undefined) addLink(lab, linkOf(record, true));
  return lab;
}

const addNode = (lab: Lab, node: LabNode): void => {
  lab.nodes.set(node.record.node_id, node);
  for (const [key, owner] of ownersIn(node)) lab.owners.set(key, [...(plain(lab.owners, key) ?? []), owner]);
};

const addLink = ({ links }: Lab, link: LabLink): void => {
  for (const end of link.record.nodes) {
    const ports = plain(links, end.node_id) ?? new Map<number, readonly LabLink[]>();
    const all = [...(ports.get(portKey(end)) ?? []), link];
    links.set(
      end.node_id,
      ports.set(
        portKey(end),
        all.sort((a, b) => Number(a.isGone) - Number(b.isGone)),
      ),
    );
  }
};

const dropLink = ({ links }: Lab, { link_id, nodes }: LinkRecord): void => {
  for (const end of nodes) {
    const ports = plain(links, end.node_id);
    const rest = ports?.get(portKey(end))?.filter(({ record }) => record.link_id !== link_id) ?? [];
    if (rest.length === 0) ports?.delete(portKey(end));
    else ports?.set(portKey(end), rest);
  }
};

type Port = Pick<Place, 'adapter_number' | 'port_number'>;

/** Key of a port among those of its node. */
const portKey = ({ adapter_number, port_number }: Port): number => adapter_number * 2 ** 20 + port_number;

export const linksAt = ({ links }: Lab, place: Place): readonly LabLink[] =>
  links.get(place.node_id)?.get(portKey(place)) ?? [];

/** Returns a predicate: whether a port of the node has a link. */
export const linkedPorts = ({ links }: Lab, nodeId: string): ((port: Port) => boolean) => {
  const ports = links.get(nodeId);
  return (port) => ports?.has(portKey(port)) === true;
};

/** Looks up a key without recording it. */
const plain = <V>(map: TrackedMap<V>, key: string): V | undefined => Map.prototype.get.call(map, key) as V | undefined;

/** Takes back a change of a node or a link; returns whether it concerns a key that was looked up. */
export const changeLab = (lab: Lab, known: LabSources, transition: Transition): boolean => {
  const { collection, id, before, record } = transition;
  if (collection === 'node') {
    const was = plain(lab.nodes, id);
    const isGone = before === null;
    const gone = isGone ? known.gone?.nodes.find(({ node_id }) => node_id === id) : undefined;
    const other = before ?? gone;
    if (was !== undefined && before !== null && record !== null && isAlike(before, record)) {
      lab.nodes.set(id, { ...was, record: inState(before, known.states?.get(id)) });
      return false;
    }
    const keys = was === undefined ? [] : ownersIn(was).map(([key]) => key);
    for (const key of keys)
      lab.owners.set(key, plain(lab.owners, key)?.filter(({ place }) => place.node_id !== id) ?? []);
    if (other === undefined) lab.nodes.delete(id);
    else {
      const node = nodeOf(other, known, isGone);
      addNode(lab, node);
      keys.push(...ownersIn(node).map(([key]) => key));
    }
    return lab.nodes.lookedUp.has(id) || keys.some((key) => lab.owners.lookedUp.has(key));
  }
  if (collection !== 'link') return false;
  const gone = before === null ? known.gone?.links.find(({ link_id }) => link_id === id) : undefined;
  const other = before ?? gone;
  for (const one of [record, other]) if (one != null) dropLink(lab, one);
  if (other !== undefined) addLink(lab, linkOf(other, before === null));
  if (before !== null && record !== null && isAlike(before, record)) return false;
  return [record, other].some((one) => one?.nodes.some(({ node_id }) => lab.links.lookedUp.has(node_id)) === true);
};

/** Keys of records that affect the path of a packet: they determine ports, forwarding, and what a link does to frames. */
const PATH_KEYS = [
  'kind',
  'properties',
  'texts',
  'ports',
  'port_name_format',
  'port_segment_size',
  'first_port_name',
  'custom_adapters',
  'nodes',
  'suspend',
  'filters',
  'weather',
];

const isAlike = (one: object, other: object): boolean => {
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return PATH_KEYS.every((key) => a[key] === b[key] || isDeepStrictEqual(a[key], b[key]));
};

const nodeOf = (record: NodeRecord, { kinds, tables, answers, states }: LabSources, isGone: boolean): LabNode => {
  const told = tables.get(record.node_id) ?? null;
  const kind = kinds.get(record.kind);
  const ports = portsOf(kinds, record);
  const known = told === null ? byRecord(record, kinds).forwarding : forwardingOf(record, kinds, told);
  const said = known === null || isMeant(known) ? answers?.get(record.node_id) : undefined;
  const heard = said === undefined ? null : heardOf(said, ports);
  return {
    record: inState(record, states?.get(record.node_id)),
    ports,
    forwarding: heard ?? known,
    ...(heard === null || said === undefined ? {} : { heard: { at: said.at, routes: said.routes !== null } }),
    leadsOut: kind?.capabilities.leads_out === true,
    tables: told,
    isGone,
  };
};

const inState = (record: NodeRecord, other: NodeRecord | undefined): NodeRecord => {
  if (other === undefined || other === record) return record;
  const { unreachable: _, ...rest } = record;
  const { state, engine, unreachable } = other;
  return { ...rest, state, engine, ...(unreachable === undefined ? {} : { unreachable }) };
};

const byRecord = memo((record: NodeRecord, kinds: Kinds) => ({ forwarding: forwardingOf(record, kinds, null) }));

/** Whether its record alone tells what it does with packets. */
export const hasKnownInside = (record: NodeRecord, kinds: Kinds): boolean => {
  const { forwarding } = byRecord(record, kinds);
  return forwarding !== null && !isMeant(forwarding);
};

const linkOf = (record: LinkRecord, isGone: boolean): LabLink => ({
  record,
  isGone,
  suspend: withWeather(record).suspend,
  filters: hasFilters(record) ? filtersOf(record).both : NO_FILTERS,
});

const NO_FILTERS: LabLink['filters'] = [{}, {}];
const hasFilters = (record: LinkRecord): boolean => Object.keys(withWeather(record).filters).length > 0;

/** Compiles the filters of links before a lab is made of them: expressions need another program. */
export const compileFilters = async (records: readonly LinkRecord[]): Promise<void> => {
  for (const record of records) if (hasFilters(record)) await filtersOf(record).ready;
};

const filtersOf = memo((record: LinkRecord) => {
  const read = { both: NO_FILTERS, ready: Promise.resolve() };
  read.ready = toCableFilters(withWeather(record).filters)
    .catch(() => toCableFilters(withoutPrograms(record)))
    .then(({ filters, one_way }) => {
      read.both = [
        { ...filters, ...one_way?.[0] },
        { ...filters, ...one_way?.[1] },
      ];
    });
  return read;
});

/** Filters without expressions, as there is no compiler for them here: the record may be from another machine. */
const withoutPrograms = (record: LinkRecord): LinkRecord['filters'] =>
  Object.fromEntries(Object.entries(withWeather(record).filters).filter(([name]) => partsOf(name)[0] !== 'bpf'));

const ownersIn = ({ record, forwarding, isGone }: LabNode): [string, Owner][] => {
  if (forwarding?.by !== 'addresses' || isGone) return [];
  return forwarding.interfaces.flatMap((one) => {
    const { adapter_number, port_number, mac } = one;
    const place = { node_id: record.node_id, adapter_number, port_number };
    return [...new Set([...one.addresses, ...(one.wanted ?? [])])].flatMap((text): [string, Owner][] => {
      const address = parseAddress(text);
      if (address === null) return [];
      const has = one.addresses.includes(text) ? ({ has: true } as const) : {};
      return [[addressKey(address), { place, address, mac, ...has }]];
    });
  });
};

export const nodeAt = (lab: Lab, nodeId: string): LabNode => {
  const node = lab.nodes.get(nodeId);
  if (node === undefined) throw new Error(`node ${nodeId} is not in the lab`);
  return node;
};

/** Name of a port at its node. */
export const portName = (lab: Lab, { node_id, adapter_number, port_number }: Place): string =>
  lab.nodes
    .get(node_id)
    ?.ports.find((port) => port.adapter_number === adapter_number && port.port_number === port_number)?.name ??
  `${adapter_number}/${port_number}`;

/** `PC1 Ethernet0 – SW1 Ethernet3` */
export const linkName = (lab: Lab, { nodes }: LinkRecord): string =>
  nodes
    .map((end) => `${lab.nodes.get(end.node_id)?.record.name ?? 'a node that is gone'} ${portName(lab, end)}`)
    .join(' – ');
