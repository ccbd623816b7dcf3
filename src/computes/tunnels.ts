import { lookup } from 'node:dns/promises';
import { conflict, TopologError } from '../common/errors.ts';
import type { Filters, TunnelEnd } from '../events/fields.ts';
import type { Kind, KindNode } from '../emulators/kit/contract.ts';
import type { Plumbing, PortId } from '../fabric/client/plumbing.ts';
import { commonAddresses, type Interface, isLoopback } from './addresses.ts';
import { type Computes, LOCAL, type Place } from './computes.ts';
import { unless } from './errors.ts';
import { nodePath } from './remote-nodes.ts';

/** An end of a link, and where its node is. */
export interface TunnelSide {
  kind: Kind;
  node: KindNode;
  port: PortId;
  compute_id: string;
}

export interface Tunnel {
  link_id: string;
  project_id: string;
  sides: readonly [TunnelSide, TunnelSide];
  suspend: boolean;
  filters: Filters;
  /** As it was last told by `link.tunnel_made`; absent: it never was. */
  made?: readonly TunnelEnd[] | undefined;
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
}

/** What carries the filters, both directions. */
type Filtering = 0 | 1;

/** Links whose ends are not both on this server: a UDP NIO at each end. */
export class Tunnels {
  readonly #parts: Parts;
  #lab: TunnelLab | null = null;
  /** NIOs as they are there, by link: what is put again in the same words needs nothing. */
  readonly #nios = new Map<string, readonly (string | null)[]>();
  /** The last put of a link that is under way. */
  readonly #turns = new Map<string, Promise<void>>();
  /** Addresses of machines, by compute. */
  readonly #interfaces = new Map<string, Promise<readonly Interface[]>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Once, before the first `put`. */
  serve(lab: TunnelLab): void {
    this.#lab = lab;
  }

  /** Its compute may have forgotten them. */
  forgetAt(computeId: string, links: Iterable<{ link_id: string }>): void {
    this.#interfaces.delete(computeId);
    for (const { link_id } of links) this.#nios.delete(link_id);
  }

  /** Makes the tunnel, or changes it in place, one after another. Throws where an end cannot be reached, and for filters that no end can have. */
  put(tunnel: Tunnel, signal: AbortSignal): Promise<void> {
    const { link_id } = tunnel;
    const put = (): Promise<void> => this.#put(tunnel, signal);
    const last = (this.#turns.get(link_id) ?? Promise.resolve()).then(put, put);
    this.#turns.set(link_id, last);
    return last.finally(() => this.#turns.get(link_id) === last && this.#turns.delete(link_id));
  }

  async #put(tunnel: Tunnel, signal: AbortSignal): Promise<void> {
    const { sides, link_id } = tunnel;
    const filtering = filteringEnd(tunnel, (side) => this.#isExact(side));
    const places = sides.map(({ compute_id }) => this.#parts.computes.placeOf(compute_id));
    const prepared = await Promise.all(
      sides.map(async ({ kind, node }, i) => (await places[i]?.nodes.prepare(kind, node, signal)) ?? { isNew: false }),
    );
    const isKnown = isMadeAs(tunnel) && prepared.every(({ isNew }) => !isNew || this.#nios.has(link_id));
    const before = isKnown ? (this.#nios.get(link_id) ?? [null, null]) : [null, null];
    const known = isKnown && tunnel.made !== undefined ? tunnel.made : null;
    const ends = known ?? (await this.#told(tunnel, await this.#lease(tunnel, places)));
    this.#nios.set(link_id, await this.#putEnds({ tunnel, places, ends, filtering, before, isKnown }, signal));
  }

  /** A port that another program has taken meanwhile is exchanged. */
  async #putEnds(putting: Putting, signal: AbortSignal): Promise<(string | null)[]> {
    for (let now = putting, tries = 0; ; tries++) {
      try {
        const { tunnel } = now;
        return await all(tunnel.sides.map((_, i) => this.#putEnd(now, i as 0 | 1, signal)));
      } catch (error) {
        if (!(error instanceof PortTaken)) throw error;
        if (tries === MOST_TRIES) throw error.cause;
        const end = await this.#leaseEnd(now, error.end);
        const ends = await this.#told(now.tunnel, now.ends.with(error.end, end));
        now = { ...now, ends, before: [null, null] };
      }
    }
  }

  /** Its ends are on record before anything is done with them. */
  async #told({ link_id, project_id }: Tunnel, ends: readonly TunnelEnd[]): Promise<readonly TunnelEnd[]> {
    await this.#lab?.tunnelMade({ link_id, project_id }, [...ends]);
    return ends;
  }

  async #leaseEnd({ tunnel, places, ends }: Putting, i: number): Promise<TunnelEnd> {
    const end = ends[i];
    if (end === undefined) throw new Error('a tunnel without an end');
    return { ...end, lport: await this.#leaseAt(places[i], tunnel.project_id) };
  }

  /** Throws where an end cannot be reached, and for filters that no end can have. */
  check({ sides, filters }: Pick<Tunnel, 'sides' | 'filters'>): void {
    for (const { compute_id } of sides)
      if (this.#parts.computes.find(compute_id) !== undefined) this.#parts.computes.check(compute_id);
    filteringEnd({ sides, filters }, (side) => this.#isExact(side));
  }

  /** Ends whose compute is away, or has forgotten them, are gone already. */
  async remove({ link_id, sides }: Pick<Tunnel, 'link_id' | 'sides'>): Promise<void> {
    this.#nios.delete(link_id);
    await Promise.all(
      sides.map(async (side) => {
        if (this.#parts.computes.isHere(side.compute_id)) return this.#parts.plumbing.removeCable(link_id);
        const place = this.#parts.computes.find(side.compute_id);
        if (place?.compute.isConnected === true)
          await place.compute.client.request('DELETE', nioPath(side)).catch(unlessAway);
      }),
    );
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
        const lport = await this.#leaseAt(place, project_id);
        return { compute_id: place == null ? LOCAL : compute_id, host: addresses[i] ?? '127.0.0.1', lport };
      }),
    );
  }

  #leaseAt(place: Place | null | undefined, projectId: string): Promise<number> {
    if (place != null) return portAt(place, projectId);
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

  async #putEnd(putting: Putting, i: 0 | 1, signal: AbortSignal): Promise<string | null> {
    try {
      return await this.#nioAt(putting, i, signal);
    } catch (error) {
      throw error instanceof TopologError && error.details['field'] === 'lport' ? new PortTaken(i, error) : error;
    }
  }

  async #nioAt(putting: Putting, i: 0 | 1, signal: AbortSignal): Promise<string | null> {
    const { tunnel, places, ends, filtering, before, isKnown } = putting;
    const [side, own, other] = [tunnel.sides[i], ends[i], ends[1 - i]];
    if (own === undefined || other === undefined) throw new Error('a tunnel without an end');
    const filters = filtering === i ? tunnel.filters : {};
    const { suspend } = tunnel;
    const nio = { type: 'nio_udp', lport: own.lport, rhost: other.host, rport: other.lport, filters, suspend };
    const place = places[i] ?? null;
    if (place === null) {
      // Both ends of a cable of this fabric would have its name.
      const { link_id: cable_id, project_id } = tunnel;
      await this.#parts.plumbing.putTunnel({ cable_id, project_id, port: side.port, nio });
      return null;
    }
    const words = JSON.stringify(nio);
    const { nio_update } = side.kind.capabilities;
    // After a restart of this server it is there as it was; to put it again would cut the link for a moment.
    const stays = isKnown && !nio_update && !place.compute.isTopolog && before[i] === null && !tunnel.suspend;
    if (before[i] === words || stays) return words;
    const path = nioPath(side);
    const request = (method: 'POST' | 'PUT' | 'DELETE'): Promise<unknown> =>
      place.compute.client.request(method, path, { ...(method === 'DELETE' ? {} : { body: nio }), signal });
    if (isKnown && nio_update) {
      const isThere = await request('PUT').then(() => true, unlessGone);
      if (isThere === true) return words;
    }
    // A GNS3 server refuses a second one, or one at a port that it still has.
    if (!place.compute.isTopolog && isKnown) await request('DELETE').catch(() => undefined);
    await request('POST');
    return words;
  }
}

/** Rejects only when none is under way any more: what comes next must not be overtaken by the other end. */
const all = <T>(ends: readonly Promise<T>[]): Promise<T[]> => Promise.allSettled(ends).then(() => Promise.all(ends));

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
  ends: readonly TunnelEnd[];
  filtering: Filtering;
  before: readonly (string | null)[];
  isKnown: boolean;
}

/** Its last ports are at the computes that its ends are at now. */
const isMadeAs = ({ made, sides }: Tunnel): boolean =>
  made?.length === 2 && sides.every(({ compute_id }, i) => made[i]?.compute_id === compute_id);

const nioPath = ({ kind, node, port }: TunnelSide): string =>
  `${nodePath(kind, node)}/adapters/${port.adapter_number}/ports/${port.port_number}/nio`;

const portAt = async ({ compute }: Place, projectId: string): Promise<number> => {
  const answer = await compute.client.request('POST', `/projects/${projectId}/ports/udp`);
  const port = (answer as { udp_port?: unknown } | null)?.udp_port;
  if (typeof port === 'number') return port;
  throw conflict(`${compute.target.name} names no UDP port`);
};

/** null: this machine. */
const hostOf = async (place: Place | null): Promise<string | null> => {
  if (place === null) return null;
  const { name, host } = place.compute.target;
  try {
    return (await lookup(host.replace(/^\[|\]$/g, ''))).address.replace(/^0\.0\.0\.0$/, '127.0.0.1');
  } catch (error) {
    throw new TopologError('compute_unreachable', { name, reason: 'its name is unknown' }, { cause: error });
  }
};

const ownAddress = (other: Place | null | undefined): string => other?.compute.ownAddress ?? '127.0.0.1';

/** The end that has the filters. An exact one is taken; others only where their kind says that it can. */
const filteringEnd = (
  { sides, filters }: Pick<Tunnel, 'sides' | 'filters'>,
  isExact: (side: TunnelSide) => boolean,
): Filtering => {
  const exact = sides.findIndex(isExact);
  if (exact !== -1) return exact as Filtering;
  const able = sides.findIndex(({ kind }) => kind.capabilities.filters);
  if (able !== -1) return able as Filtering;
  if (Object.keys(filters).length === 0) return 0;
  const names = sides.map(({ node, compute_id }) => `${node.name} on ${compute_id}`);
  throw conflict(`neither ${names.join(' nor ')} can filter frames`, { field: 'filters' });
};

const unlessGone = unless('not_found', 'conflict');
/** What a compute that is away has left is looked at when it is back. */
const unlessAway = unless('not_found', 'conflict', 'compute_unreachable');
