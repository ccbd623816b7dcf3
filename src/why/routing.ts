import type { Addressed } from '../emulators/kit/contract.ts';
import { type Address, isIn, isLinkLocal, parseAddress } from './address.ts';
import type { Place } from './contract.ts';
import { addressKey, type Lab, type LabNode, type Owner } from './lab.ts';

/** The next node to which a packet is sent, and the port and address to do so. */
export interface NextHop {
  out: Place;
  own: Address;
  mac: string | null;
  address: Address;
  isRouter: boolean;
}

interface OwnAddress {
  place: Place;
  address: Address;
  mac: string | null;
}

export const addressed = ({ forwarding }: LabNode): Addressed | null =>
  forwarding?.by === 'addresses' ? forwarding : null;

/** All addresses of a node; `wanted`: including those that it could not get. */
export const addressesOf = (node: LabNode, wanted = false): OwnAddress[] =>
  (addressed(node)?.interfaces ?? []).flatMap(({ adapter_number, port_number, mac, ...one }) =>
    [...one.addresses, ...(wanted ? (one.wanted ?? []) : [])].flatMap((text) => {
      const address = parseAddress(text);
      const place = { node_id: node.record.node_id, adapter_number, port_number };
      return address === null ? [] : [{ place, address, mac }];
    }),
  );

/** Next hop by the longest matching prefix; null without a route. */
export const nextHopOf = (node: LabNode, destination: Address): NextHop | null => {
  const own = addressesOf(node);
  const direct = longest(own.filter(({ address }) => isIn(destination, address)));
  const routes = (addressed(node)?.routes ?? []).flatMap(({ to, via }) => {
    const [network, router] = [parseAddress(to), parseAddress(via)];
    if (network === null || router === null || !isIn(destination, network)) return [];
    const from = own.find(({ address }) => isIn(router, address)) ?? own.find(({ address }) => isLinkLocal(address));
    return from === undefined ? [] : [{ ...from, network, router }];
  });
  const route = routes.sort((a, b) => b.network.prefix - a.network.prefix)[0];
  if (direct !== undefined && direct.address.prefix >= (route?.network.prefix ?? 0))
    return { out: direct.place, own: direct.address, mac: direct.mac, address: destination, isRouter: false };
  if (route === undefined) return null;
  return { out: route.place, own: route.address, mac: route.mac, address: route.router, isRouter: true };
};

const longest = (own: readonly OwnAddress[]): OwnAddress | undefined =>
  [...own].sort((a, b) => b.address.prefix - a.address.prefix)[0];

export const ownersOf = (lab: Lab, address: Address): readonly Owner[] => lab.owners.get(addressKey(address)) ?? [];

/** Addresses with which two nodes communicate: in the same network if possible, otherwise of the same family; null without such a pair. */
export const pairOf = (from: LabNode, to: LabNode): { source: Address; destination: Address } | null => {
  const [sources, destinations] = [addressesOf(from), addressesOf(to, true)];
  const pairs = sources.flatMap(({ address: source }) =>
    destinations.map(({ address: destination }) => ({ source, destination })),
  );
  const usable = pairs.filter(({ source, destination }) => source.family === destination.family);
  const global = usable.filter(({ source, destination }) => !isLinkLocal(source) && !isLinkLocal(destination));
  const near = global.find(({ source, destination }) => isIn(destination, source));
  return near ?? global[0] ?? usable[0] ?? null;
};
