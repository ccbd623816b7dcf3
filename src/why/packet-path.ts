import type { Steps } from '../common/slices.ts';
import { parseMac } from '../fabric/codecs/mac-address.ts';
import { type Address, isLinkLocal, withPrefix } from './address.ts';
import type { Hop, Obstacle, Place, PacketPath } from './contract.ts';
import { DEFAULT_MTU, type Probe, probeOf, type Sides, type WantedPort } from './frames.ts';
import { isAt, isUnsure, type Lab, type LabNode, linkedPorts, nodeAt, type Owner, portName } from './lab.ts';
import { PATIENCE_MS, type Wait } from './link.ts';
import { findLoop } from './loops.ts';
import { addressed, addressesOf, type NextHop, nextHopOf, ownersOf, pairOf } from './routing.ts';
import { findSegment, type Segment, stateOf } from './segment.ts';

/** Ids of two nodes, and the destination address if that is asked for. */
export interface Question {
  from: string;
  to: string | null;
  address: Address | null;
  size: number;
  /** null: a ping is asked for. */
  port: WantedPort | null;
}

export interface Analysis {
  request: PacketPath;
  reply: PacketPath;
  /** Obstacles of both directions, each once, in the order of the paths. */
  obstacles: Obstacle[];
  /** Addresses of the request; null if not known. */
  between: Record<'source' | 'destination', Address | null>;
  /** null if a node on the path is not known. */
  reaches: boolean | null;
}

export const emptyPath = (): PacketPath => ({ hops: [], obstacles: [], notes: [] });

/** Follows a packet and its answer; adds hops and obstacles to `request` and `reply` on the way. */
export function* analyse(
  lab: Lab,
  question: Question,
  { request, reply } = { request: emptyPath(), reply: emptyPath() },
): Steps<Analysis> {
  const from = nodeAt(lab, question.from);
  const to = question.to === null ? null : nodeAt(lab, question.to);
  const { size, port } = question;
  const { source, destination } = pairFor(lab, from, to, question.address);
  const both = { size, port, waits: [] as Wait[] };
  yield* followPacket(lab, { ...both, from, to, source, destination, isReply: false, way: request });
  request.obstacles.push(...missingAddress(lab, from), ...missingAddress(lab, to), ...noFamily(from, to));
  if (to !== null)
    yield* followPacket(lab, {
      ...both,
      from: to,
      to: from,
      source: destination,
      destination: source,
      isReply: true,
      way: reply,
    });
  reply.obstacles.push(...tooSlow(both.waits));
  const obstacles = distinct([...closedProject(lab), ...request.obstacles, ...reply.obstacles]);
  // Nobody knows here who listens at a port.
  const isSure =
    obstacles.length === 0 &&
    to !== null &&
    port === null &&
    [...request.hops, ...reply.hops].every((hop) => !hop.unknown);
  return {
    request,
    reply,
    between: { source, destination },
    obstacles: [...obstacles.filter(({ maybe }) => maybe !== true), ...obstacles.filter(({ maybe }) => maybe === true)],
    reaches: obstacles.some(({ maybe }) => maybe !== true) ? false : isSure ? true : null,
  };
}

/** Obstacle of two nodes with addresses of different families alone. */
const noFamily = (from: LabNode, to: LabNode | null): Obstacle[] => {
  const families = [from, to].map((node) => new Set(node === null ? [] : addressesOf(node, true).map(familyOf)));
  const [own, others] = families.map((set) => [...set]);
  const isSure = [from, to].every((node) => node !== null && !isUnsure(node) && addressed(node)?.isKnown === true);
  if (!isSure || own?.length !== 1 || others?.length !== 1 || own[0] === others[0]) return [];
  const [{ node_id, name }, other] = [from.record, to?.record.name ?? ''];
  const sentence = `${name} has only addresses of IPv${own[0]}, and ${other} of IPv${others[0]}`;
  return [{ code: 'no_address', key: `no_address:${node_id}:family`, sentence, node_id }];
};

const familyOf = ({ address: { family } }: { address: Address }): number => family;

/** Obstacle of links that together hold the packet and its answer back for longer than a ping waits; the slowest one is named. */
const tooSlow = (waits: readonly Wait[]): Obstacle[] => {
  const sum = (of: (wait: Wait) => number): number => waits.reduce((all, wait) => all + of(wait), 0);
  const [ms, jitter] = [sum((wait) => wait.ms), sum((wait) => wait.jitter)];
  const [slowest] = waits.toSorted((a, b) => b.ms - a.ms);
  if (slowest === undefined || (ms + jitter) * (1 + TOLERANCE) < PATIENCE_MS) return [];
  const { obstacle } = slowest;
  const sentence = `${obstacle.sentence}; there and back takes ${Math.round(ms)} ms, and a ping waits for ${PATIENCE_MS}`;
  return [{ ...obstacle, sentence, ...((ms - jitter) * (1 - TOLERANCE) < PATIENCE_MS ? { maybe: true } : {}) }];
};

/** Share by which a machine may be slower than its filters. */
const TOLERANCE = 0.05;

/** Addresses with which two nodes communicate; null for the one that is not known. Without any, a frame is followed on its own. */
const pairFor = (
  lab: Lab,
  from: LabNode,
  to: LabNode | null,
  address: Address | null,
): { source: Address | null; destination: Address | null } => {
  if (address !== null) {
    const owner = ownersOf(lab, address).find(({ place }) => place.node_id === to?.record.node_id);
    const pair = owner === undefined || to === null ? null : pairOf(from, to);
    const source = pair?.source.family === address.family ? pair.source : null;
    return { source: source ?? anyAddress(from, address), destination: address };
  }
  const pair = to === null ? null : pairOf(from, to);
  if (pair !== null) return pair;
  const only = (node: LabNode | null, other: LabNode | null): Address | null =>
    node === null || other === null || !isUnsure(other)
      ? null
      : (addressesOf(node)
          .map(({ address }) => address)
          .find((one) => !isLinkLocal(one)) ?? null);
  return { source: only(from, to), destination: only(to, from) };
};

const anyAddress = (from: LabNode, like: Address): Address | null =>
  pairOf(from, { ...from, forwarding: standIn(like) })?.source ?? null;

const standIn = (address: Address): LabNode['forwarding'] => ({
  by: 'addresses',
  interfaces: [{ adapter_number: 0, port_number: 0, addresses: [address.text], mac: null, mtu: 0 }],
  routes: [],
  forwards: false,
  isKnown: true,
});

export const closedProject = ({ project }: Lab): Obstacle[] =>
  project.state === 'opened'
    ? []
    : [{ code: 'project_closed', key: 'project_closed', sentence: `the project ${project.name} is not open` }];

/** Obstacle of a node that has no address and so answers nobody: none is configured, or another node has it, or it has not got one yet. */
export const missingAddress = (lab: Lab, node: LabNode | null): Obstacle[] => {
  const own = node === null ? null : addressed(node);
  if (node === null || own?.isKnown !== true || own.interfaces.some((one) => one.addresses.length > 0)) return [];
  const { node_id, name } = node.record;
  const wanted = addressesOf(node, true).map(({ address }) => address);
  for (const address of wanted) {
    const other = ownersOf(lab, address).find(({ place, has }) => place.node_id !== node_id && has === true);
    if (other === undefined) continue;
    const sentence = `${name} does not get ${address.text}, which ${nodeAt(lab, other.place.node_id).record.name} has`;
    return [{ code: 'duplicate_address', key: `duplicate_address:${address.text}`, sentence, node_id }];
  }
  const [first] = wanted;
  const sentence = `${name} has no address${first === undefined ? '' : `, and its text says ${first.text}`}`;
  return [{ code: 'no_address', key: `no_address:${node_id}`, sentence, node_id }];
};

const distinct = (obstacles: readonly Obstacle[]): Obstacle[] => [
  ...new Map(obstacles.map((one) => [one.key, one])).values(),
];

/** The packet that is followed. */
interface Packet {
  from: LabNode;
  /** null for an address that no node of the lab has. */
  to: LabNode | null;
  /** null if not known: a frame is followed on its own. */
  source: Address | null;
  destination: Address | null;
  isReply: boolean;
  size: number;
  port: WantedPort | null;
  /** Links that hold it back, or its answer. */
  waits: Wait[];
  /** Result. */
  way: PacketPath;
}

/** Most routers on a path. */
const MOST_ROUTERS = 32;
/** Locally administered address in place of one that is not known. */
const SOME_MAC = 0x020000000001;

/** Follows a packet from node to node over the links between them, and adds hops, obstacles and notes to its way. */
function* followPacket(lab: Lab, journey: Packet): Steps<void> {
  const { from, to, destination, way } = journey;
  way.hops.push(firstHop(from));
  way.obstacles.push(...stateOf(from));
  if (destination === null) {
    yield* flood(lab, journey, from);
    return;
  }
  let at = from;
  for (let n = 0; n < MOST_ROUTERS; n++) {
    const next = yield* step(lab, journey, at);
    if (next === null || next === to) return;
    at = next;
  }
  way.obstacles.push({
    code: 'no_route',
    key: `no_route:${at.record.node_id}:round`,
    sentence: `routers send the packet round in a circle, past ${at.record.name}`,
    node_id: at.record.node_id,
  });
}

const firstHop = (node: LabNode): Hop => ({
  node_id: node.record.node_id,
  name: node.record.name,
  link_id: null,
  in: null,
  out: null,
  vlan: null,
  unknown: isUnsure(node),
});

/** Follows one hop of the packet; returns the next node, null where it ends. */
function* step(lab: Lab, journey: Packet, at: LabNode): Steps<LabNode | null> {
  const { to, destination, way } = journey;
  if (destination === null) return null;
  const next = nextHopOf(at, destination);
  if (isUnsure(at)) return yield* guess(lab, journey, { at, next });
  if (next === null) {
    way.obstacles.push(noRoute(at, journey, lab));
    return yield* flood(lab, journey, at);
  }
  const owners = ownersOf(lab, next.address);
  const probe = probeTo(lab, journey, { next, owners, at });
  const isEnd = (place: Place, node: LabNode): boolean =>
    owners.length === 0
      ? node === to
      : owners.some((one) => isAt(one.place, place)) && (next.isRouter || to === null || node === to);
  const loop = yield* findLoop(lab, next.out, probe);
  if (loop !== null) way.obstacles.push(loop);
  const segment =
    owners.length === 0
      ? yield* toNobody(lab, journey, { at, next, probe, isEnd })
      : yield* findSegment(lab, next.out, isEnd, { probe, destination });
  if (segment === null) return yield* noPath(lab, journey, { out: next.out, next, probe });
  follow(lab, journey, next.out, segment);
  way.obstacles.push(...(yield* duplicates(lab, owners, segment)));
  const end = nodeAt(lab, segment.end.node_id);
  if (end === to) return end;
  if (to === null) return (addressed(end)?.forwards ?? false) ? end : null;
  if (isUnsure(end) || addressed(end)?.forwards === true) return end;
  way.obstacles.push({
    code: 'no_forwarding',
    key: `no_forwarding:${end.record.node_id}`,
    sentence: `${at.record.name} sends it to ${next.address.text}, which is ${end.record.name}, and that is no router`,
    node_id: end.record.node_id,
  });
  return null;
}

const probeTo = (
  lab: Lab,
  journey: Packet,
  { at, next, owners }: { at: LabNode; next: NextHop; owners: readonly Owner[] },
): Probe => {
  const mtu = addressed(at)?.interfaces.find((one) => isAt({ ...one, node_id: at.record.node_id }, next.out))?.mtu;
  const macs = [parseMac(next.mac ?? '') ?? SOME_MAC, macOf(owners)] as const;
  const other = owners[0] === undefined ? undefined : lab.nodes.get(owners[0].place.node_id);
  const knows = [hasNeighbour(at, next.address), other !== undefined && hasNeighbour(other, next.own)] as const;
  return probeOf({ ...journey, macs, hops: [next.own, next.address], mtu: mtu ?? DEFAULT_MTU, knows });
};

/** Whether a running node has an address in its table of neighbours. */
const hasNeighbour = ({ tables }: LabNode, { text }: Address): boolean =>
  tables?.neighbours?.some(({ address }) => address === text) === true;

interface Unowned {
  at: LabNode;
  next: NextHop;
  probe: Probe;
  isEnd: (place: Place, node: LabNode) => boolean;
}

/** Path of a frame to an address that no node of the lab is known to have: one whose inside is not known may have it. */
function* toNobody(
  lab: Lab,
  { to, destination, way }: Packet,
  { at, next, probe, isEnd }: Unowned,
): Steps<Segment | null> {
  const isOpen = (node: LabNode): boolean => node.leadsOut || isUnsure(node);
  const open = yield* findSegment(lab, next.out, (_, node) => isOpen(node), { probe });
  if (open === null) {
    way.obstacles.push(noOwner(at, next, NOBODY));
    return null;
  }
  const { record, ...other } = nodeAt(lab, open.end.node_id);
  // A node of which addresses are known has others than this one.
  if (addressesOf({ record, ...other }).length > 0)
    way.obstacles.push({ ...noOwner(at, next, NOBODY_KNOWN), maybe: true });
  else way.notes.push(`${record.name} may have ${next.address.text}, which no node is known to have`);
  if (to === null) return open;
  return (yield* findSegment(lab, next.out, isEnd, { probe, destination })) ?? outside(lab, open);
}

/** The path, if it ends at a node that leads out of the lab. */
const outside = (lab: Lab, segment: Segment | null): Segment | null =>
  segment !== null && nodeAt(lab, segment.end.node_id).leadsOut ? segment : null;

/** Follows the packet from a node whose inside is not known, by any port; what is known of it comes first. */
function* guess(lab: Lab, journey: Packet, { at, next }: { at: LabNode; next: NextHop | null }): Steps<LabNode | null> {
  if (next === null && at.heard?.routes === true)
    journey.way.obstacles.push({ ...noRoute(at, journey, lab), maybe: true });
  if (at.leadsOut || journey.to === null) return null;
  return yield* flood(lab, journey, at, next?.out);
}

const macOf = (owners: readonly Owner[]): number => parseMac(owners[0]?.mac ?? '') ?? SOME_MAC + 1;

const follow = (
  lab: Lab,
  { waits, way }: Packet,
  out: Place,
  { hops, obstacles, notes, waits: held }: Segment,
): void => {
  waits.push(...held);
  const last = way.hops.at(-1);
  if (last !== undefined) last.out = portName(lab, out);
  way.hops.push(...hops);
  way.obstacles.push(...obstacles);
  way.notes.push(...notes);
};

const NOBODY = 'an address that no node of the lab has';
const NOBODY_KNOWN = 'an address that no node of the lab is known to have';

const noRoute = ({ record, ...at }: LabNode, { to, destination }: Packet, lab: Lab): Obstacle => {
  const isOwned = destination === null || ownersOf(lab, destination).length > 0;
  const own = addressesOf({ record, ...at }).filter(({ address }) => !isLinkLocal(address));
  const whom = `${destination?.text ?? ''}${to === null ? '' : ` of ${to.record.name}`}`;
  const has = own.map(({ address }) => withPrefix(address)).join(', ');
  const sentence =
    own.length === 0
      ? `${record.name} has no address`
      : `${record.name} (${has}) has no route to ${whom}, ${isOwned ? 'which is in another network' : NOBODY}`;
  const code = own.length === 0 ? 'no_address' : 'no_route';
  const key =
    code === 'no_address' ? `${code}:${record.node_id}` : `${code}:${record.node_id}:${to?.record.node_id ?? whom}`;
  return { code, key, sentence, node_id: record.node_id };
};

const noOwner = ({ record: { node_id, name } }: LabNode, { address, isRouter }: NextHop, nobody: string): Obstacle => {
  const what = isRouter ? `its gateway ${address.text}` : address.text;
  const code = isRouter ? 'no_gateway' : 'no_address';
  const sentence = `${name} sends to ${what}, ${nobody}`;
  return { code, key: `${code}:${node_id}:${address.text}`, node_id, sentence };
};

/** Duplicate address: two nodes of one segment have it. */
function* duplicates(lab: Lab, owners: readonly Owner[], { end }: Segment): Steps<Obstacle[]> {
  // A node that has the address keeps it, though another wants it: duplicate address detection.
  const isOwn = owners.some(({ place, has }) => place.node_id === end.node_id && has === true);
  const rivals = owners.filter(({ place, has }) => place.node_id !== end.node_id && (has === true || !isOwn));
  const others: Owner[] = [];
  for (const rival of rivals) if (yield* isOn(lab, rival.place, end)) others.push(rival);
  const [other] = others;
  if (other === undefined) return [];
  const names = [end.node_id, ...others.map(({ place }) => place.node_id)].map((id) => nodeAt(lab, id).record.name);
  const { text } = other.address;
  return [
    {
      // One of them may answer.
      maybe: true,
      code: 'duplicate_address',
      key: `duplicate_address:${text}`,
      node_id: other.place.node_id,
      sentence: `${names.sort().join(' and ')} both have ${text}`,
    },
  ];
}

/** Whether broadcasts from one port reach another, given the obstacles. */
function* isOn(lab: Lab, from: Place, to: Place): Steps<boolean> {
  if (!lab.isSteady && stateOf(nodeAt(lab, from.node_id)).length > 0) return false;
  const probe = probeOf(NO_SIDES);
  const segment = yield* findSegment(lab, from, (place) => isAt(place, to), { probe });
  if (segment === null || segment.hops.slice(0, -1).some(({ unknown }) => unknown)) return false;
  return segment.obstacles.every(({ code }) => lab.isSteady && code.startsWith('node_'));
}

const NO_SIDES: Sides = {
  macs: [SOME_MAC, SOME_MAC + 1],
  source: null,
  destination: null,
  hops: [null, null],
  isReply: false,
  size: 0,
  port: null,
  mtu: DEFAULT_MTU,
  knows: [false, false],
};

interface Lost {
  out: Place;
  next?: NextHop;
  probe: Probe;
}

/** Adds the obstacle that no links lead to the destination, or that only routers do, to which it is not sent. */
function* noPath(lab: Lab, journey: Packet, { out, next, probe }: Lost): Steps<null> {
  const { to, destination, way } = journey;
  const { record } = nodeAt(lab, out.node_id);
  const whom = to?.record.name ?? destination?.text ?? '';
  const isTo = (_: Place, node: LabNode): boolean => node === to;
  const loose = yield* findSegment(lab, out, isTo, { probe, isLoose: true, destination });
  const hasLink = linkedPorts(lab, out.node_id)(out);
  const code = hasLink ? 'no_path' : 'no_link';
  const isNear = loose !== null && next?.isRouter === false;
  const sentence = isNear
    ? `${record.name} (${withPrefix(next.own)}) takes ${next.address.text} for a neighbour, and only routers lead there`
    : hasLink
      ? `no cables lead from ${record.name} ${portName(lab, out)} to ${whom}`
      : `${record.name} ${portName(lab, out)} has no link`;
  const about: Obstacle = { code, key: `${code}:${record.node_id}`, sentence, node_id: record.node_id };
  const isOutside =
    (yield* leadsOutside(lab, record.node_id)) && (to === null || (yield* leadsOutside(lab, to.record.node_id)));
  // A missing address or gateway already explains why nothing is found.
  if (!way.obstacles.some((one) => one.code === 'no_address' || one.code === 'no_gateway') || !hasLink)
    way.obstacles.push(isOutside ? { ...about, maybe: true } : about);
  if (isNear) follow(lab, { ...journey, waits: [] }, out, { ...loose, obstacles: [], notes: [] });
  return null;
}

/** Whether links lead from a node to one that leads out of the lab. */
function* leadsOutside(lab: Lab, node_id: string): Steps<boolean> {
  for (const { adapter_number, port_number } of nodeAt(lab, node_id).ports) {
    const out = { node_id, adapter_number, port_number };
    const isOut = (_: Place, node: LabNode): boolean => node.leadsOut;
    if ((yield* findSegment(lab, out, isOut, { probe: probeOf(NO_SIDES), isLoose: true })) !== null) return true;
  }
  return false;
}

/** Follows a frame by any port, as the addresses are not known or there is no route. `first`: the port that is tried first. */
function* flood(lab: Lab, journey: Packet, at: LabNode, first?: Place): Steps<LabNode | null> {
  const { to, destination, way } = journey;
  if (to === null) return null;
  const probe = probeOf({ ...NO_SIDES, ...journey, hops: NO_SIDES.hops });
  const isLoose = isUnsure(at) || (destination === null && isUnsure(to));
  let found: { out: Place; segment: Segment; cost: number } | undefined;
  for (const { adapter_number, port_number } of at.ports) {
    const out = { node_id: at.record.node_id, adapter_number, port_number };
    const segment = yield* findSegment(lab, out, (_, node) => node === to, { probe, isLoose, destination });
    const cost = (segment?.cost ?? Infinity) + (first === undefined || isAt(first, out) ? 0 : OTHER_PORT);
    if (segment !== null && (found === undefined || cost < found.cost)) found = { out, segment, cost };
  }
  if (found !== undefined) {
    follow(lab, journey, found.out, found.segment);
    const loop = yield* findLoop(lab, found.out, probe);
    if (loop !== null) way.obstacles.push(loop);
    return to;
  }
  // No route, or no address, already explains it.
  if (way.obstacles.some(({ code }) => code === 'no_route' || code === 'no_address')) return null;
  const [port] = at.ports;
  if (port === undefined) return null;
  const linked = at.ports.find(linkedPorts(lab, at.record.node_id));
  const { adapter_number, port_number } = linked ?? port;
  return yield* noPath(lab, journey, { out: { node_id: at.record.node_id, adapter_number, port_number }, probe });
}

/** Cost of a port by which the known routes do not lead: more than the way, less than an obstacle. */
const OTHER_PORT = 200;
