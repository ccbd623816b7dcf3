import { concat } from '../../codecs/bytes.ts';
import {
  addressesOption,
  decodeDhcp,
  DHCP_CLIENT_PORT,
  DHCP_OPTION,
  DHCP_SERVER_PORT,
  DHCP_TYPE,
  type DhcpMessage,
  encodeDhcp,
  messageType,
  numberData,
  numberOption,
  textOption,
} from '../../codecs/dhcp.ts';
import { BROADCAST_IPV4, formatIpv4, isHostIpv4, prefixOf } from '../../codecs/ip-address.ts';
import { BROADCAST_MAC, writeMac } from '../../codecs/mac-address.ts';
import type { ModelContext } from '../../process/model.ts';
import type { Lease } from './ip-host.ts';
import type { IpLayer } from './ip-layer.ts';
import { type UdpLayer, udpOutgoing } from './udp-layer.ts';
import type { Waits } from './waits.ts';

/** Waits for an answer, one for each try. Milliseconds. */
const DISCOVER_WAITS = [1000, 2000, 4000];
const REQUEST_WAITS = [1000, 2000];
/** Types that answer a request. */
const ANSWERS = [DHCP_TYPE.ack, DHCP_TYPE.nak];

type DhcpProgress = (letter: 'D' | 'O' | 'R' | 'A') => void;

interface Options {
  exchange: DhcpExchange;
  waits: Waits;
  now: () => number;
  timer: ModelContext['timer'];
  random: () => number;
  inUse: (address: number, signal?: AbortSignal) => Promise<boolean>;
  /** Applies the settings of a lease to the host; null: removes its address. */
  install: (lease: Lease | null) => void;
}

/** RFC 2131, figure 5. */
export class DhcpClient {
  readonly #options: Options;
  #terms: LeaseTerms | null = null;
  #clock: { cancel(): void } | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  get lease(): Lease | null {
    return this.#terms?.lease ?? null;
  }

  async acquire(progress: DhcpProgress, signal?: AbortSignal): Promise<Lease | null> {
    const { exchange, inUse } = this.#options;
    for (const ms of DISCOVER_WAITS) {
      if (this.#over(signal)) return null;
      progress('D');
      const discover: ClientMessage = { type: 'discover', transaction: this.#transaction() };
      const offer = await exchange.ask(discover, [DHCP_TYPE.offer], ms, signal);
      const server = offer === null ? null : numberOption(offer, DHCP_OPTION.server);
      if (offer === null || server === null) continue;
      progress('O');
      const request = { transaction: discover.transaction, requested: offer.yourAddress, server };
      const granted = this.#grantIn(await this.#requestOffered(request, progress, signal));
      if (granted === null) continue;
      progress('A');
      if (await inUse(granted.address, signal)) exchange.send({ type: 'decline', ...request });
      else if (!this.#over(signal)) return this.#take(granted);
    }
    return null;
  }

  async #requestOffered(
    request: Omit<ClientMessage, 'type'>,
    progress: DhcpProgress,
    signal?: AbortSignal,
  ): Promise<DhcpMessage | null> {
    for (const ms of REQUEST_WAITS) {
      if (this.#over(signal)) return null;
      progress('R');
      const answer = await this.#options.exchange.ask({ type: 'request', ...request }, ANSWERS, ms, signal);
      if (answer !== null) return answer;
    }
    return null;
  }

  async renew(signal?: AbortSignal): Promise<Lease | null> {
    const held = this.#terms;
    if (held === null) return null;
    const renewed = await this.#extend(held, false, signal);
    return renewed ?? (this.#terms === held && !this.#over(signal) ? this.#extend(held, true, signal) : null);
  }

  /** Asks the server of the lease, or all servers when `rebinding`; null when none answered. */
  async #extend(held: LeaseTerms, rebinding: boolean, signal?: AbortSignal): Promise<Lease | null> {
    const request: ClientMessage = { type: 'request', transaction: this.#transaction(), clientAddress: held.address };
    if (!rebinding) request.unicast = held.server;
    const answer = await this.#options.exchange.ask(request, ANSWERS, REQUEST_WAITS[1] ?? 2000, signal);
    // Without an answer, or released or replaced meanwhile.
    if (answer === null || this.#terms !== held) return null;
    const granted = this.#grantIn(answer);
    if (granted?.address === held.address) return this.#take(granted);
    this.#lose();
    return this.acquire(() => undefined, signal);
  }

  release(): void {
    if (this.#terms === null) return;
    const { address, server } = this.#terms;
    const transaction = this.#transaction();
    this.#options.exchange.send({ type: 'release', transaction, clientAddress: address, server, unicast: server });
    this.#lose();
  }

  /** Forgets the lease, as the host got an address by other means. */
  forget(): void {
    this.#hold(null);
  }

  #transaction(): number {
    return Math.floor(this.#options.random() * 0x100000000);
  }

  #over(signal?: AbortSignal): boolean {
    return this.#options.waits.stopped || signal?.aborted === true;
  }

  /** null: no answer, or a refusal. */
  #grantIn(answer: DhcpMessage | null): LeaseTerms | null {
    return answer !== null && messageType(answer) === DHCP_TYPE.ack ? leaseTerms(answer, this.#options.now()) : null;
  }

  #take(next: LeaseTerms): Lease {
    this.#hold(next);
    this.#options.install(next.lease);
    return next.lease;
  }

  #lose(): void {
    this.#hold(null);
    this.#options.install(null);
  }

  #hold(next: LeaseTerms | null): void {
    this.#clock?.cancel();
    this.#clock = null;
    this.#terms = next;
    if (next !== null) this.#attend(next);
  }

  /** Sets the timer for the next step of a lease. */
  #attend(held: LeaseTerms): void {
    const { now, timer, waits } = this.#options;
    const wait = nextAttention(held, now() - held.lease.obtained);
    if (wait === Infinity) return;
    this.#clock = timer(wait, () => {
      const phase = leasePhase(held, now() - held.lease.obtained);
      if (phase === 'expired') return this.#lose();
      if (phase === 'bound') return this.#attend(held);
      void this.#extend(held, phase === 'rebinding').then(() => {
        if (this.#terms === held && !waits.stopped) this.#attend(held);
      });
    });
  }
}

interface ClientMessage {
  type: keyof typeof DHCP_TYPE;
  transaction: number;
  /** The lease being renewed or released; such a message comes from this address. */
  clientAddress?: number;
  requested?: number;
  server?: number;
  /** Address of the only server that gets it; absent: broadcast. */
  unicast?: number;
}

/** Sends messages of the client and matches replies to them. */
interface DhcpExchange {
  send: (message: ClientMessage) => void;
  /** The first reply of one of the types; null when none came in `ms`. */
  ask: (message: ClientMessage, types: number[], ms: number, signal?: AbortSignal) => Promise<DhcpMessage | null>;
}

interface ExchangeOptions {
  mac: number;
  hostName: string | null;
  ip: IpLayer;
  udp: UdpLayer;
  waits: Waits;
}

export function createDhcpExchange({ mac, hostName, ip, udp, waits }: ExchangeOptions): DhcpExchange {
  const asked = new Map<number, (reply: DhcpMessage) => void>();
  udp.bind(DHCP_CLIENT_PORT, (datagram) => {
    const reply = decodeDhcp(datagram.payload);
    if (reply?.operation === 'reply' && reply.clientMac === mac) asked.get(reply.transaction)?.(reply);
  });

  function send(message: ClientMessage): void {
    const payload = encodeDhcp(messageOf(message, mac, hostName));
    const datagram = { sourcePort: DHCP_CLIENT_PORT, destinationPort: DHCP_SERVER_PORT, payload };
    const source = message.clientAddress ?? 0;
    if (message.unicast === undefined) ip.transmit(BROADCAST_MAC, udpOutgoing(datagram, source, BROADCAST_IPV4));
    else ip.send(udpOutgoing(datagram, source, message.unicast));
  }

  return {
    send,
    async ask(message, types, ms, signal) {
      const wait = waits.wait<DhcpMessage | null>(ms, null, signal);
      asked.set(message.transaction, (reply) => {
        if (types.includes(messageType(reply) ?? 0)) wait.settle(reply);
      });
      ip.takesAnyAddress = true;
      send(message);
      const reply = await wait.promise;
      asked.delete(message.transaction);
      ip.takesAnyAddress = asked.size > 0;
      return reply;
    },
  };
}

function messageOf(message: ClientMessage, mac: number, hostName: string | null): DhcpMessage {
  const options = new Map<number, Uint8Array>([
    [DHCP_OPTION.messageType, Uint8Array.of(DHCP_TYPE[message.type])],
    [DHCP_OPTION.clientId, clientId(mac)],
  ]);
  if (message.requested !== undefined) options.set(DHCP_OPTION.requestedAddress, numberData(message.requested));
  if (message.server !== undefined) options.set(DHCP_OPTION.server, numberData(message.server));
  if (message.type === 'discover' || message.type === 'request') {
    if (hostName !== null) options.set(DHCP_OPTION.hostName, Buffer.from(hostName.slice(0, 63), 'latin1'));
    const { subnetMask, router, dns, domainName } = DHCP_OPTION;
    options.set(DHCP_OPTION.parameterList, Uint8Array.of(subnetMask, router, dns, domainName));
  }
  return {
    operation: 'request',
    transaction: message.transaction,
    seconds: 0,
    // The host accepts unicast replies before it has an address.
    broadcast: false,
    clientAddress: message.clientAddress ?? 0,
    yourAddress: 0,
    serverAddress: 0,
    relayAddress: 0,
    clientMac: mac,
    options,
  };
}

/** Hardware type 1 (Ethernet) and the MAC. */
function clientId(mac: number): Uint8Array {
  const bytes = new Uint8Array(6);
  writeMac(bytes, 0, mac);
  return concat(Uint8Array.of(1), bytes);
}

const INFINITE = 0xffffffff;
/** Defaults for servers that leave out options. */
const DEFAULT_SECONDS = 3600;
const DEFAULT_PREFIX = 24;
/** Milliseconds between two requests for the same lease, unless the lease is shorter. */
const SHORTEST_RETRY = 60_000;

/** The contents of a DHCPACK, with the times of RFC 2131 section 4.4.5. */
interface LeaseTerms {
  lease: Lease;
  address: number;
  server: number;
  /** Milliseconds after `lease.obtained`; Infinity for a lease without end. */
  renewAfter: number;
  rebindAfter: number;
  expiresAfter: number;
}

/** Null when the message grants no usable address. */
function leaseTerms(ack: DhcpMessage, now: number): LeaseTerms | null {
  const server = numberOption(ack, DHCP_OPTION.server);
  const address = ack.yourAddress;
  if (server === null || !isHostIpv4(address)) return null;
  const seconds = numberOption(ack, DHCP_OPTION.leaseTime) ?? DEFAULT_SECONDS;
  const [gateway] = addressesOption(ack, DHCP_OPTION.router).filter(isHostIpv4);
  const lease: Lease = {
    address: formatIpv4(address),
    prefix: prefixOf(numberOption(ack, DHCP_OPTION.subnetMask) ?? 0) || DEFAULT_PREFIX,
    gateway: gateway === undefined ? null : formatIpv4(gateway),
    server: formatIpv4(server),
    dns: addressesOption(ack, DHCP_OPTION.dns).filter(isHostIpv4).map(formatIpv4),
    domain: textOption(ack, DHCP_OPTION.domainName),
    seconds,
    obtained: now,
  };
  return { lease, address, server, ...moments(ack, seconds) };
}

function moments(ack: DhcpMessage, seconds: number): Pick<LeaseTerms, 'renewAfter' | 'rebindAfter' | 'expiresAfter'> {
  if (seconds === INFINITE) return { renewAfter: Infinity, rebindAfter: Infinity, expiresAfter: Infinity };
  const rebind = Math.min(numberOption(ack, DHCP_OPTION.rebindingTime) ?? seconds * 0.875, seconds);
  const renew = Math.min(numberOption(ack, DHCP_OPTION.renewalTime) ?? seconds * 0.5, rebind);
  return { renewAfter: renew * 1000, rebindAfter: rebind * 1000, expiresAfter: seconds * 1000 };
}

type LeasePhase = 'bound' | 'renewing' | 'rebinding' | 'expired';

function leasePhase(terms: LeaseTerms, elapsed: number): LeasePhase {
  if (elapsed >= terms.expiresAfter) return 'expired';
  if (elapsed >= terms.rebindAfter) return 'rebinding';
  return elapsed >= terms.renewAfter ? 'renewing' : 'bound';
}

/** Milliseconds until the next step: half of the rest of its phase, at least SHORTEST_RETRY. */
function nextAttention(terms: LeaseTerms, elapsed: number): number {
  const phase = leasePhase(terms, elapsed);
  if (phase === 'bound') return terms.renewAfter - elapsed;
  const left = (phase === 'renewing' ? terms.rebindAfter : terms.expiresAfter) - elapsed;
  return Math.max(0, Math.min(left, Math.max(left / 2, SHORTEST_RETRY)));
}
