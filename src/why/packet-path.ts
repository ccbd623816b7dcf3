import type { Steps } from '../common/slices.ts';
import { parseMac } from '../fabric/codecs/mac-address.ts';
import { type Address, isLinkLocal, withPrefix } from './address.ts';
import type { Hop, Obstacle, Place, PacketPath } from './contract.ts';
import { probeOf, type Sides } from './frames.ts';
import { isAt, isUnsure, type Lab, type LabNode, linkedPorts, nodeAt, type Owner, portName } from './lab.ts';
import { findLoop } from './loops.ts';
import { addressed, addressesOf, nextHopOf, ownersOf, pairOf } from './routing.ts';
import { findSegment, type Segment, stateOf } from './segment.ts';

/** Ids of two nodes, and the destination address if that is asked for. */
export interface Question {
  from: string;
  to: string | null;
  address: Address | null;
  size: number;
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
  const { size } = question;
  const { source, destination } = pairFor(lab, from, to, question.address);
  yield* followPacket(lab, { from, to, source, destination, isReply: false, size }, request);
  request.obstacles.push(...missingAddress(lab, from), ...missingAddress(lab, to));
  if (to !== null)
    yield* followPacket(
      lab,
      { from: to, to: from, source: destination, destination: source, isReply: true, size },
      reply,
    );
  const obstacles = distinct([...closedProject(lab), ...request.obstacles, ...reply.obstacles]);
  const isUnsure = to === null || [...request.hops, ...reply.hops].some(({ unknown }) => unknown);
  return {
    request,
    reply,
    between: { source, destination },
    obstacles,
    reaches: obstacles.length > 0 ? false : isUnsure ? null : true,
  };
}

/** Addresses with which two nodes communicate. Without them (null), a frame is followed on its own. */
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
  return (to === null ? null : pairOf(from, to)) ?? { source: null, destination: null };
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
}

/** Most routers on a path. */
const MOST_ROUTERS = 32;
/** Locally administered address in place of one that is not known. */
const SOME_MAC = 0x020000000001;

/** Follows a packet from node to node over the links between them, and adds hops, obstacles and notes to `way`. */
function* followPacket(lab: Lab, journey: Packet, way: PacketPath): Steps<void> {
  const { from, to, destination } = journey;
  way.hops.push(firstHop(from));
  way.obstacles.push(...stateOf(from));
  if (destination === null) {
    yield* flood(lab, journey, way, from);
    return;
  }
  let at = from;
  for (let n = 0; n < MOST_ROUTERS; n++) {
    const next = yield* step(lab, journey, way, at);
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
function* step(lab: Lab, journey: Packet, way: PacketPath, at: LabNode): Steps<LabNode | null> {
  const { to, destination } = journey;
  if (destination === null) return null;
  if (addressed(at) === null) return yield* flood(lab, journey, way, at);
  const next = nextHopOf(at, destination);
  if (next === null) {
    // A system whose console has not shown its routes may have one.
    if (at.heard?.routes !== false) way.obstacles.push(noRoute(at, journey, lab));
    return yield* flood(lab, journey, way, at);
  }
  const owners = ownersOf(lab, next.address);
  const hops = [next.own, next.address] as const;
  const sides = { macs: [parseMac(next.mac ?? '') ?? SOME_MAC, macOf(owners)] as const, hops };
  const probe = probeOf({ ...journey, ...sides });
  const isOwner = (place: Place): boolean => owners.some((one) => isAt(one.place, place));
  const isTo = (node: LabNode): boolean => node === to;
  const isEnd = (place: Place, node: LabNode): boolean =>
    isOwner(place) && (next.isRouter || to === null || isTo(node)) ? true : owners.length === 0 && mayHave(node, to);
  const segment = yield* findSegment(lab, next.out, isEnd, probe);
  const loop = yield* findLoop(lab, next.out, probe);
  if (loop !== null) way.obstacles.push(loop);
  if (owners.length === 0) way.obstacles.push(...noOwner(at, next, segment, lab));
  if (segment === null) return noPath(lab, journey, way, next.out);
  follow(lab, way, next.out, segment);
  way.obstacles.push(...(yield* duplicates(lab, owners, segment)));
  const end = nodeAt(lab, segment.end.node_id);
  if (end === to || to === null) return end === to ? end : (addressed(end)?.forwards ?? false) ? end : null;
  if (addressed(end) === null) return yield* flood(lab, journey, way, end);
  if (addressed(end)?.forwards === true) return end;
  way.obstacles.push({
    code: 'no_forwarding',
    key: `no_forwarding:${end.record.node_id}`,
    sentence: `${at.record.name} sends it to ${next.address.text}, which is ${end.record.name}, and that is no router`,
    node_id: end.record.node_id,
  });
  return null;
}

const macOf = (owners: readonly Owner[]): number => parseMac(owners[0]?.mac ?? '') ?? SOME_MAC + 1;

/** Whether an unknown address may be here: a real system, or a node that leads out of the lab, may have any. */
const mayHave = (node: LabNode, to: LabNode | null): boolean => node.leadsOut || (isUnsure(node) && to === null);

const follow = (lab: Lab, way: PacketPath, out: Place, { hops, obstacles, notes }: Segment): void => {
  const last = way.hops.at(-1);
  if (last !== undefined) last.out = portName(lab, out);
  way.hops.push(...hops);
  way.obstacles.push(...obstacles);
  way.notes.push(...notes);
};

const NOBODY = 'an address that no node of the lab has';

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

const noOwner = (
  { record }: LabNode,
  { address, isRouter }: { address: Address; isRouter: boolean },
  segment: Segment | null,
  lab: Lab,
): Obstacle[] => {
  const end = segment === null ? undefined : lab.nodes.get(segment.end.node_id);
  // The address may be outside of the lab.
  if (end?.leadsOut === true || (end !== undefined && isUnsure(end))) return [];
  const what = isRouter ? `its gateway ${address.text}` : address.text;
  const code = isRouter ? 'no_gateway' : 'no_address';
  return [
    {
      code,
      key: `${code}:${record.node_id}:${address.text}`,
      node_id: record.node_id,
      sentence: `${record.name} sends to ${what}, ${NOBODY}`,
    },
  ];
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
  const segment = yield* findSegment(lab, from, (place) => isAt(place, to), probe);
  return segment?.obstacles.every(({ code }) => lab.isSteady && code.startsWith('node_')) === true;
}

const NO_SIDES: Sides = {
  macs: [SOME_MAC, SOME_MAC + 1],
  source: null,
  destination: null,
  hops: [null, null],
  isReply: false,
  size: 0,
};

/** Adds the obstacle that no links lead to the destination. */
const noPath = (lab: Lab, { to, destination }: Packet, way: PacketPath, out: Place): null => {
  const { record } = nodeAt(lab, out.node_id);
  const whom = to?.record.name ?? destination?.text ?? '';
  const hasLink = linkedPorts(lab, out.node_id)(out);
  const code = hasLink ? 'no_path' : 'no_link';
  const sentence = hasLink
    ? `no cables lead from ${record.name} ${portName(lab, out)} to ${whom}`
    : `${record.name} ${portName(lab, out)} has no link`;
  const about = { code, key: `${code}:${record.node_id}`, sentence, node_id: record.node_id } as const;
  // A missing address or gateway already explains why nothing is found.
  if (!way.obstacles.some((one) => one.code === 'no_address' || one.code === 'no_gateway') || !hasLink)
    way.obstacles.push(about);
  return null;
};

/** Follows a frame by any port, as the addresses are not known or there is no route. */
function* flood(lab: Lab, journey: Packet, way: PacketPath, at: LabNode): Steps<LabNode | null> {
  const { to } = journey;
  if (to === null) return null;
  const probe = probeOf({ ...NO_SIDES, ...journey, macs: NO_SIDES.macs, hops: NO_SIDES.hops });
  let found: { out: Place; segment: Segment } | undefined;
  for (const { adapter_number, port_number } of at.ports) {
    const out = { node_id: at.record.node_id, adapter_number, port_number };
    const segment = yield* findSegment(lab, out, (_, node) => node === to, probe);
    if (segment !== null && (found === undefined || weight(segment) < weight(found.segment))) found = { out, segment };
  }
  if (found !== undefined) {
    follow(lab, way, found.out, found.segment);
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
  return noPath(lab, journey, way, { node_id: at.record.node_id, adapter_number, port_number });
}

const weight = ({ obstacles, hops }: Segment): number => obstacles.length * 1000 + hops.length;
