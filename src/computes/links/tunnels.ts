import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4 } from 'node:net';
import { conflict, TopologError } from '../../common/errors.ts';
import { reverseFilters } from '../../common/forms/filters.ts';
import { Mailboxes } from '../../common/mailbox.ts';
import type { Filters, TunnelEnd } from '../../events/fields.ts';
import type { Plumbing } from '../../fabric/client/plumbing.ts';
import { type Computes, LOCAL, type Place } from '../computes.ts';
import type { PreparedNode } from '../nodes/remote-nodes.ts';
import {
  type EndIndex,
  filteringEnd,
  isPortTaken,
  TunnelEnds,
  type TunnelSide,
  type WantedEnd,
} from './tunnel-ends.ts';

/** An interface as the compute group tells it; `ip_address` is empty without one. */
interface Interface {
  ip_address: string;
  netmask: string;
}

export interface Tunnel {
  link_id: string;
  project_id: string;
  sides: readonly [TunnelSide, TunnelSide];
  suspend: boolean;
  filters: Filters;
  /** Ends by the last `link.tunnel_made`; absent: there was none. */
  made?: readonly TunnelEnd[] | undefined;
  /** Whether both of these ends were put (`link.tunnel_joined`). */
  joined: boolean;
}

interface Parts {
  computes: Computes;
  plumbing: Pick<Plumbing, 'putTunnel' | 'removeCable'>;
  interfaces(): Promise<readonly Interface[]>;
}

export interface TunnelLab {
  /** A free UDP port of this machine. */
  leasePort(projectId: string): Promise<number>;
  /** Appends `link.tunnel_made`. */
  tunnelMade(link: { link_id: string; project_id: string }, ends: TunnelEnd[]): Promise<void>;
  /** Appends `link.tunnel_joined`. */
  tunnelJoined(link: { link_id: string; project_id: string }): Promise<void>;
  /** Id of the link on record at this port of a node that is at this compute. */
  linkAt(end: Pick<TunnelSide, 'port' | 'compute_id'>): string | undefined;
}

const HERE: PreparedNode = { isNew: false, console: null, record: {} };

/** Links whose ends are not both on this server: they have a UDP NIO at each end. */
export class Tunnels {
  readonly #parts: Parts;
  #lab: TunnelLab | null = null;
  readonly #ends: TunnelEnds;
  /** By link. */
  readonly #turns = new Mailboxes();
  /** Interfaces of machines, by compute. */
  readonly #interfaces = new Map<string, Promise<readonly Interface[]>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { computes, plumbing } = parts;
    this.#ends = new TunnelEnds({ computes, plumbing, linkAt: (end) => this.#lab?.linkAt(end) });
  }

  /** Once, before the first `put`. */
  serve(lab: TunnelLab): void {
    this.#lab = lab;
  }

  /** Forgets the interfaces and NIOs of a compute, which may have changed or lost them. */
  forgetAt(computeId: string): void {
    this.#interfaces.delete(computeId);
    this.#ends.forgetAt(computeId);
  }

  /**
   * Makes the tunnel, or changes it in place; changes of one link run one after another. Throws where an end cannot be reached, and for
   * filters that no end can have. Does nothing for a deleted link.
   */
  put(tunnel: Tunnel, signal: AbortSignal): Promise<void> {
    return this.#turns.run(tunnel.link_id, () => this.#put(tunnel, signal));
  }

  async #put(tunnel: Tunnel, signal: AbortSignal): Promise<void> {
    const { sides, link_id } = tunnel;
    const filtering = filteringEnd(tunnel, (side) => this.#isExact(side));
    const places = sides.map(({ compute_id }) => this.#parts.computes.placeOf(compute_id));
    if (!this.#isWanted(tunnel)) return;
    const prepared = await Promise.all(
      sides.map(async ({ kind, node }, i) => (await places[i]?.nodes.prepare(kind, node, signal)) ?? HERE),
    );
    const isLost = sides.map((side, i) => {
      const { [i]: at = HERE } = prepared;
      if (this.#ends.known(link_id, side, at) !== null) return false;
      // A node that was made again needs its port reserved again. So does an end whose compute may have given the port to others.
      return at.isNew || (!tunnel.joined && freesPorts(places[i]));
    });
    const ends = await this.#endsOf(tunnel, places, withOtherEnds(isLost, places));
    const put = await this.#putEnds({ tunnel, places, prepared, filtering, ends }, signal);
    if (!isJoined(tunnel, put) && this.#isWanted(tunnel))
      await this.#lab?.tunnelJoined({ link_id, project_id: tunnel.project_id });
  }

  #isWanted({ sides, link_id }: Tunnel): boolean {
    return sides.every((side) => this.#ends.isWanted(link_id, side));
  }

  /** The recorded ends, with new ports for those that are lost. */
  async #endsOf(
    tunnel: Tunnel,
    places: TunnelPlan['places'],
    isLost: readonly boolean[],
  ): Promise<readonly TunnelEnd[]> {
    if (!isMadeHere(tunnel) || tunnel.made === undefined || isLost.every(Boolean))
      return this.#recordEnds(tunnel, await this.#newEnds(tunnel, places));
    if (!isLost.includes(true)) return tunnel.made;
    return this.#recordEnds(tunnel, await this.#withNewPorts({ tunnel, places, ends: tunnel.made }, isLost));
  }

  /** The same ends, with another port for those that need one. */
  #withNewPorts(
    { ends, ...of }: Pick<TunnelPlan, 'tunnel' | 'places' | 'ends'>,
    needsOne: readonly boolean[],
  ): Promise<TunnelEnd[]> {
    return Promise.all(
      ends.map((end, i) => (needsOne[i] === true ? this.#withNewPort(of, end, i) : Promise.resolve(end))),
    );
  }

  /** Puts both ends; exchanges a port that another program has taken meanwhile. Answers the ends that were put. */
  async #putEnds(plan: TunnelPlan, signal: AbortSignal): Promise<readonly TunnelEnd[]> {
    for (let now = plan, tries = 0; ; tries++) {
      try {
        const { tunnel } = now;
        await allDone(tunnel.sides.map((_, i) => this.#putEnd(now, i as 0 | 1, signal)));
        return now.ends;
      } catch (error) {
        if (!(error instanceof PortTaken)) throw error;
        if (tries === MOST_PORTS) throw error.cause;
        const isTaken = now.tunnel.sides.map((_, i) => i === error.end);
        const ends = await this.#withNewPorts(now, withOtherEnds(isTaken, now.places));
        now = { ...now, ends: await this.#recordEnds(now.tunnel, ends) };
      }
    }
  }

  /** Records the ends, before they are used. */
  async #recordEnds(tunnel: Tunnel, ends: readonly TunnelEnd[]): Promise<readonly TunnelEnd[]> {
    const { link_id, project_id } = tunnel;
    if (this.#isWanted(tunnel)) await this.#lab?.tunnelMade({ link_id, project_id }, [...ends]);
    return ends;
  }

  async #withNewPort(
    { tunnel, places }: Pick<TunnelPlan, 'tunnel' | 'places'>,
    end: TunnelEnd,
    i: number,
  ): Promise<TunnelEnd> {
    const place = places[i];
    const { project_id } = tunnel;
    return { ...end, lport: place == null ? await this.#leaseHere(project_id) : await portAt(place, project_id) };
  }

  /** Throws where an end cannot be reached, and for filters or a suspension that no end can have. */
  check({ sides, ...wanted }: Pick<Tunnel, 'sides' | 'filters' | 'suspend'>): void {
    for (const { compute_id } of sides)
      if (this.#parts.computes.find(compute_id) !== undefined) this.#parts.computes.check(compute_id);
    filteringEnd({ sides, ...wanted }, (side) => this.#isExact(side));
  }

  /** Removes both ends. Succeeds where a compute is away or has forgotten its end. */
  remove({ link_id, sides }: Pick<Tunnel, 'link_id' | 'sides'>): Promise<void> {
    return allDone(sides.map((side) => this.#ends.remove(link_id, side)));
  }

  /** Removes the NIO of a port without a link at another compute. */
  clear(side: Parameters<TunnelEnds['clear']>[0]): Promise<void> {
    return this.#ends.clear(side);
  }

  /** Removes the NIOs that could not be removed while the compute was away. */
  clearLeftovers(computeId: string): Promise<void> {
    return this.#ends.clearLeftovers(computeId);
  }

  /** This server's fabric, and that of another Topolog, filter each direction of a cable by itself. */
  #isExact({ compute_id }: TunnelSide): boolean {
    const { computes } = this.#parts;
    return computes.isHere(compute_id) || computes.find(compute_id)?.compute.isTopolog === true;
  }

  async #newEnds({ sides, project_id }: Tunnel, places: readonly (Place | null)[]): Promise<TunnelEnd[]> {
    const addresses = await this.#addresses(sides, places);
    return Promise.all(
      sides.map(async ({ compute_id }, i) => {
        const place = places[i];
        const lport = place == null ? await this.#leaseHere(project_id) : await portAt(place, project_id);
        return { compute_id: place == null ? LOCAL : compute_id, host: addresses[i] ?? '127.0.0.1', lport };
      }),
    );
  }

  #leaseHere(projectId: string): Promise<number> {
    if (this.#lab === null) throw new Error('tunnels without a lab');
    return this.#lab.leasePort(projectId);
  }

  /** The addresses by which the ends reach each other. Throws `conflict` where they have no network in common. */
  async #addresses(sides: Tunnel['sides'], places: readonly (Place | null)[]): Promise<readonly [string, string]> {
    if (sides[0].compute_id === sides[1].compute_id) return ['127.0.0.1', '127.0.0.1'];
    const hosts = (await Promise.all(places.map((place) => hostAddressOf(place)))) as [string | null, string | null];
    const [a, b] = hosts;
    // This machine's address is the one by which it reaches the other.
    if (a === null && b !== null) return [ownAddress(places[1]), b];
    if (b === null && a !== null) return [a, ownAddress(places[0])];
    if (a !== null && b !== null && isLoopback(a) === isLoopback(b)) return [a, b];
    const lists = await Promise.all(sides.map((side, i) => this.#interfacesOf(side.compute_id, places[i] ?? null)));
    const found = commonAddresses([lists[0] ?? [], a], [lists[1] ?? [], b]);
    if (found !== null) return found;
    throw conflict(`${sides[0].compute_id} and ${sides[1].compute_id} have no network in common`);
  }

  #interfacesOf(computeId: string, place: Place | null): Promise<readonly Interface[]> {
    if (place === null) return this.#parts.interfaces();
    const known = this.#interfaces.get(computeId);
    if (known !== undefined) return known;
    const found = place.compute.client.request('GET', '/network/interfaces') as Promise<readonly Interface[]>;
    this.#interfaces.set(computeId, found);
    found.catch(() => this.#interfaces.delete(computeId));
    return found;
  }

  async #putEnd({ tunnel, ...plan }: TunnelPlan, i: 0 | 1, signal: AbortSignal): Promise<void> {
    const { places, ends, filtering } = plan;
    const [side, own, other] = [tunnel.sides[i], ends[i], ends[1 - i]];
    const [place, prepared] = [places[i] ?? null, plan.prepared[i]];
    if (own === undefined || other === undefined || prepared === undefined) throw new Error('a tunnel without an end');
    const { link_id, project_id, suspend } = tunnel;
    const isFiltering = filtering === i;
    // In a NIO the first end is its node, so that the second node's filters are those of the reverse direction.
    const filters = isFiltering ? (i === 0 ? tunnel.filters : reverseFilters(tunnel.filters)) : {};
    const end = { link_id, project_id, side, place, prepared, own, other, suspend, filters, isFiltering };
    try {
      await this.#ends.put({ ...end, log: logOf(tunnel, ends) }, signal);
    } catch (error) {
      throw error instanceof TopologError && isPortTaken(error) ? new PortTaken(i, error) : error;
    }
  }
}

/** Whether a compute frees the port of a removed NIO: a GNS3 server does, and gives it to the next request for one. */
const freesPorts = (place: Place | null | undefined): boolean => place != null && !place.compute.isTopolog;

/** Adds the other end, whose NIO has to be put again when one end gets another port, and whose port may be freed by that. */
const withOtherEnds = (needsOne: readonly boolean[], places: TunnelPlan['places']): boolean[] =>
  needsOne.map((needs, i) => needs || (needsOne.includes(true) && freesPorts(places[i])));

const logOf = (tunnel: Tunnel, ends: readonly TunnelEnd[]): WantedEnd['log'] => {
  if (isJoined(tunnel, ends)) return 'joined';
  return tunnel.made === undefined ? 'new' : 'made';
};

const isJoined = ({ made, joined }: Tunnel, ends: readonly TunnelEnd[]): boolean => joined && ends === made;

/** Rejects only when all have settled, so that the work of the others can be undone then. */
const allDone = async (ends: readonly Promise<void>[]): Promise<void> => {
  await Promise.allSettled(ends);
  await Promise.all(ends);
};

/** Further ports that are tried for an end. */
const MOST_PORTS = 8;

/** Another program has the UDP port of an end. */
class PortTaken extends Error {
  readonly end: 0 | 1;

  constructor(end: 0 | 1, cause: TopologError) {
    super(cause.message, { cause });
    this.end = end;
  }
}

interface TunnelPlan {
  tunnel: Tunnel;
  places: readonly (Place | null)[];
  prepared: readonly PreparedNode[];
  ends: readonly TunnelEnd[];
  filtering: EndIndex;
}

/** Whether the recorded ends are at the computes of the nodes of now. */
const isMadeHere = ({ made, sides }: Tunnel): boolean =>
  made?.length === 2 && sides.every(({ compute_id }, i) => made[i]?.compute_id === compute_id);

const portAt = async ({ compute }: Place, projectId: string): Promise<number> => {
  const answer = await compute.client.request('POST', `/projects/${projectId}/ports/udp`);
  const port = (answer as { udp_port?: unknown } | null)?.udp_port;
  if (typeof port === 'number') return port;
  throw conflict(`${compute.target.name} names no UDP port`);
};

const isLoopback = (address: string): boolean => /^(?:127\.|::1$)/.test(address);

/** Prefix length of a netmask such as 255.255.255.0. */
const prefixOf = (netmask: string): number =>
  netmask.split('.').reduce((bits, octet) => bits + Number(octet).toString(2).replaceAll('0', '').length, 0);

const usable = ([interfaces, host]: [readonly Interface[], string | null]): readonly Interface[] =>
  interfaces
    .filter(({ ip_address: a, netmask }) => isIPv4(a) && isIPv4(netmask) && !isLoopback(a) && !a.startsWith('169.254.'))
    .toSorted((a, b) => Number(b.ip_address === host) - Number(a.ip_address === host));

const isInside = ({ ip_address, netmask }: Interface, address: string): boolean => {
  const network = new BlockList();
  network.addSubnet(ip_address, prefixOf(netmask));
  return network.check(address);
};

/** Addresses of two machines in one IPv4 network, preferring the address of the compute's own host; null: there are none. */
const commonAddresses = (
  a: [readonly Interface[], string | null],
  b: [readonly Interface[], string | null],
): readonly [string, string] | null => {
  for (const one of usable(a))
    for (const other of usable(b))
      if (one.ip_address !== other.ip_address && isInside(one, other.ip_address))
        return [one.ip_address, other.ip_address];
  return null;
};

/** IP address of a compute; null: this machine. */
const hostAddressOf = async (place: Place | null): Promise<string | null> => {
  if (place === null) return null;
  const { name, host } = place.compute.target;
  try {
    return (await lookup(host.replace(/^\[|\]$/g, ''))).address.replace(/^0\.0\.0\.0$/, '127.0.0.1');
  } catch (error) {
    throw new TopologError('compute_unreachable', { name, reason: 'its name is unknown' }, { cause: error });
  }
};

/** Address of this machine as the other one sees it. */
const ownAddress = (other: Place | null | undefined): string => other?.compute.ownAddress ?? '127.0.0.1';
