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

export interface ArpResolver {
  /** MAC of a neighbour; asks when it is not known. Null when nobody answers. */
  resolve: (address: number, signal?: AbortSignal) => Promise<number | null>;
  known: (address: number) => number | null;
  /** True when somebody else on the wire has the address or wants it. */
  inUse: (address: number, signal?: AbortSignal) => Promise<boolean>;
  /** Tells everybody (gratuitous ARP), so that old entries for the address are replaced. */
  announce: (address: number) => void;
  entries(): { address: number; mac: number; expires: number }[];
  clear: () => void;
  receive: (payload: Uint8Array) => void;
}

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

export function createArpResolver(options: Options): ArpResolver {
  const { mac, now, waits } = options;
  const table = new Map<number, { mac: number; expires: number }>();
  const asked = new Map<number, Question>();
  const probed = new Map<number, () => void>();

  const send = (destination: number, message: ArpMessage): void =>
    options.send(
      encodeEthernet({ destination, source: mac, tags: [], ethertype: ETHERTYPE_ARP, payload: encodeArp(message) }),
    );
  const ask = (targetAddress: number, senderAddress: number): void =>
    send(BROADCAST_MAC, { operation: 'request', senderMac: mac, senderAddress, targetMac: 0, targetAddress });

  function known(address: number): number | null {
    const entry = table.get(address);
    return entry !== undefined && entry.expires > now() ? entry.mac : null;
  }

  function learn(address: number, neighbour: number): void {
    // Delete first: the Map then keeps the order of last use, and the oldest goes when it is full.
    table.delete(address);
    if (table.size >= MOST_ENTRIES) for (const oldest of [...table.keys()].slice(0, 1)) table.delete(oldest);
    table.set(address, { mac: neighbour, expires: now() + ENTRY_LIFE });
    asked.get(address)?.heard(neighbour);
  }

  async function repeatQuestion(address: number, question: Question): Promise<number | null> {
    for (let tries = 0; tries < REQUEST_TRIES && !waits.stopped; tries++) {
      const wait = waits.wait<number | null>(REQUEST_WAIT, null);
      question.heard = wait.settle;
      // A neighbour on an embedded wire answers within this call.
      ask(address, options.address() ?? 0);
      const found = await wait.promise;
      if (found !== null) return found;
    }
    return null;
  }

  function question(address: number): Promise<number | null> {
    const open = asked.get(address);
    if (open !== undefined) return open.answer;
    if (asked.size >= MOST_REQUESTS) return Promise.resolve(null);
    const fresh: Question = { answer: Promise.resolve(null), heard: () => undefined };
    asked.set(address, fresh);
    fresh.answer = repeatQuestion(address, fresh).finally(() => asked.delete(address));
    return fresh.answer;
  }

  function resolve(address: number, signal?: AbortSignal): Promise<number | null> {
    const present = known(address);
    if (present !== null) return Promise.resolve(present);
    // The question is shared; each caller's signal ends only its own wait.
    const mine = waits.wait<number | null>((REQUEST_TRIES + 1) * REQUEST_WAIT, null, signal);
    void question(address).then(mine.settle);
    return mine.promise;
  }

  async function inUse(address: number, signal?: AbortSignal): Promise<boolean> {
    for (let tries = 0; tries < DUPLICATE_PROBES; tries++) {
      const wait = waits.wait(DUPLICATE_WAIT, false, signal);
      probed.set(address, () => wait.settle(true));
      ask(address, 0);
      const conflict = await wait.promise;
      probed.delete(address);
      if (conflict) return true;
    }
    return false;
  }

  function receive(payload: Uint8Array): void {
    const message = decodeArp(payload);
    if (message === null || message.senderMac === mac || isGroupMac(message.senderMac)) return;
    const { senderAddress, targetAddress } = message;
    // RFC 5227 section 2.1.1: a sender with the address, or a probe of another host that wants it as well.
    probed.get(senderAddress === 0 ? targetAddress : senderAddress)?.();
    const own = options.address();
    const forUs = own !== null && targetAddress === own;
    if (senderAddress !== 0 && (forUs || table.has(senderAddress) || asked.has(senderAddress))) {
      learn(senderAddress, message.senderMac);
    }
    if (forUs && message.operation === 'request') {
      const reply = { senderMac: mac, senderAddress: own, targetMac: message.senderMac, targetAddress: senderAddress };
      send(message.senderMac, { operation: 'reply', ...reply });
    }
  }

  return {
    resolve,
    known,
    inUse,
    announce: (address) => ask(address, address),
    entries: () =>
      [...table]
        .filter(([, entry]) => entry.expires > now())
        .map(([address, entry]) => ({ address, mac: entry.mac, expires: entry.expires })),
    clear: () => table.clear(),
    receive,
  };
}
