import { type ArpMessage, decodeArp, encodeArp } from '../../codecs/arp.ts';
import { encodeEthernet, ETHERTYPE_ARP } from '../../codecs/ethernet.ts';
import { BROADCAST_MAC, isGroupMac } from '../../codecs/mac-address.ts';
import type { Waits } from './waits.ts';

/** Milliseconds that an answer is believed. */
const ENTRY_LIFE = 120_000;
const REQUEST_TRIES = 3;
const REQUEST_WAIT = 1000;
/** RFC 5227 asks for up to 7 s; a lab cannot wait that long for each address: 2 probes, 200 ms apart and after. */
const DUPLICATE_PROBES = 2;
const DUPLICATE_WAIT = 200;
/** Bounds against floods of made-up neighbours. */
const MOST_ENTRIES = 1024;
const MOST_REQUESTS = 64;

interface Options {
  mac: number;
  now: () => number;
  waits: Waits;
  send: (frame: Uint8Array) => void;
  /** The host's own address now. */
  address: () => number | null;
}

/** One question under way. `heard` ends the wait of the present try. */
interface Question {
  answer: Promise<number | null>;
  heard: (mac: number) => void;
}

export class ArpResolver {
  readonly #options: Options;
  readonly #table = new Map<number, { mac: number; expires: number }>();
  /** These two are made when they are needed: most hosts ask nobody most of the time. */
  #asked: Map<number, Question> | null = null;
  #probed: Map<number, () => void> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  known(address: number): number | null {
    const entry = this.#table.get(address);
    return entry !== undefined && entry.expires > this.#options.now() ? entry.mac : null;
  }

  /** MAC of a neighbour; asks when it is not known. Null when nobody answers. */
  resolve(address: number, signal?: AbortSignal): Promise<number | null> {
    const present = this.known(address);
    if (present !== null) return Promise.resolve(present);
    // The question is shared; each caller's signal ends only its own wait.
    const mine = this.#options.waits.wait<number | null>((REQUEST_TRIES + 1) * REQUEST_WAIT, null, signal);
    void this.#question(address).then(mine.settle);
    return mine.promise;
  }

  /** True when somebody else on the network has the address or wants it. */
  async inUse(address: number, signal?: AbortSignal): Promise<boolean> {
    const probed = (this.#probed ??= new Map<number, () => void>());
    for (let tries = 0; tries < DUPLICATE_PROBES; tries++) {
      const wait = this.#options.waits.wait(DUPLICATE_WAIT, false, signal);
      probed.set(address, () => wait.settle(true));
      this.#ask(address, 0);
      const conflict = await wait.promise;
      probed.delete(address);
      if (conflict) return true;
    }
    if (probed.size === 0) this.#probed = null;
    return false;
  }

  /** Tells everybody (gratuitous ARP), so that old entries for the address are replaced. */
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
    // RFC 5227 section 2.1.1: a sender with the address, or a probe of another host that wants it as well.
    this.#probed?.get(senderAddress === 0 ? targetAddress : senderAddress)?.();
    const own = this.#options.address();
    const forUs = own !== null && targetAddress === own;
    if (senderAddress !== 0 && (forUs || this.#table.has(senderAddress) || this.#asked?.has(senderAddress) === true)) {
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
    this.#asked?.get(address)?.heard(neighbour);
  }

  async #repeatQuestion(address: number, question: Question): Promise<number | null> {
    const { waits } = this.#options;
    for (let tries = 0; tries < REQUEST_TRIES && !waits.stopped; tries++) {
      const wait = waits.wait<number | null>(REQUEST_WAIT, null);
      question.heard = wait.settle;
      // A neighbour on an embedded cable answers within this call.
      this.#ask(address, this.#options.address() ?? 0);
      const found = await wait.promise;
      if (found !== null) return found;
    }
    return null;
  }

  #question(address: number): Promise<number | null> {
    const asked = (this.#asked ??= new Map<number, Question>());
    const open = asked.get(address);
    if (open !== undefined) return open.answer;
    if (asked.size >= MOST_REQUESTS) return Promise.resolve(null);
    const fresh: Question = { answer: Promise.resolve(null), heard: () => undefined };
    asked.set(address, fresh);
    fresh.answer = this.#repeatQuestion(address, fresh).finally(() => asked.delete(address));
    return fresh.answer;
  }
}
