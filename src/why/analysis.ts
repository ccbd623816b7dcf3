import type { Steps } from '../common/slices.ts';
import type { Address } from './address.ts';
import type { Obstacle, Way } from './contract.ts';
import { type Lab, type LabNode, nodeAt } from './lab.ts';
import { addressed, addressesOf, ownersOf, pairOf } from './routing.ts';
import { wayOf } from './way.ts';

/** Between whom: nodes by id, and an address where it is asked for by that. */
export interface Question {
  from: string;
  to: string | null;
  address: Address | null;
  /** Octets of data. */
  size: number;
}

export interface Analysis {
  request: Way;
  reply: Way;
  /** Of both, each once, in the order in which they are met. */
  obstacles: Obstacle[];
  /** Addresses of the request; null: not known. */
  between: Record<'source' | 'destination', Address | null>;
  /** null: something that nobody knows is on the way. */
  reaches: boolean | null;
}

const nothing = (): Way => ({ hops: [], obstacles: [], notes: [] });

/** Follows the packet there, and its answer back: to `request` and `reply` what it meets is added as it is met. */
export function* analyse(
  lab: Lab,
  question: Question,
  { request, reply } = { request: nothing(), reply: nothing() },
): Steps<Analysis> {
  const from = nodeAt(lab, question.from);
  const to = question.to === null ? null : nodeAt(lab, question.to);
  const { size } = question;
  const { source, destination } = pairFor(lab, from, to, question.address);
  yield* wayOf(lab, { from, to, source, destination, isReply: false, size }, request);
  request.obstacles.push(...addressless(lab, from), ...addressless(lab, to));
  if (to !== null)
    yield* wayOf(lab, { from: to, to: from, source: destination, destination: source, isReply: true, size }, reply);
  const obstacles = distinct([...closed(lab), ...request.obstacles, ...reply.obstacles]);
  const isUnsure = to === null || [...request.hops, ...reply.hops].some(({ unknown }) => unknown);
  return {
    request,
    reply,
    between: { source, destination },
    obstacles,
    reaches: obstacles.length > 0 ? false : isUnsure ? null : true,
  };
}

/** The addresses that they use. Nulls: not known, so that the frame is followed alone. */
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
  ...{ routes: [], forwards: false, isKnown: true },
});

export const closed = ({ project }: Lab): Obstacle[] =>
  project.state === 'opened'
    ? []
    : [{ code: 'project_closed', key: 'project_closed', sentence: `the project ${project.name} is not open` }];

/** It is known that it has none, so it answers nobody: it was given none, could not have it, or has not got it yet. */
export const addressless = (lab: Lab, node: LabNode | null): Obstacle[] => {
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
