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
  /** null: nobody knows what it does with what arrives. */
  forwarding: Forwarding | null;
  /** What it does is what its console said; absent: it is known. */
  heard?: { at: number; routes: boolean };
  leadsOut: boolean;
  /** What it said itself; null: it was not asked. */
  tables: NodeTables | null;
  /** It was there once. */
  isGone: boolean;
}

export interface LabLink {
  record: LinkRecord;
  /** By somebody, or by the weather. */
  suspend: boolean;
  /** What acts on frames from its first end to its second, and back. */
  filters: readonly [CableFilters, CableFilters];
  isGone: boolean;
}

/** What is looked up by a key, and which keys were. */
export class Noted<V> extends Map<string, V> {
  readonly asked = new Set<string>();

  override get(key: string): V | undefined {
    this.asked.add(key);
    return super.get(key);
  }

  override has(key: string): boolean {
    this.asked.add(key);
    return super.has(key);
  }
}

/** A lab as it is, or was, for those who follow packets. */
export interface Lab {
  project: ProjectRecord;
  nodes: Noted<LabNode>;
  /** By the node at either end, and its port (`portKey`). A link that is gone comes after those that are there. */
  links: Noted<Map<number, readonly LabLink[]>>;
  /** Who has an address, or wants it. */
  owners: Noted<readonly Owner[]>;
  /** Whether nodes run makes no difference to who shares an address and what is a loop: a restart is not their end. */
  isSteady: boolean;
}

export interface Owner {
  place: Place;
  address: Address;
  mac: string | null;
  /** Absent: it only wants it. */
  has?: true;
}

/** What a lab is made of beside its records. */
export interface Known {
  kinds: Kinds;
  /** Of running nodes; those that are not told are taken from the records. */
  tables: ReadonlyMap<string, NodeTables>;
  /** What the consoles of others have said. */
  answers?: ReadonlyMap<string, Answers>;
  /** Of the past: its nodes run as they do at the moment that is asked about, so that the way is the same. */
  isSteady?: true;
  states?: ReadonlyMap<string, NodeRecord>;
  gone?: { nodes: readonly NodeRecord[]; links: readonly LinkRecord[] };
}

export const placeKey = ({ node_id, adapter_number, port_number }: Place): string =>
  `${node_id}/${adapter_number}/${port_number}`;

export const isAt = (one: Place, other: Place): boolean =>
  one.node_id === other.node_id && one.adapter_number === other.adapter_number && one.port_number === other.port_number;

/** Nobody knows what it does, or only its console has said it. */
export const isUnsure = ({ forwarding, heard }: LabNode): boolean => forwarding === null || heard !== undefined;

export const addressKey = ({ family, value }: Address): string => `${family}/${value}`;

export const labOf = async (view: RecordView, project: ProjectRecord, known: Known): Promise<Lab> => {
  await compileFilters([...view.ofProject('link', project.project_id), ...(known.gone?.links ?? [])]);
  return inSlices(made(view, project, known));
};

function* made(view: RecordView, project: ProjectRecord, known: Known): Steps<Lab> {
  const { gone = { nodes: [], links: [] } } = known;
  const isSteady = known.isSteady === true;
  const lab: Lab = { project, nodes: new Noted(), links: new Noted(), owners: new Noted(), isSteady };
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

/** Of the ports of one node. */
const portKey = ({ adapter_number, port_number }: Port): number => adapter_number * 2 ** 20 + port_number;

export const linksAt = ({ links }: Lab, place: Place): readonly LabLink[] =>
  links.get(place.node_id)?.get(portKey(place)) ?? [];

/** Tells of a node's ports whether they have a link. */
export const linkedPorts = ({ links }: Lab, nodeId: string): ((port: Port) => boolean) => {
  const ports = links.get(nodeId);
  return (port) => ports?.has(portKey(port)) === true;
};

/** Without a note of it. */
const plain = <V>(map: Noted<V>, key: string): V | undefined => Map.prototype.get.call(map, key) as V | undefined;

/** Puts other records in the place of a node or a link; answers whether that is about what was looked up. */
export const changeLab = (lab: Lab, known: Known, transition: Transition): boolean => {
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
    return lab.nodes.asked.has(id) || keys.some((key) => lab.owners.asked.has(key));
  }
  if (collection !== 'link') return false;
  const gone = before === null ? known.gone?.links.find(({ link_id }) => link_id === id) : undefined;
  const other = before ?? gone;
  for (const one of [record, other]) if (one != null) dropLink(lab, one);
  if (other !== undefined) addLink(lab, linkOf(other, before === null));
  if (before !== null && record !== null && isAlike(before, record)) return false;
  return [record, other].some((one) => one?.nodes.some(({ node_id }) => lab.links.asked.has(node_id)) === true);
};

/** Of records, what the way of a packet is about: what ports and forwarding are made of, and what a link does to frames. */
const OF_WAY = [
  ...['kind', 'properties', 'texts', 'ports', 'port_name_format', 'port_segment_size', 'first_port_name'],
  ...['custom_adapters', 'nodes', 'suspend', 'filters', 'weather'],
];

const isAlike = (one: object, other: object): boolean => {
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return OF_WAY.every((key) => a[key] === b[key] || isDeepStrictEqual(a[key], b[key]));
};

const nodeOf = (record: NodeRecord, { kinds, tables, answers, states }: Known, isGone: boolean): LabNode => {
  const told = tables.get(record.node_id) ?? null;
  const kind = kinds.get(record.kind);
  const ports = portsOf(kinds, record);
  const known = told === null ? byRecord(record, kinds).forwarding : forwardingOf(record, kinds, told);
  const said = known === null ? answers?.get(record.node_id) : undefined;
  const heard = said === undefined ? null : heardOf(said, ports);
  return {
    record: inState(record, states?.get(record.node_id)),
    ports,
    forwarding: known ?? heard,
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

const linkOf = (record: LinkRecord, isGone: boolean): LabLink => ({
  record,
  isGone,
  suspend: withWeather(record).suspend,
  filters: hasFilters(record) ? filtersOf(record).both : NO_FILTERS,
});

const NO_FILTERS: LabLink['filters'] = [{}, {}];
const hasFilters = (record: LinkRecord): boolean => Object.keys(withWeather(record).filters).length > 0;

/** Reads the filters of links, for those who make a lab of them: another program reads expressions. */
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

/** Where there is no compiler for expressions: a record of another machine. */
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

/** What a port is called, as its node has it. */
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
