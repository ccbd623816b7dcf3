import { partsOf } from '../common/forms/filter-names.ts';
import { memo } from '../common/memo.ts';
import { forwardingOf } from '../emulators/forwarding-of.ts';
import type { Forwarding, Kind, Port } from '../emulators/kit/contract.ts';
import { portsOf } from '../emulators/ports/ports-of.ts';
import type { CableFilters, NodeTables } from '../fabric/protocol.ts';
import { toCableFilters } from '../fabric/filters/parse.ts';
import type { LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../projections/records.ts';
import { inWeather } from '../projections/weather.ts';
import { type Answers, forwardingOf as heardOf } from './console-answers.ts';
import { type Address, parseAddress } from './address.ts';
import type { Place } from './contract.ts';

export interface Kinds {
  get(name: string): Kind | undefined;
}

export interface LabNode {
  record: NodeRecord;
  ports: readonly Port[];
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

/** A lab as it is, or was, for those who follow packets. */
export interface Lab {
  project: ProjectRecord;
  nodes: ReadonlyMap<string, LabNode>;
  /** By the port at either end. A link that is gone comes after those that are there. */
  links: ReadonlyMap<string, readonly LabLink[]>;
  /** Who has an address, or wants it. */
  owners: ReadonlyMap<string, readonly Owner[]>;
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
  /** Records of what was there once. */
  isSteady?: true;
  gone?: { nodes: readonly NodeRecord[]; links: readonly LinkRecord[] };
}

export const placeKey = ({ node_id, adapter_number, port_number }: Place): string =>
  `${node_id}/${adapter_number}/${port_number}`;

/** Nobody knows what it does, or only its console has said it. */
export const isUnsure = ({ forwarding, heard }: LabNode): boolean => forwarding === null || heard !== undefined;

export const addressKey = ({ family, value }: Address): string => `${family}/${value}`;

/** Throws TopologError where a filter cannot be read. */
export const labOf = async (view: RecordView, project: ProjectRecord, known: Known): Promise<Lab> => {
  const { gone = { nodes: [], links: [] } } = known;
  const nodes = new Map<string, LabNode>();
  const { project_id } = project;
  for (const record of view.ofProject('node', project_id)) nodes.set(record.node_id, nodeOf(record, known, false));
  for (const record of gone.nodes)
    if (!nodes.has(record.node_id)) nodes.set(record.node_id, nodeOf(record, known, true));
  const links = new Map<string, LabLink[]>();
  for (const record of view.ofProject('link', project_id)) add(links, await linkOf(record, false));
  for (const record of gone.links)
    if (view.get('link', record.link_id) === undefined) add(links, await linkOf(record, true));
  return { project, nodes, links, owners: ownersIn(nodes.values()), isSteady: known.isSteady === true };
};

const add = (links: Map<string, LabLink[]>, link: LabLink): void => {
  for (const end of link.record.nodes) {
    const key = placeKey(end);
    links.set(key, [...(links.get(key) ?? []), link]);
  }
};

const nodeOf = (record: NodeRecord, { kinds, tables, answers }: Known, isGone: boolean): LabNode => {
  const told = tables.get(record.node_id) ?? null;
  const kind = kinds.get(record.kind);
  const ports = portsOf(kinds, record);
  const known = told === null ? byRecord(record, kinds).forwarding : forwardingOf(record, kinds, told);
  const said = known === null ? answers?.get(record.node_id) : undefined;
  const heard = said === undefined ? null : heardOf(said, ports);
  return {
    record,
    ports,
    forwarding: known ?? heard,
    ...(heard === null || said === undefined ? {} : { heard: { at: said.at, routes: said.routes !== null } }),
    leadsOut: kind?.capabilities.leads_out === true,
    tables: told,
    isGone,
  };
};

const byRecord = memo((record: NodeRecord, kinds: Kinds) => ({ forwarding: forwardingOf(record, kinds, null) }));

const linkOf = async (record: LinkRecord, isGone: boolean): Promise<LabLink> => ({
  record,
  isGone,
  suspend: inWeather(record).suspend,
  filters: await filtersOf(record),
});

const filtersOf = memo(async (record: LinkRecord): Promise<readonly [CableFilters, CableFilters]> => {
  const { filters, one_way } = await toCableFilters(inWeather(record).filters).catch(() =>
    toCableFilters(withoutPrograms(record)),
  );
  return [
    { ...filters, ...one_way?.[0] },
    { ...filters, ...one_way?.[1] },
  ];
});

/** Where there is no compiler for expressions: a record of another machine. */
const withoutPrograms = (record: LinkRecord): LinkRecord['filters'] =>
  Object.fromEntries(Object.entries(inWeather(record).filters).filter(([name]) => partsOf(name)[0] !== 'bpf'));

const ownersIn = (nodes: Iterable<LabNode>): Map<string, Owner[]> => {
  const owners = new Map<string, Owner[]>();
  for (const { record, forwarding, isGone } of nodes) {
    if (forwarding?.by !== 'addresses' || isGone) continue;
    for (const one of forwarding.interfaces) {
      const { adapter_number, port_number, mac } = one;
      const place = { node_id: record.node_id, adapter_number, port_number };
      for (const text of new Set([...one.addresses, ...(one.wanted ?? [])])) {
        const address = parseAddress(text);
        if (address === null) continue;
        const key = addressKey(address);
        const has = one.addresses.includes(text) ? ({ has: true } as const) : {};
        owners.set(key, [...(owners.get(key) ?? []), { place, address, mac, ...has }]);
      }
    }
  }
  return owners;
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
