import {
  ALL_DHCP_SERVERS,
  decodeDhcpv6,
  DHCPV6_CLIENT_PORT,
  DHCPV6_SERVER_PORT,
  DHCPV6_TYPE,
  type Dhcpv6Message,
  duidOf,
  encodeDhcpv6,
  type IdentityAssociation,
  type LeasedAddress,
} from '../../../codecs/ipv6/dhcpv6.ts';
import { isHostIpv6, isLinkLocalIpv6, multicastMac } from '../../../codecs/ip-address.ts';
import { INFINITE_LIFETIME } from '../../../codecs/ipv6/neighbour-discovery.ts';
import type { ModelContext } from '../../../process/model.ts';
import { type UdpLayer, udpOutgoing } from '../udp-layer.ts';
import type { Waits } from '../waits.ts';
import { endOf, type Ipv6Layer } from './ipv6-layer.ts';

/** Waits for an answer, one for each try. Shorter than in RFC 8415, for a user at a console. Milliseconds. */
const WAITS = [1000, 2000, 4000];
/** Prefix length of leased addresses: routers advertise what is on the link (RFC 8415, section 21.6). */
const PREFIX = 128;
/** Milliseconds between two requests for the same lease. */
const SHORTEST_RETRY = 60_000;

export interface Dhcpv6Lease extends LeasedAddress {
  server: Uint8Array;
  dns: bigint[];
}

interface Options {
  layer: Ipv6Layer;
  mac: number;
  now: () => number;
  timer: ModelContext['timer'];
  random: () => number;
  waits: Waits;
  udp: UdpLayer;
  /** Called when the lease has expired without a new one. */
  lost: () => void;
}

type Progress = (letter: 'S' | 'A' | 'R') => void;
type Kind = keyof typeof DHCPV6_TYPE;

/** One address by DHCPv6 (RFC 8415, section 18.2): solicit, request, then renew and rebind while it lasts. */
export class Dhcpv6Client {
  readonly #options: Options;
  readonly #duid: Uint8Array;
  /** The request under way. */
  #pending: { transaction: number; take: (message: Dhcpv6Message) => void } | null = null;
  #lease: Dhcpv6Lease | null = null;
  #clock: { cancel(): void } | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#duid = duidOf(options.mac);
    options.udp.bind(DHCPV6_CLIENT_PORT, (datagram) => {
      const message = decodeDhcpv6(datagram.payload);
      const isOurs = message?.clientId !== null && message !== null && isSame(message.clientId, this.#duid);
      if (isOurs && message.transaction === this.#pending?.transaction) this.#pending.take(message);
    });
  }

  get lease(): Dhcpv6Lease | null {
    return this.#lease;
  }

  /** Null when no server gives a free address. `progress` gets S, A and R as messages go and come. */
  async acquire(progress: Progress, signal?: AbortSignal): Promise<Dhcpv6Lease | null> {
    for (const ms of WAITS) {
      if (this.#isOver(signal)) return null;
      progress('S');
      const offer = await this.#ask('solicit', null, { ms, signal });
      const { serverId: server, association } = offer ?? {};
      if (server == null || association?.addresses[0] === undefined) continue;
      progress('A');
      progress('R');
      const reply = await this.#ask('request', { server, addresses: association.addresses }, { ms, signal });
      const lease = this.#leaseIn(reply);
      if (lease === null) continue;
      progress('A');
      if (await this.#take(lease, signal)) return lease;
      this.#send('decline', { server: lease.server, addresses: [lease] });
    }
    return null;
  }

  release(): void {
    if (this.#lease !== null) this.#send('release', { server: this.#lease.server, addresses: [this.#lease] });
    this.forget();
  }

  /** Forgets the lease and removes its address. */
  forget(): void {
    this.#clock?.cancel();
    this.#clock = null;
    this.#lease = null;
    this.#options.layer.addresses.remove(({ origin }) => origin === 'dhcp');
  }

  #isOver(signal?: AbortSignal): boolean {
    return this.#options.waits.stopped || signal?.aborted === true;
  }

  async #take(lease: Dhcpv6Lease, signal?: AbortSignal): Promise<boolean> {
    const { layer, now } = this.#options;
    const { address, preferred, valid } = lease;
    const times = { preferredUntil: endOf(preferred, now()), validUntil: endOf(valid, now()) };
    const own = { address, prefix: PREFIX, origin: 'dhcp', ...times } as const;
    const isNew = !layer.addresses.has(address);
    if (isNew && !(await layer.assign(own, signal))) return false;
    layer.addresses.remove((one) => one.origin === 'dhcp' && one.address !== address);
    if (!isNew) layer.addresses.add(own);
    this.#lease = lease;
    return true;
  }

  #leaseIn(reply: Dhcpv6Message | null): Dhcpv6Lease | null {
    const association = reply?.association ?? null;
    const [leased] = (association?.addresses ?? []).filter(
      ({ address, valid, preferred }) =>
        isHostIpv6(address) && !isLinkLocalIpv6(address) && valid > 0 && preferred <= valid,
    );
    if (reply?.serverId == null || association === null || leased === undefined) return null;
    if (reply.status !== 0 || association.status !== 0) return null;
    this.#attendAfter(association, leased);
    return { ...leased, server: reply.serverId, dns: reply.dns };
  }

  /** Renews and rebinds at the server's times, or after a half and four fifths of the lifetime (section 14.2). */
  #attendAfter({ renewAfter, rebindAfter }: IdentityAssociation, { preferred, valid }: LeasedAddress): void {
    if (valid === INFINITE_LIFETIME) return;
    const renew = (renewAfter > 0 ? renewAfter : preferred / 2) * 1000;
    const rebind = (rebindAfter > 0 ? rebindAfter : preferred * 0.8) * 1000;
    const end = this.#options.now() + valid * 1000;
    this.#attend(renew, { rebindAt: this.#options.now() + rebind, end });
  }

  #attend(after: number, times: { rebindAt: number; end: number }): void {
    const { now, timer } = this.#options;
    this.#clock?.cancel();
    this.#clock = timer(after, () => {
      const held = this.#lease;
      if (held === null) return;
      if (now() >= times.end) {
        this.forget();
        return this.#options.lost();
      }
      void this.#extend(held, now() >= times.rebindAt).then((isDone) => {
        const left = Math.max(0, times.end - now());
        if (!isDone && this.#lease === held) this.#attend(Math.min(left, Math.max(left / 4, SHORTEST_RETRY)), times);
      });
    });
  }

  async #extend(held: Dhcpv6Lease, isRebinding: boolean): Promise<boolean> {
    const about = { server: isRebinding ? null : held.server, addresses: [held] };
    const reply = await this.#ask(isRebinding ? 'rebind' : 'renew', about, { ms: WAITS[1] ?? 2000 });
    const lease = this.#lease === held ? this.#leaseIn(reply) : null;
    return lease !== null && this.#take(lease);
  }

  async #ask(
    kind: Kind,
    about: { server: Uint8Array | null; addresses: readonly LeasedAddress[] } | null,
    { ms, signal }: { ms: number; signal?: AbortSignal | undefined },
  ): Promise<Dhcpv6Message | null> {
    const wait = this.#options.waits.wait<Dhcpv6Message | null>(ms, null, signal);
    const wanted = kind === 'solicit' ? DHCPV6_TYPE.advertise : DHCPV6_TYPE.reply;
    const transaction = Math.floor(this.#options.random() * 0x1000000);
    const take = (message: Dhcpv6Message): void => {
      if (message.type === wanted) wait.settle(message);
    };
    this.#pending = { transaction, take };
    this.#send(kind, about, transaction);
    return wait.promise;
  }

  #send(
    kind: Kind,
    about: { server: Uint8Array | null; addresses: readonly LeasedAddress[] } | null,
    transaction = Math.floor(this.#options.random() * 0x1000000),
  ): void {
    const { layer, mac } = this.#options;
    const payload = encodeDhcpv6({
      type: DHCPV6_TYPE[kind],
      transaction,
      clientId: this.#duid,
      serverId: about?.server ?? null,
      status: 0,
      dns: [],
      association: {
        id: mac % 0x100000000,
        renewAfter: 0,
        rebindAfter: 0,
        status: 0,
        addresses: (about?.addresses ?? []).map(({ address }) => ({ address, preferred: 0, valid: 0 })),
      },
    });
    const datagram = { sourcePort: DHCPV6_CLIENT_PORT, destinationPort: DHCPV6_SERVER_PORT, payload };
    layer.transmit(multicastMac(ALL_DHCP_SERVERS), udpOutgoing(datagram, layer.linkLocal, ALL_DHCP_SERVERS));
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((octet, index) => octet === b[index]);
