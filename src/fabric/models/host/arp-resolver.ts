import { type ArpMessage, decodeArp, encodeArp } from '../../codecs/arp.ts';
import { encodeEthernet, ETHERTYPE_ARP } from '../../codecs/ethernet.ts';
import { BROADCAST_MAC, isGroupMac } from '../../codecs/mac-address.ts';
import { DuplicateCheck, NeighbourQueries } from './neighbour-queries.ts';
import type { Waits } from './waits.ts';

/** Lifetime of an entry. Milliseconds. */
const ENTRY_LIFE = 120_000;
/** Bound against floods of made-up neighbours. */
const MOST_ENTRIES = 1024;

interface Options {
  mac: number;
  now: () => number;
  waits: Waits;
  send: (frame: Uint8Array) => void;
  /** The host's own address now. */
  address: () => number | null;
}

export class ArpResolver {
  readonly #options: Options;
  readonly #table = new Map<number, { mac: number; expires: number }>();
  /** These two are made when first needed, as most hosts rarely ask. */
  #queries: NeighbourQueries<number> | null = null;
  #duplicates: DuplicateCheck<number> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  known(address: number): number | null {
    const entry = this.#table.get(address);
    return entry !== undefined && entry.expires > this.#options.now() ? entry.mac : null;
  }

  /** MAC of a neighbour, by ARP when it is unknown. Null when nobody answers. */
  resolve(address: number, signal?: AbortSignal): Promise<number | null> {
    const present = this.known(address);
    if (present !== null) return Promise.resolve(present);
    const ask = (wanted: number): void => this.#ask(wanted, this.#options.address() ?? 0);
    this.#queries ??= new NeighbourQueries({ waits: this.#options.waits, ask });
    return this.#queries.resolve(address, signal);
  }

  /** True when another host has the address or probes for it. */
  inUse(address: number, signal?: AbortSignal): Promise<boolean> {
    const ask = (wanted: number): void => this.#ask(wanted, 0);
    this.#duplicates ??= new DuplicateCheck({ waits: this.#options.waits, ask });
    return this.#duplicates.inUse(address, signal);
  }

  /** Sends a gratuitous ARP, so that others replace old entries for the address. */
  announce(address: number): void {
    this.#ask(address, address);
  }

  entries(): { address: number; mac: number; expires: number }[] {
    return [...this.#table]
      .filter(([, entry]) => entry.expires > this.#options.now())
      .map(([address, entry]) => ({ address, mac: entry.mac, expires: entry.expires }));
  }

  clear(): void {
    this.#table.clear();
  }

  receive(payload: Uint8Array): void {
    const message = decodeArp(payload);
    if (message === null || message.senderMac === this.#options.mac || isGroupMac(message.senderMac)) return;
    const { senderAddress, targetAddress } = message;
    // RFC 5227 section 2.1.1: the sender has the address, or probes for it as well.
    this.#duplicates?.conflict(senderAddress === 0 ? targetAddress : senderAddress);
    const own = this.#options.address();
    const forUs = own !== null && targetAddress === own;
    if (
      senderAddress !== 0 &&
      (forUs || this.#table.has(senderAddress) || this.#queries?.has(senderAddress) === true)
    ) {
      this.#learn(senderAddress, message.senderMac);
    }
    if (forUs && message.operation === 'request') {
      const senderMac = this.#options.mac;
      const reply = { senderMac, senderAddress: own, targetMac: message.senderMac, targetAddress: senderAddress };
      this.#send(message.senderMac, { operation: 'reply', ...reply });
    }
  }

  #send(destination: number, message: ArpMessage): void {
    const { mac: source, send } = this.#options;
    send(encodeEthernet({ destination, source, tags: [], ethertype: ETHERTYPE_ARP, payload: encodeArp(message) }));
  }

  #ask(targetAddress: number, senderAddress: number): void {
    const { mac: senderMac } = this.#options;
    this.#send(BROADCAST_MAC, { operation: 'request', senderMac, senderAddress, targetMac: 0, targetAddress });
  }

  #learn(address: number, neighbour: number): void {
    const table = this.#table;
    // Delete first: the Map then keeps the order of last use, and the oldest goes when it is full.
    table.delete(address);
    if (table.size >= MOST_ENTRIES) for (const oldest of [...table.keys()].slice(0, 1)) table.delete(oldest);
    table.set(address, { mac: neighbour, expires: this.#options.now() + ENTRY_LIFE });
    this.#queries?.answer(address, neighbour);
  }
}
