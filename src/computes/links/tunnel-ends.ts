import { setTimeout as sleep } from 'node:timers/promises';
import { Mailboxes } from '../../common/mailbox.ts';
import { type Plumbing, portKey } from '../../fabric/client/plumbing.ts';
import { statusOf, unless } from '../client/errors.ts';
import type { Computes } from '../computes.ts';
import type { Prepared } from '../nodes/remote-nodes.ts';
import { type AtPort, nioPath, type NioPutting, putNio, type PutNio, type TunnelSide } from './nios.ts';

type EndPort = Pick<TunnelSide, 'port' | 'compute_id'>;

interface Parts {
  computes: Computes;
  plumbing: Pick<Plumbing, 'putTunnel' | 'removeCable'>;
  /** The link on record at this port of a node that is at this compute. */
  linkAt(end: EndPort): string | undefined;
}

/** An end as it is to be. */
export interface WantedEnd extends Omit<NioPutting, 'place' | 'there'> {
  link_id: string;
  project_id: string;
  /** Its state in the log: both ends were put, were to be put, or never were. */
  log: 'joined' | 'made' | 'new';
  /** null: this server. */
  place: NioPutting['place'] | null;
}

type NamedPort = Parameters<typeof nioPath>[0] & EndPort;

interface KnownPort {
  compute_id: string;
  link_id: string;
  prepared: Prepared;
  /** null: it is not known what is there. */
  nio: PutNio | null;
}

/**
 * The ends of tunnels. A compute knows a NIO by its port and not by its link. So at each port one thing is done after another, and only
 * what the records of that moment want: what comes late of a link that has gone takes nothing from the next one at its port.
 */
export class TunnelEnds {
  readonly #parts: Parts;
  readonly #turns = new Mailboxes();
  /** NIOs put there, by port: an equal one need not be put again. */
  readonly #ports = new Map<string, KnownPort>();
  /** Ports whose NIO nobody wants, and whose compute was away when it was to go. */
  readonly #left = new Map<string, NamedPort>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Its compute may have forgotten them. */
  forgetAt(computeId: string): void {
    for (const [key, { compute_id }] of this.#ports) if (compute_id === computeId) this.#ports.delete(key);
  }

  /** Whether the link is still at this port, and its node there. */
  isWanted(link_id: string, end: EndPort): boolean {
    return this.#parts.linkAt(end) === link_id;
  }

  /** As the link's NIO was put at the node as it is prepared now; null: it is not known. */
  known(link_id: string, side: EndPort, prepared: Prepared): PutNio | null {
    const found = this.#ports.get(keyOf(side));
    return found?.link_id === link_id && found.prepared === prepared ? found.nio : null;
  }

  #atPort(key: string, { link_id, prepared, log }: Pick<WantedEnd, 'link_id' | 'prepared' | 'log'>): AtPort {
    const known = this.#ports.get(key);
    if (known?.prepared === prepared) {
      if (known.nio === null) return 'unknown';
      return known.link_id === link_id ? known.nio : 'of another';
    }
    if (prepared.isNew) return 'none';
    if (this.#left.has(key)) return 'of another';
    return ({ joined: 'as made', made: 'unknown', new: 'none' } as const)[log];
  }

  put({ place, ...wanted }: WantedEnd, signal: AbortSignal): Promise<void> {
    const { link_id, project_id, side, own, other, filters, suspend, prepared } = wanted;
    const { compute_id, port } = side;
    const key = keyOf(side);
    return this.#turns.run(key, async () => {
      if (!this.isWanted(link_id, side)) return;
      if (place === null) {
        // Both ends of a cable of this fabric would have its name.
        const address = { lport: own.lport, rhost: other.host, rport: other.lport };
        const nio = { type: 'nio_udp', ...address, filters, suspend };
        return this.#parts.plumbing.putTunnel({ cable_id: link_id, project_id, port, nio });
      }
      const there = this.#atPort(key, wanted);
      const known = { compute_id, link_id, prepared };
      // Until the answer is there nobody knows what is.
      this.#ports.set(key, { ...known, nio: null });
      const nio = await patiently(() => putNio({ ...wanted, place, there }, signal));
      this.#ports.set(key, { ...known, nio });
      this.#left.delete(key);
    });
  }

  /** One whose compute is away, or has forgotten it, is gone already. The next link at its port replaces it. */
  remove(link_id: string, side: TunnelSide): Promise<void> {
    return this.#turns.run(keyOf(side), async () => {
      if (this.#parts.computes.isHere(side.compute_id)) return this.#parts.plumbing.removeCable(link_id);
      const there = this.#parts.linkAt(side);
      if (there === undefined || there === link_id) await this.#delete(side);
    });
  }

  /** Takes away what is at a port of another compute without a link. */
  clear(side: NamedPort): Promise<void> {
    return this.#turns.run(keyOf(side), async () => {
      if (this.#parts.linkAt(side) === undefined) await this.#delete(side);
    });
  }

  /** Takes away what was left while the compute was away. */
  async clearLeft(computeId: string): Promise<void> {
    for (const [key, side] of this.#left)
      if (side.compute_id === computeId) {
        await this.clear(side);
        this.#left.delete(key);
      }
  }

  async #delete(side: NamedPort): Promise<void> {
    const key = keyOf(side);
    const known = this.#ports.get(key);
    if (known !== undefined) this.#ports.set(key, { ...known, nio: null });
    const { compute } = this.#parts.computes.find(side.compute_id) ?? {};
    if (compute?.isConnected === true)
      await patiently(() => compute.client.request('DELETE', nioPath(side))).catch(unlessAway);
    if (compute?.isConnected === false) this.#left.set(key, side);
    this.#ports.delete(key);
  }
}

const keyOf = ({ compute_id, port }: EndPort): string => `${compute_id} ${portKey(port)}`;

/** Pauses before a request is repeated that came while the fabric there was being started again. Milliseconds. */
const AGAIN_MS = [100, 300, 600, 1_000, 2_000];
const NO_FABRIC = 503;

const patiently = async <T>(request: () => Promise<T>): Promise<T> => {
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

/** What a compute that is away has left is looked at when it is back. */
const unlessAway = unless('not_found', 'conflict', 'compute_unreachable');
