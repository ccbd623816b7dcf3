import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net';
import { suggestionText } from '../../common/forms/suggestions.ts';
import type { Steps } from '../../common/slices.ts';
import type { AddressRoute, Forwarding, Properties } from '../../emulators/kit/contract.ts';
import { startUpOf } from '../../emulators/kit/text-files.ts';
import { forwardingOf } from '../../emulators/recorded-node.ts';
import type { LabPath, PlaceOf } from '../../files/lab/model.ts';
import { sentenceAt } from '../../files/lab/problems.ts';
import type { NodeRecord, RecordView } from '../../projections/records.ts';
import { portKey } from '../port/port-key.ts';
import type { Given } from './steps.ts';
import type { Target } from './targets.ts';

/**
 * Likely mistakes of a lab that can be made all the same. They are looked for in its records as they will be. What is not known (the inside of a
 * container, an address by DHCP) is not told.
 */

/** Sentences at most. */
const MOST_TOLD = 20;
/** Ports that are passed at most in search of networks with an address twice. */
const MOST_PASSED = 200_000;

interface Mistake {
  path: LabPath;
  what: string;
}

interface Node {
  target: Target;
  record: NodeRecord;
  /** null: not known. */
  forwarding: Forwarding | null;
}

export interface Linted {
  given: Given;
  /** The lab as it will be. */
  view: RecordView;
  /** With all that the text says. */
  targets: readonly Target[];
  placeOf: PlaceOf;
}

/** `all`: also what a lab that is still being built has for a while. */
export function* mistakesIn(lab: Linted, all: boolean): Steps<string[]> {
  const nodes = new Map<string, Node>();
  const found: Mistake[] = [];
  const before = new Set(lab.given.nodes.map(({ name }) => name));
  for (const target of lab.targets) {
    const record = lab.view.get('node', target.id);
    if (record === undefined) continue;
    const node = { target, record, forwarding: forwardingAfter(lab, target, record) };
    nodes.set(target.id, node);
    const isUnlinked = all && lab.view.linksOf(target.id).length === 0;
    if (isUnlinked) found.push({ path: ['nodes', record.name], what: 'has no link' });
    found.push(...wrongName(lab, target, before), ...wrongAddresses(node), ...wrongCommands(target));
    yield;
  }
  found.push(...(yield* duplicates(lab, nodes)));
  if (all) found.push(...wrongChecks(lab, nodes));
  const told = found
    .slice(0, MOST_TOLD)
    .map(({ path, what }) => ({ place: lab.placeOf(path), what }))
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
    .map(({ place, what }) => sentenceAt(place, what));
  return found.length > MOST_TOLD ? [...told, `and ${found.length - MOST_TOLD} more like these`] : told;
}

const forwardingAfter = ({ given }: Linted, target: Target, record: NodeRecord): Forwarding | null => {
  const ready = given.byId.targets.get(target.id);
  const said: Properties = { ...ready?.input?.properties, ...target.given };
  const texts = (target.kind.textsOnRecord ?? []).flatMap((key) =>
    typeof said[key] === 'string' ? [[key, said[key]]] : [],
  );
  const known = { ...record.texts, ...(Object.fromEntries(texts) as Record<string, string>) };
  // A new node without a text has none; of others it is not known where it is not on record.
  const isKnown = target.record === null || Object.keys(known).length > 0;
  const { texts: _, ...rest } = record;
  return forwardingOf(isKnown ? { ...rest, texts: known } : rest, given.context.kinds, null);
};

const wrongName = ({ given, targets }: Linted, { said, record }: Target, before: ReadonlySet<string>): Mistake[] => {
  const { name, was } = said;
  if (was === undefined || before.has(name)) return [];
  const wrong = targets.some((one) => one.said.name === was)
    ? 'which the text has as another node: nothing is renamed'
    : !before.has(was)
      ? `and there is no node ${was} in ${given.lab.name} to rename`
      : record === null
        ? 'which is a node of another kind: it is removed, and not renamed'
        : null;
  return wrong === null ? [] : [{ path: ['nodes', name, 'was'], what: `names ${was}, ${wrong}` }];
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

const splitOf = (text: string): { address: string; prefix: number } => {
  const [address = '', prefix] = text.split('/');
  return { address, prefix: prefix === undefined ? NaN : Number(prefix) };
};

const isRight = (text: string): boolean => {
  const { address, prefix } = splitOf(text);
  return isIP(address) !== 0 && Number.isInteger(prefix) && prefix >= 0 && prefix <= (isIPv6(address) ? 128 : 32);
};

/** Whether an address is in the network of another one. */
const isIn = (address: string, network: string): boolean => {
  const { address: own, prefix } = splitOf(network);
  if (familyOf(own) !== familyOf(address)) return false;
  const list = new BlockList();
  list.addSubnet(own, prefix, familyOf(own));
  return list.check(address, familyOf(address));
};

/** An address in the one spelling that it has in common with others. */
const plain = (address: string): string => new SocketAddress({ address, family: familyOf(address) }).address;

/** Place of an address, or of a router, in the text. */
const pathOf = ({ said, kind }: Target, key: 'address' | 'gateway', text: string): LabPath => {
  const path = ['nodes', said.name];
  const property = startUpOf(kind)?.property ?? '';
  if (said.addresses?.some((one) => one.split(' ')[key === 'address' ? 0 : 1] === text) === true) return [...path, key];
  if (said.startup !== undefined) return [...path, 'startup'];
  return Object.hasOwn(said.properties, property) ? [...path, 'properties', property] : path;
};

const ownOf = ({ forwarding }: Node): string[] =>
  forwarding?.by === 'addresses' ? forwarding.interfaces.flatMap(({ addresses }) => addresses) : [];

const wrongAddresses = (node: Node): Mistake[] => {
  const { target, forwarding } = node;
  if (forwarding?.by !== 'addresses') return [];
  const own = ownOf(node);
  const right = own.filter(isRight);
  const taken = new Set(right.map((one) => plain(splitOf(one).address)));
  const said = (target.said.addresses ?? []).map((one) => one.split(' ')[0] ?? '');
  const lost = said.filter((one) => isRight(one) && !taken.has(plain(splitOf(one).address)));
  const at = (key: 'address' | 'gateway', text: string, what: string): Mistake => ({
    path: pathOf(target, key, text),
    what,
  });
  return [
    ...own.filter((one) => !isRight(one)).map((one) => at('address', one, `has ${one}, which is no address`)),
    ...right.flatMap((one) => hostless(one).map((what) => at('address', one, `has ${one}, which is ${what}`))),
    ...lost.map((one) => at('address', one, `has ${one}, which is not taken: another one takes its place`)),
    ...forwarding.routes.flatMap((route) => offNet(route, right).map((what) => at('gateway', route.via, what))),
  ];
};

/** Names the special address (network, broadcast) that a node was given by mistake. */
const hostless = (text: string): string[] => {
  const { address, prefix } = splitOf(text);
  if (isIPv6(address) || prefix > 30) return [];
  const size = 2 ** (32 - prefix);
  const host = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) % size;
  return host === 0 ? ['the network itself'] : host === size - 1 ? ['the broadcast address of its network'] : [];
};

const LINK_LOCAL = 'fe80::/10';
const DEFAULTS = new Set(['0.0.0.0/0', '::/0']);

const offNet = ({ to, via }: AddressRoute, own: readonly string[]): string[] => {
  if (isIP(via) === 0) return [`has ${via} as a router, which is no address`];
  const like = own.filter((one) => familyOf(splitOf(one).address) === familyOf(via));
  if (like.length === 0 || isIn(via, LINK_LOCAL)) return [];
  const way = DEFAULTS.has(to) ? via : `${via}, the router for ${to},`;
  if (like.some((one) => plain(splitOf(one).address) === plain(via)))
    return [`has ${via} as its router, which it is itself`];
  return like.some((one) => isIn(via, one)) ? [] : [`${way} is in none of its networks: it has ${like.join(', ')}`];
};

/** Commands of start-up texts that their consoles do not know. */
const wrongCommands = ({ said, kind }: Target): Mistake[] => {
  const { startUpCommands: known } = kind;
  const property = startUpOf(kind)?.property ?? '';
  const given = said.properties[property];
  const text = said.startup ?? (typeof given === 'string' ? given : '');
  if (known === undefined || text === '') return [];
  const path = ['nodes', said.name, ...(said.startup === undefined ? ['properties', property] : ['startup'])];
  return text.split(/\r\n|\r|\n/).flatMap((line, i) => {
    const [word = ''] = line.trim().split(/\s+/);
    if (!/^[a-z]/i.test(word) || known.includes(word)) return [];
    const meant = known.filter((one) => one.startsWith(word));
    if (meant.length === 1) return [];
    const what = meant.length > 1 ? `may be ${meant.join(', ')}` : `is no command${suggestionText(word, known)}`;
    return [{ path, what: `has ${word} in its line ${i + 1}, which ${what}` }];
  });
};

interface Place {
  node_id: string;
  adapter_number: number;
  port_number: number;
}
const keyOf = (place: Place): string => `${place.node_id}/${portKey(place)}`;

interface Owner {
  node: Node;
  place: Place;
  text: string;
}

/** Addresses that two nodes of one network have. */
function* duplicates(lab: Linted, nodes: ReadonlyMap<string, Node>): Steps<Mistake[]> {
  const owners = new Map<string, Owner[]>();
  for (const node of nodes.values())
    for (const { addresses, adapter_number, port_number } of interfacesOf(node))
      for (const text of addresses.filter(isRight)) {
        const key = plain(splitOf(text).address);
        const place = { node_id: node.record.node_id, adapter_number, port_number };
        const known = owners.get(key);
        if (known === undefined) owners.set(key, [{ node, place, text }]);
        else known.push({ node, place, text });
      }
  const network = new Network(lab, nodes);
  const found: Mistake[] = [];
  for (const [address, all] of owners) {
    for (let left = all; left.length > 1 && !network.isTired;) {
      const [first, ...others] = left as [Owner, ...Owner[]];
      const reached = yield* network.reached(first.place);
      left = others.filter(({ place }) => !reached.has(keyOf(place)));
      const same = others.filter(({ place }) => reached.has(keyOf(place)));
      const what = `has ${address}, which ${first.node.record.name} has too, on the same network`;
      found.push(...same.map(({ node, text }) => ({ path: pathOf(node.target, 'address', text), what })));
    }
    yield;
  }
  const tired = 'is too large to look everywhere for addresses that are there twice';
  return network.isTired ? [...found, { path: ['nodes'], what: tired }] : found;
}

const interfacesOf = ({ forwarding }: Node) => (forwarding?.by === 'addresses' ? forwarding.interfaces : []);

/** To all, without a tag: a question for an address. */
const QUESTION = Uint8Array.from({ length: 60 }, (_, i) =>
  i < 6 ? 0xff : ([0x02, 0, 0, 0, 0, 1, 0x08, 0x06][i - 6] ?? 0),
);
/** Octets of type and tags. */
const TYPE = { from: 12, to: 24 };
const typeOf = (frame: Uint8Array): string => Buffer.from(frame.subarray(TYPE.from, TYPE.to)).toString('hex');
const isPlain = (frame: Uint8Array): boolean => typeOf(frame).startsWith('0806');

/** How far a question gets, by links, hubs and switches. */
class Network {
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #ends = new Map<string, Place>();
  readonly #networks = new Map<string, ReadonlySet<string>>();
  #passed = 0;

  constructor({ view, given }: Linted, nodes: ReadonlyMap<string, Node>) {
    this.#nodes = nodes;
    for (const { nodes: ends } of view.ofProject('link', given.projectId)) {
      const [a, b] = ends;
      if (a === undefined || b === undefined) continue;
      this.#ends.set(keyOf(a), b);
      this.#ends.set(keyOf(b), a);
    }
  }

  /** It has looked at so much that it looks no more. */
  get isTired(): boolean {
    return this.#passed > MOST_PASSED;
  }

  /** Ports of its network: those at which it arrives, and the one that it leaves. */
  *reached(start: Place): Steps<ReadonlySet<string>> {
    const known = this.#networks.get(keyOf(start));
    if (known !== undefined) return known;
    const [reached, seen] = [new Set([keyOf(start)]), new Set<string>()];
    const left: (Place & { frame: Uint8Array })[] = [{ ...start, frame: QUESTION }];
    for (let out = left.pop(); out !== undefined && !this.isTired; out = left.pop()) {
      this.#passed += 1;
      const place = this.#ends.get(keyOf(out));
      const { frame } = out;
      const key = place === undefined ? '' : `${keyOf(place)} ${typeOf(frame)}`;
      if (place === undefined || seen.has(key)) continue;
      seen.add(key);
      const { node_id } = place;
      const forwarding = this.#nodes.get(node_id)?.forwarding;
      if (forwarding?.by !== 'frames') {
        if (isPlain(frame)) reached.add(keyOf(place));
        continue;
      }
      const isLinked = (port: Omit<Place, 'node_id'>): boolean => this.#ends.has(keyOf({ node_id, ...port }));
      const departures = forwarding.pass({ ...place, frame }, isLinked).filter(({ kept }) => kept === undefined);
      left.push(...departures.map((one) => ({ ...one, node_id })));
      yield;
    }
    // Each of them asks the same others.
    for (const key of reached) this.#networks.set(key, reached);
    return reached;
  }
}

/** Checks that nobody can answer, whatever happens in the lab. */
const wrongChecks = ({ given: { lab } }: Linted, nodes: ReadonlyMap<string, Node>): Mistake[] => {
  const byName = new Map([...nodes.values()].map((node) => [node.record.name, node]));
  const storms = lab.weather?.map(({ name }) => name);
  return (lab.checks ?? []).flatMap(({ reach, loss, console, state, during }, i) => {
    const { from = '', to = '' } = reach ?? loss ?? {};
    const wrong = [
      ...unasked(byName.get(from)),
      ...withoutAddress(byName.get(to)),
      ...withoutConsole(byName.get(console?.node ?? '')),
      ...(state?.is === 'suspended' ? neverSuspended(byName.get(state.node)) : []),
      ...(during === undefined || storms?.includes(during) !== false ? [] : [`there is no weather ${during}`]),
    ];
    return wrong.map((why) => ({ path: ['checks', i], what: `cannot be answered: ${why}` }));
  });
};

const withoutAddress = (node: Node | undefined): string[] => {
  const isKnown =
    node?.forwarding?.by === 'frames' || (node?.forwarding?.by === 'addresses' && node.forwarding.isKnown);
  return node !== undefined && isKnown && ownOf(node).length === 0 ? [`${node.record.name} has no address`] : [];
};
const unasked = (node: Node | undefined): string[] =>
  node?.forwarding?.by === 'frames' ? [`${node.record.name} asks nobody`] : withoutAddress(node);
const withoutConsole = (node: Node | undefined): string[] =>
  node !== undefined && [null, 'none'].includes(node.record.console_type) ? [`${node.record.name} has no console`] : [];
const neverSuspended = (node: Node | undefined): string[] =>
  node?.target.kind.capabilities.suspend === false ? [`${node.record.name} cannot be suspended`] : [];
