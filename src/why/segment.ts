import type { Steps } from '../common/slices.ts';
import type { Departure } from '../emulators/kit/contract.ts';
import { shownStatus } from '../projections/states.ts';
import type { Hop, Obstacle, Place } from './contract.ts';
import type { Address } from './address.ts';
import { type Probe, tagsOf, withTags } from './frames.ts';
import {
  isAt,
  isUnsure,
  type Lab,
  type LabLink,
  type LabNode,
  linkedPorts,
  linksAt,
  nodeAt,
  placeKey,
  portName,
} from './lab.ts';
import { effectOf, type Wait } from './link.ts';
import { addressed, nextHopOf } from './routing.ts';

/**
 * Path of a frame over links, hubs and switches, up to a port where it is accepted. Obstacles have a cost in this search (Dijkstra) and do not
 * end it: the result is the path with the fewest obstacles, and those explain why the frame does not arrive.
 */
export interface Segment {
  /** Nodes on the path, without the first one. */
  hops: Hop[];
  obstacles: Obstacle[];
  notes: string[];
  waits: Wait[];
  /** Port at which it ends. */
  end: Place;
  cost: number;
}

const COSTS = { hop: 1, unknown: 50, maybe: 400, obstacle: 1000, vlan: 1200, gone: 3000 } as const;

/** A frame that has arrived at a port. */
interface State {
  place: Place;
  frame: Uint8Array;
  cost: number;
  before: State | null;
  /** Link by which it arrived, and port by which it left the node before. */
  link: LabLink;
  out: Place;
  vlan: number | null;
  obstacles: Obstacle[];
  notes: string[];
  wait: Wait | null;
  /** It has passed a node that may do anything with it: routers pass it on as well. */
  isLoose: boolean;
}

interface Search {
  lab: Lab;
  probe: Probe;
  destination: Address | null;
  heap: Heap<State>;
}

/** How a frame is followed. */
export interface Following {
  probe: Probe;
  /** Also over routers, as the node that sends it may be one whose inside is not known. */
  isLoose?: boolean;
  /** Address by which routers pass it on then; null if not known. */
  destination?: Address | null;
}

/** Finds the best path from a port to one for which `isEnd` holds; null without any, even with obstacles. */
export function* findSegment(
  lab: Lab,
  start: Place,
  isEnd: (place: Place, node: LabNode) => boolean,
  { probe, isLoose = false, destination = null }: Following,
): Steps<Segment | null> {
  const search: Search = { lab, probe, destination, heap: new Heap() };
  leave(search, { ...start, frame: probe.packet }, { before: null, cost: COSTS.hop, isLoose });
  const seen = new Set<string>();
  for (let state = search.heap.pop(); state !== undefined; state = search.heap.pop()) {
    yield;
    const key = `${placeKey(state.place)} ${tagsOf(state.frame).join('.')} ${state.isLoose}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const node = nodeAt(lab, state.place.node_id);
    if (isEnd(state.place, node)) return segmentOf(lab, taken(lab, state));
    passOn(search, state, node);
  }
  return null;
}

/** Lets a frame leave by a port and arrive at the other end of its link. */
const leave = (
  { lab, probe, heap }: Search,
  left: Departure & Place,
  { before, cost, isLoose, met = [] }: Pick<State, 'before' | 'cost' | 'isLoose'> & { met?: Obstacle[] },
): void => {
  const out: Place = left;
  for (const link of linksAt(lab, out)) {
    const [a, b] = link.record.nodes;
    if (a === undefined || b === undefined) continue;
    const isForth = isAt(a, out);
    const place = isForth ? b : a;
    const node = lab.nodes.get(place.node_id);
    if (node === undefined) continue;
    const tags = tagsOf(left.frame);
    const way = isForth ? 0 : 1;
    const tagged = (frames: readonly Uint8Array[]): Uint8Array[] => frames.map((one) => withTags(one, tags));
    const effect = effectOf(lab, link, way, [left.frame, ...tagged(probe.others)]);
    const { note, wait = null } = effect;
    const obstacle = effect.obstacle ?? laterAt(lab, link, way, tagged(probe.later));
    const kept = [...met, ...storedAt(lab, out, left), ...(obstacle === null ? [] : [obstacle])];
    const obstacles = [...(isLoose ? kept.map(loosely) : kept), ...stateOf(node)];
    heap.push({
      place: { node_id: place.node_id, adapter_number: place.adapter_number, port_number: place.port_number },
      frame: left.frame,
      before,
      link,
      out,
      vlan: left.vlan ?? null,
      obstacles,
      wait,
      isLoose,
      notes: note === null ? [] : [note],
      cost: cost + obstacles.reduce((sum, one) => sum + costOf(one), 0),
    });
  }
};

/** Marks what may let other frames pass than these: nobody knows which tags, addresses or size they have behind such a node. */
const loosely = (obstacle: Obstacle): Obstacle =>
  ['vlan', 'circuit', 'no_route'].includes(obstacle.code) || obstacle.key.includes(':bpf ')
    ? { ...obstacle, maybe: true }
    : obstacle;

const costOf = ({ code, maybe }: Obstacle): number =>
  maybe === true
    ? COSTS.maybe
    : code === 'link_gone' || code === 'node_gone'
      ? COSTS.gone
      : code === 'vlan'
        ? COSTS.vlan
        : COSTS.obstacle;

/** Obstacle that is met only once the neighbours are forgotten. */
const laterAt = (lab: Lab, link: LabLink, way: 0 | 1, frames: readonly Uint8Array[]): Obstacle | null => {
  const obstacle = frames.length === 0 ? null : effectOf(lab, link, way, frames).obstacle;
  return obstacle === null ? null : { ...obstacle, maybe: true };
};

const storedAt = (lab: Lab, place: Place, { kept, vlan }: Departure): Obstacle[] => {
  if (kept === undefined) return [];
  const { name, node_id } = nodeAt(lab, place.node_id).record;
  const code = vlan === undefined ? 'circuit' : 'vlan';
  return [{ code, key: `${code}:${node_id}:${portName(lab, place)}`, sentence: `${name} ${kept}`, node_id }];
};

/** Obstacles by the state of a node: it neither receives nor sends frames. */
export const stateOf = ({ record, isGone }: LabNode): Obstacle[] => {
  const { node_id, name, state, unreachable, engine } = record;
  const of = (code: Obstacle['code'], what: string): Obstacle[] => [
    { code, key: `${code}:${node_id}`, sentence: `${name} ${what}`, node_id },
  ];
  if (isGone) return of('node_gone', 'is gone');
  // Its engine may go on.
  if (unreachable !== undefined)
    return of('node_unreachable', `cannot be reached: ${unreachable}`).map((one) => ({ ...one, maybe: true }));
  const status = shownStatus(state);
  if (status === 'stopped') return of('node_stopped', 'is stopped');
  if (status === 'suspended') return of('node_suspended', 'is suspended');
  return engine === 'simulated' ? of('node_simulated', 'is simulated, and moves no frames') : [];
};

const passOn = (search: Search, state: State, node: LabNode): void => {
  const { lab, destination } = search;
  const { place, frame, cost, isLoose } = state;
  const { forwarding, leadsOut, ports, record } = node;
  const { node_id } = record;
  const from = { before: state, cost: cost + COSTS.hop, isLoose };
  if (leadsOut) return;
  const isLinked = linkedPorts(lab, node_id);
  if (forwarding?.by === 'frames') {
    for (const left of forwarding.pass({ ...place, frame }, isLinked)) leave(search, { ...left, node_id }, from);
    return;
  }
  const isOpen = isUnsure(node);
  if (!isOpen && !(isLoose && addressed(node)?.forwards === true)) return;
  const next = isOpen || destination === null ? undefined : nextHopOf(node, destination);
  const met = next === null ? [noRouteOf(node, destination)] : [];
  // A real system may be a switch or a router: the frame leaves by all ports.
  for (const { adapter_number, port_number } of ports) {
    const out = { node_id, adapter_number, port_number };
    if (isAt(out, place) || !isLinked(out) || (next != null && !isAt(next.out, out))) continue;
    leave(search, { ...out, frame }, { ...from, cost: cost + COSTS.unknown, isLoose: true, met });
  }
};

const noRouteOf = ({ record: { node_id, name } }: LabNode, destination: Address | null): Obstacle => {
  const text = destination?.text ?? '';
  return { code: 'no_route', key: `no_route:${node_id}:${text}`, sentence: `${name} has no route to ${text}`, node_id };
};

/** Adds an obstacle if an end system gets a tagged frame, which it does not accept. */
const taken = (lab: Lab, state: State): State => {
  const node = nodeAt(lab, state.place.node_id);
  const { record, forwarding } = node;
  if (isUnsure(node) || forwarding?.by !== 'addresses' || tagsOf(state.frame).length === 0) return state;
  const { name, node_id } = record;
  const by = lab.nodes.get(state.out.node_id)?.record.name ?? 'its neighbour';
  const vlan = state.vlan === null ? '' : ` of VLAN ${state.vlan}`;
  const sentence = `${by} ${portName(lab, state.out)} sends frames${vlan} with a tag, which ${name} does not take`;
  const tagged: Obstacle = { code: 'tagged', key: `tagged:${node_id}`, sentence, node_id };
  return { ...state, obstacles: [...state.obstacles, state.isLoose ? { ...tagged, maybe: true } : tagged] };
};

const segmentOf = (lab: Lab, last: State): Segment => {
  const states: State[] = [];
  for (let state: State | null = last; state !== null; state = state.before) states.push(state);
  states.reverse();
  return {
    hops: states.map((state, n) => hopOf(lab, state, states[n + 1])),
    obstacles: states.flatMap(({ obstacles }) => obstacles),
    notes: states.flatMap(({ notes }) => notes),
    waits: states.flatMap(({ wait }) => wait ?? []),
    end: last.place,
    cost: last.cost,
  };
};

const hopOf = (lab: Lab, { place, link }: State, next: State | undefined): Hop => {
  const node = nodeAt(lab, place.node_id);
  return {
    node_id: place.node_id,
    name: node.record.name,
    link_id: link.record.link_id,
    in: portName(lab, place),
    out: next === undefined ? null : portName(lab, next.out),
    vlan: next?.vlan ?? null,
    unknown: isUnsure(node),
  };
};

/** Priority queue, lowest cost first. */
class Heap<T extends { cost: number }> {
  readonly #items: T[] = [];

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || above.cost <= item.cost) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return first;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [a, b] = [items[left], items[left + 1]];
      if (a === undefined) break;
      const child = b !== undefined && b.cost < a.cost ? left + 1 : left;
      const below = items[child];
      if (below === undefined || below.cost >= item.cost) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
