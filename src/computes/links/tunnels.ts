import { conflict, TopologError } from '../../common/errors.ts';
import { reverseFilters } from '../../common/forms/filters.ts';
import { Mailboxes } from '../../common/mailbox.ts';
import type { Filters, TunnelEnd } from '../../events/fields.ts';
import type { Plumbing } from '../../fabric/client/plumbing.ts';
import { commonAddresses, hostOf, type Interface, isLoopback, ownAddress } from './addresses.ts';
import { type Computes, LOCAL, type Place } from '../computes.ts';
import { type Filtering, filteringEnd } from './filtering.ts';
import { isPort, type TunnelSide } from './nios.ts';
import { TunnelEnds, type WantedEnd } from './tunnel-ends.ts';
import type { Prepared } from '../nodes/remote-nodes.ts';

export interface Tunnel {
  link_id: string;
  project_id: string;
  sides: readonly [TunnelSide, TunnelSide];
  suspend: boolean;
  filters: Filters;
  /** As it was last told by `link.tunnel_made`; absent: it never was. */
  made?: readonly TunnelEnd[] | undefined;
  /** Both of these ends were put, by `link.tunnel_joined`. */
  joined: boolean;
}

interface Parts {
  computes: Computes;
  plumbing: Pick<Plumbing, 'putTunnel' | 'removeCable'>;
  interfaces(): Promise<readonly Interface[]>;
}

/** What tunnels need of the lab that has them. */
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

const HERE: Prepared = { isNew: false, console: null, record: {} };

/** Links whose ends are not both on this server: a UDP NIO at each end. */
export class Tunnels {
  readonly #parts: Parts;
  #lab: TunnelLab | null = null;
  readonly #ends: TunnelEnds;
  /** By link. */
  readonly #turns = new Mailboxes();
  /** Addresses of machines, by compute. */
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

  /** Its compute may have forgotten what it has. */
  forgetAt(computeId: string): void {
    this.#interfaces.delete(computeId);
    this.#ends.forgetAt(computeId);
  }

  /**
   * Makes the tunnel, or changes it in place, one after another. Throws where an end cannot be reached, and for filters that no end can
   * have. Does nothing for a link that is not there any more.
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
      // An end that was made again has its port to reserve again. Of one that no answer came of nobody knows what is there.
      return at.isNew || (!tunnel.joined && givesBack(places[i]));
    });
    const ends = await this.#endsOf(tunnel, places, withOthers(isLost, places));
    const put = await this.#putEnds({ tunnel, places, prepared, filtering, ends }, signal);
    if (!isJoined(tunnel, put) && this.#isWanted(tunnel))
      await this.#lab?.tunnelJoined({ link_id, project_id: tunnel.project_id });
  }

  #isWanted({ sides, link_id }: Tunnel): boolean {
    return sides.every((side) => this.#ends.isWanted(link_id, side));
  }

  /** Those of the last time, but for ends that are lost. */
  async #endsOf(tunnel: Tunnel, places: Putting['places'], isLost: readonly boolean[]): Promise<readonly TunnelEnd[]> {
    if (!isMadeAs(tunnel) || tunnel.made === undefined || isLost.every(Boolean))
      return this.#told(tunnel, await this.#lease(tunnel, places));
    if (!isLost.includes(true)) return tunnel.made;
    return this.#told(tunnel, await this.#leased({ tunnel, places, ends: tunnel.made }, isLost));
  }

  /** The same ends, with another port for those that need one. */
  #leased(
    { ends, ...of }: Pick<Putting, 'tunnel' | 'places' | 'ends'>,
    needsOne: readonly boolean[],
  ): Promise<TunnelEnd[]> {
    return Promise.all(
      ends.map((end, i) => (needsOne[i] === true ? this.#leaseEnd(of, end, i) : Promise.resolve(end))),
    );
  }

  /** A port that another program has taken meanwhile is exchanged. Answers the ends that were put. */
  async #putEnds(putting: Putting, signal: AbortSignal): Promise<readonly TunnelEnd[]> {
    for (let now = putting, tries = 0; ; tries++) {
      try {
        const { tunnel } = now;
        await allDone(tunnel.sides.map((_, i) => this.#putEnd(now, i as 0 | 1, signal)));
        return now.ends;
      } catch (error) {
        if (!(error instanceof PortTaken)) throw error;
        if (tries === MOST_TRIES) throw error.cause;
        const isTaken = now.tunnel.sides.map((_, i) => i === error.end);
        const ends = await this.#leased(now, withOthers(isTaken, now.places));
        now = { ...now, ends: await this.#told(now.tunnel, ends) };
      }
    }
  }

  /** Its ends are on record before anything is done with them. */
  async #told(tunnel: Tunnel, ends: readonly TunnelEnd[]): Promise<readonly TunnelEnd[]> {
    const { link_id, project_id } = tunnel;
    if (this.#isWanted(tunnel)) await this.#lab?.tunnelMade({ link_id, project_id }, [...ends]);
    return ends;
  }

  async #leaseEnd(
    { tunnel, places }: Pick<Putting, 'tunnel' | 'places'>,
    end: TunnelEnd,
    i: number,
  ): Promise<TunnelEnd> {
    const place = places[i];
    const { project_id } = tunnel;
    return { ...end, lport: place == null ? await this.#leaseHere(project_id) : await portAt(place, project_id) };
  }

  /** Throws where an end cannot be reached, and for filters and a suspension that no end can have. */
  check({ sides, ...wanted }: Pick<Tunnel, 'sides' | 'filters' | 'suspend'>): void {
    for (const { compute_id } of sides)
      if (this.#parts.computes.find(compute_id) !== undefined) this.#parts.computes.check(compute_id);
    filteringEnd({ sides, ...wanted }, (side) => this.#isExact(side));
  }

  /** Ends whose compute is away, or has forgotten them, are gone already. */
  remove({ link_id, sides }: Pick<Tunnel, 'link_id' | 'sides'>): Promise<void> {
    return allDone(sides.map((side) => this.#ends.remove(link_id, side)));
  }

  /** Takes away what is at a port of another compute without a link. */
  clear(side: Parameters<TunnelEnds['clear']>[0]): Promise<void> {
    return this.#ends.clear(side);
  }

  /** Takes away what was left at a compute while that was away. */
  clearLeft(computeId: string): Promise<void> {
    return this.#ends.clearLeft(computeId);
  }

  /** This server's fabric, and that of another Topolog, filter each direction of a cable by itself. */
  #isExact({ compute_id }: TunnelSide): boolean {
    const { computes } = this.#parts;
    return computes.isHere(compute_id) || computes.find(compute_id)?.compute.isTopolog === true;
  }

  async #lease({ sides, project_id }: Tunnel, places: readonly (Place | null)[]): Promise<TunnelEnd[]> {
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

  /** Where each end is for the other. */
  async #addresses(sides: Tunnel['sides'], places: readonly (Place | null)[]): Promise<readonly [string, string]> {
    if (sides[0].compute_id === sides[1].compute_id) return ['127.0.0.1', '127.0.0.1'];
    const hosts = (await Promise.all(places.map((place) => hostOf(place)))) as [string | null, string | null];
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

  async #putEnd({ tunnel, ...putting }: Putting, i: 0 | 1, signal: AbortSignal): Promise<void> {
    const { places, ends, filtering } = putting;
    const [side, own, other] = [tunnel.sides[i], ends[i], ends[1 - i]];
    const [place, prepared] = [places[i] ?? null, putting.prepared[i]];
    if (own === undefined || other === undefined || prepared === undefined) throw new Error('a tunnel without an end');
    const { link_id, project_id, suspend } = tunnel;
    const isFiltering = filtering === i;
    // A NIO's first end is its node.
    const filters = isFiltering ? (i === 0 ? tunnel.filters : reverseFilters(tunnel.filters)) : {};
    const end = { link_id, project_id, side, place, prepared, own, other, suspend, filters, isFiltering };
    try {
      await this.#ends.put({ ...end, log: logOf(tunnel, ends) }, signal);
    } catch (error) {
      throw error instanceof TopologError && isPort(error) ? new PortTaken(i, error) : error;
    }
  }
}

/** A GNS3 server takes a NIO away before it is put again, and gives its port to the next one who asks. */
const givesBack = (place: Place | null | undefined): boolean => place != null && !place.compute.isTopolog;

/** Where one end gets another port, the other end's NIO is put again. */
const withOthers = (needsOne: readonly boolean[], places: Putting['places']): boolean[] =>
  needsOne.map((needs, i) => needs || (needsOne.includes(true) && givesBack(places[i])));

const logOf = (tunnel: Tunnel, ends: readonly TunnelEnd[]): WantedEnd['log'] => {
  if (isJoined(tunnel, ends)) return 'joined';
  return tunnel.made === undefined ? 'new' : 'made';
};

const isJoined = ({ made, joined }: Tunnel, ends: readonly TunnelEnd[]): boolean => joined && ends === made;

/** Fails only when nothing is under way any more: what is done can be taken back then. */
const allDone = async (ends: readonly Promise<void>[]): Promise<void> => {
  await Promise.allSettled(ends);
  await Promise.all(ends);
};

/** Ports that are tried for an end after the first. */
const MOST_TRIES = 8;

/** An end's UDP port is another program's. */
class PortTaken extends Error {
  readonly end: 0 | 1;

  constructor(end: 0 | 1, cause: TopologError) {
    super(cause.message, { cause });
    this.end = end;
  }
}

interface Putting {
  tunnel: Tunnel;
  places: readonly (Place | null)[];
  prepared: readonly Prepared[];
  ends: readonly TunnelEnd[];
  filtering: Filtering;
}

/** Its last ports are at the computes that its ends are at now. */
const isMadeAs = ({ made, sides }: Tunnel): boolean =>
  made?.length === 2 && sides.every(({ compute_id }, i) => made[i]?.compute_id === compute_id);

const portAt = async ({ compute }: Place, projectId: string): Promise<number> => {
  const answer = await compute.client.request('POST', `/projects/${projectId}/ports/udp`);
  const port = (answer as { udp_port?: unknown } | null)?.udp_port;
  if (typeof port === 'number') return port;
  throw conflict(`${compute.target.name} names no UDP port`);
};
