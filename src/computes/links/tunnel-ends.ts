import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, TopologError } from '../../common/errors.ts';
import { isOurs } from '../../common/forms/filters.ts';
import { Mailboxes } from '../../common/mailbox.ts';
import type { Kind, KindNode } from '../../emulators/kit/contract.ts';
import type { Filters, TunnelEnd } from '../../events/fields.ts';
import { type Plumbing, type PortId, portKey } from '../../fabric/client/plumbing.ts';
import { ignoreErrors, statusOf } from '../client/errors.ts';
import type { Computes, Place } from '../computes.ts';
import { nodePath, type PreparedNode } from '../nodes/remote-nodes.ts';

/** The ends of tunnels: NIOs, which are made and changed without interrupting frames wherever the compute allows that. */

/** An end of a link, and where its node is. */
export interface TunnelSide {
  kind: Kind;
  node: KindNode;
  port: PortId;
  compute_id: string;
}

/** A NIO as it was put: JSON of its address alone, and of all of it. */
interface PutNio {
  address: string;
  body: string;
}

/**
 * The NIO at a port: as this server put it for the link, or as the log has it (`as made`), one of another link, none, or not known.
 */
type PortState = PutNio | 'as made' | 'of another' | 'none' | 'unknown';

interface NioPlan {
  side: TunnelSide;
  place: Place;
  /** The node as it is there: one that was made again has no NIO. */
  prepared: PreparedNode;
  own: TunnelEnd;
  other: TunnelEnd;
  filters: Filters;
  suspend: boolean;
  /** This end has the filters; the other one has none. */
  isFiltering: boolean;
  portState: PortState;
}

/** Filters by which a GNS3 server suspends a link. */
const DROPS_ALL: Filters = { frequency_drop: [-1] };

interface NodePort extends Pick<TunnelSide, 'kind' | 'port'> {
  node: Pick<KindNode, 'project_id' | 'node_id'>;
}

const nioPath = ({ kind, node, port }: NodePort): string =>
  `${nodePath(kind, node)}/adapters/${port.adapter_number}/ports/${port.port_number}/nio`;

const putNio = async (plan: NioPlan, signal: AbortSignal): Promise<PutNio> => {
  const { side, place, portState, suspend, isFiltering } = plan;
  const { isTopolog } = place.compute;
  const address = { lport: plan.own.lport, rhost: plan.other.host, rport: plan.other.lport };
  const filters = isFiltering && suspend && !isTopolog ? DROPS_ALL : plan.filters;
  const nio = { type: 'nio_udp', ...address, filters, suspend };
  const put = { address: JSON.stringify(address), body: JSON.stringify(nio) };
  const last = typeof portState === 'string' ? null : portState;
  if (last?.body === put.body) return put;
  const request = (method: 'POST' | 'PUT' | 'DELETE'): Promise<unknown> =>
    place.compute.client.request(method, nioPath(side), { ...(method === 'DELETE' ? {} : { body: nio }), signal });
  const { nio_update } = side.kind.capabilities;
  if (isTopolog) await atTopolog(request, nio_update && portState !== 'none' && portState !== 'unknown');
  else if (portState === 'as made' || last?.address === put.address) await changeInPlace(request, nio_update);
  else await atGns3(request, portState);
  return put;
};

type Request = (method: 'POST' | 'PUT' | 'DELETE') => Promise<unknown>;

/** A Topolog replaces the NIO of a port by a second one. */
const atTopolog = async (request: Request, isThere: boolean): Promise<void> => {
  if (isThere && (await isTaken(request('PUT')))) return;
  await request('POST');
};

/** A GNS3 server changes only the filters of a NIO. For kinds without filters there is nothing to change. */
const changeInPlace = async (request: Request, nio_update: boolean): Promise<void> => {
  if (nio_update && !(await isTaken(request('PUT')))) await atGns3(request, 'unknown');
};

/**
 * Never posts where a NIO may be: the switches and routers of a GNS3 server open a second socket before they check the port, and that
 * socket gets the frames from then on, even if the request is refused with 409.
 */
const atGns3 = async (request: Request, portState: PortState): Promise<void> => {
  if (portState === 'none' && (await isTaken(request('POST')))) return;
  await request('DELETE').catch(unlessGone);
  await request('POST');
};

/** Whether the request succeeded; false: there is no NIO to change (404), or there is one already (409). */
const isTaken = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: unknown) => {
      if (isPortTaken(error)) throw error;
      unlessGone(error);
      return false;
    },
  );

/** Whether another program has the UDP port. */
export const isPortTaken = (error: unknown): boolean =>
  error instanceof TopologError && error.details['field'] === 'lport';

const unlessGone = (error: unknown): void => {
  const status = statusOf(error);
  if (status !== 404 && status !== 409) throw error;
};

/** Index of an end of a tunnel. */
export type EndIndex = 0 | 1;

interface Filtered {
  sides: readonly [TunnelSide, TunnelSide];
  suspend: boolean;
  filters: Filters;
}

/**
 * The end that carries the filters of both directions: an exact one, which filters each direction by itself, else one whose kind can
 * filter. Throws `conflict` where no end can have them.
 */
export const filteringEnd = (
  { sides, filters, suspend }: Filtered,
  isExact: (side: TunnelSide) => boolean,
): EndIndex => {
  const exact = sides.findIndex(isExact);
  if (exact !== -1) return exact as EndIndex;
  const ours = Object.keys(filters).find(isOurs);
  if (ours !== undefined)
    throw conflict(`neither ${sides[0].compute_id} nor ${sides[1].compute_id} knows the filter ${ours}`, {
      field: `filters.${ours}`,
    });
  const able = sides.findIndex(({ kind }) => kind.capabilities.filters);
  if (able !== -1) return able as EndIndex;
  const isFiltered = Object.keys(filters).length > 0;
  if (!isFiltered && !suspend) return 0;
  const names = sides.map(({ node, compute_id }) => `${node.name} on ${compute_id}`);
  throw conflict(`neither ${names.join(' nor ')} can filter frames`, { field: isFiltered ? 'filters' : 'suspend' });
};

type EndPort = Pick<TunnelSide, 'port' | 'compute_id'>;

interface Parts {
  computes: Computes;
  plumbing: Pick<Plumbing, 'putTunnel' | 'removeCable'>;
  /** Id of the link on record at this port, if its node is at this compute. */
  linkAt(end: EndPort): string | undefined;
}

/** The desired state of an end. */
export interface WantedEnd extends Omit<NioPlan, 'place' | 'portState'> {
  link_id: string;
  project_id: string;
  /** The tunnel in the log: both ends were put (`joined`), their addresses are recorded (`made`), or neither. */
  log: 'joined' | 'made' | 'new';
  /** null: this server. */
  place: NioPlan['place'] | null;
}

type NamedPort = Parameters<typeof nioPath>[0] & EndPort;

interface KnownPort {
  compute_id: string;
  link_id: string;
  prepared: PreparedNode;
  /** null: not known. */
  nio: PutNio | null;
}

/**
 * Puts and removes the ends of tunnels. A compute knows a NIO by its port and not by its link. So the requests for one port run one
 * after another, and each is made only if the records still want it: a late removal of a deleted link must not remove the next link's NIO.
 */
export class TunnelEnds {
  readonly #parts: Parts;
  readonly #turns = new Mailboxes();
  /** NIOs that were put, by port: an equal one need not be put again. */
  readonly #ports = new Map<string, KnownPort>();
  /** Ports with a NIO of no link, which could not be removed while their compute was away. */
  readonly #leftovers = new Map<string, NamedPort>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Forgets the NIOs at a compute, which may have lost them. */
  forgetAt(computeId: string): void {
    for (const [key, { compute_id }] of this.#ports) if (compute_id === computeId) this.#ports.delete(key);
  }

  /** Whether the link is still at this port, and its node there. */
  isWanted(link_id: string, end: EndPort): boolean {
    return this.#parts.linkAt(end) === link_id;
  }

  /** The NIO that was put for the link at this node since the node was prepared; null: not known. */
  known(link_id: string, side: EndPort, prepared: PreparedNode): PutNio | null {
    const found = this.#ports.get(keyOf(side));
    return found?.link_id === link_id && found.prepared === prepared ? found.nio : null;
  }

  #portState(key: string, { link_id, prepared, log }: Pick<WantedEnd, 'link_id' | 'prepared' | 'log'>): PortState {
    const known = this.#ports.get(key);
    if (known?.prepared === prepared) {
      if (known.nio === null) return 'unknown';
      return known.link_id === link_id ? known.nio : 'of another';
    }
    if (prepared.isNew) return 'none';
    if (this.#leftovers.has(key)) return 'of another';
    return ({ joined: 'as made', made: 'unknown', new: 'none' } as const)[log];
  }

  put({ place, ...wanted }: WantedEnd, signal: AbortSignal): Promise<void> {
    const { link_id, project_id, side, own, other, filters, suspend, prepared } = wanted;
    const { compute_id, port } = side;
    const key = keyOf(side);
    return this.#turns.run(key, async () => {
      if (!this.isWanted(link_id, side)) return;
      if (place === null) {
        // The cable has the link's id, so that only one end of a tunnel can be in one fabric.
        const address = { lport: own.lport, rhost: other.host, rport: other.lport };
        const nio = { type: 'nio_udp', ...address, filters, suspend };
        return this.#parts.plumbing.putTunnel({ cable_id: link_id, project_id, port, nio });
      }
      const portState = this.#portState(key, wanted);
      const known = { compute_id, link_id, prepared };
      // The state is not known until the answer has come.
      this.#ports.set(key, { ...known, nio: null });
      const nio = await retryWithoutFabric(() => putNio({ ...wanted, place, portState }, signal));
      this.#ports.set(key, { ...known, nio });
      this.#leftovers.delete(key);
    });
  }

  /** Removes an end. Succeeds where its compute is away or has forgotten it: the next link at the port replaces the NIO. */
  remove(link_id: string, side: TunnelSide): Promise<void> {
    return this.#turns.run(keyOf(side), async () => {
      if (this.#parts.computes.isHere(side.compute_id)) return this.#parts.plumbing.removeCable(link_id);
      const there = this.#parts.linkAt(side);
      if (there === undefined || there === link_id) await this.#delete(side);
    });
  }

  /** Removes the NIO of a port without a link at another compute. */
  clear(side: NamedPort): Promise<void> {
    return this.#turns.run(keyOf(side), async () => {
      if (this.#parts.linkAt(side) === undefined) await this.#delete(side);
    });
  }

  /** Removes the NIOs that could not be removed while the compute was away. */
  async clearLeftovers(computeId: string): Promise<void> {
    for (const [key, side] of this.#leftovers)
      if (side.compute_id === computeId) {
        await this.clear(side);
        this.#leftovers.delete(key);
      }
  }

  async #delete(side: NamedPort): Promise<void> {
    const key = keyOf(side);
    const known = this.#ports.get(key);
    if (known !== undefined) this.#ports.set(key, { ...known, nio: null });
    const { compute } = this.#parts.computes.find(side.compute_id) ?? {};
    if (compute?.isConnected === true)
      await retryWithoutFabric(() => compute.client.request('DELETE', nioPath(side))).catch(unlessAway);
    if (compute?.isConnected === false) this.#leftovers.set(key, side);
    this.#ports.delete(key);
  }
}

const keyOf = ({ compute_id, port }: EndPort): string => `${compute_id} ${portKey(port)}`;

/** Pauses before a request is repeated that was refused because the compute's fabric was just restarting. Milliseconds. */
const AGAIN_MS = [100, 300, 600, 1_000, 2_000];
const NO_FABRIC = 503;

/** Repeats a request while the compute's fabric restarts. */
const retryWithoutFabric = async <T>(request: () => Promise<T>): Promise<T> => {
  for (const pause of AGAIN_MS) {
    try {
      return await request();
    } catch (error) {
      if (statusOf(error) !== NO_FABRIC) throw error;
    }
    await sleep(pause, undefined, { ref: false });
  }
  return request();
};

/** A compute that is away is cleaned up when it is back. */
const unlessAway = ignoreErrors('not_found', 'conflict', 'compute_unreachable');
