import type { IpAddress } from '../../codecs/ip-address.ts';
import type { Waits } from './waits.ts';

const TRIES = 3;
const WAIT = 1000;
/** Bound against floods of made-up neighbours. */
const MOST = 64;
/** RFC 5227 and RFC 4862 require longer waits than a lab can afford for each address: 2 probes, each followed by 200 ms. */
const DUPLICATE_PROBES = 2;
const DUPLICATE_WAIT = 200;

interface Options<A extends IpAddress> {
  waits: Waits;
  /** Asks the network once. */
  ask: (address: A) => void;
}

/** A query under way. `heard` ends the wait of the present try. */
interface Query {
  answer: Promise<number | null>;
  heard: (mac: number) => void;
}

/** Queries for the MAC of neighbours, by ARP or neighbour discovery. Concurrent callers share a query. */
export class NeighbourQueries<A extends IpAddress> {
  readonly #options: Options<A>;
  readonly #open = new Map<A, Query>();

  constructor(options: Options<A>) {
    this.#options = options;
  }

  has(address: A): boolean {
    return this.#open.has(address);
  }

  answer(address: A, mac: number): void {
    this.#open.get(address)?.heard(mac);
  }

  /** Null when nobody answers. Each caller's signal ends only its own wait. */
  resolve(address: A, signal?: AbortSignal): Promise<number | null> {
    const mine = this.#options.waits.wait<number | null>((TRIES + 1) * WAIT, null, signal);
    void this.#query(address).then(mine.settle);
    return mine.promise;
  }

  #query(address: A): Promise<number | null> {
    const open = this.#open.get(address);
    if (open !== undefined) return open.answer;
    if (this.#open.size >= MOST) return Promise.resolve(null);
    const fresh: Query = { answer: Promise.resolve(null), heard: () => undefined };
    this.#open.set(address, fresh);
    fresh.answer = this.#repeat(address, fresh).finally(() => this.#open.delete(address));
    return fresh.answer;
  }

  async #repeat(address: A, query: Query): Promise<number | null> {
    const { waits, ask } = this.#options;
    for (let tries = 0; tries < TRIES && !waits.stopped; tries++) {
      const wait = waits.wait<number | null>(WAIT, null);
      query.heard = wait.settle;
      // A neighbour on an embedded cable answers within this call.
      ask(address);
      const found = await wait.promise;
      if (found !== null) return found;
    }
    return null;
  }
}

/** Duplicate address detection: probes before a host takes an address. */
export class DuplicateCheck<A extends IpAddress> {
  readonly #options: Options<A>;
  readonly #probed = new Map<A, () => void>();

  constructor(options: Options<A>) {
    this.#options = options;
  }

  some(which: (address: A) => boolean): boolean {
    return [...this.#probed.keys()].some(which);
  }

  /** Reports that another host has the address or probes for it. */
  conflict(address: A): void {
    this.#probed.get(address)?.();
  }

  async inUse(address: A, signal?: AbortSignal): Promise<boolean> {
    for (let tries = 0; tries < DUPLICATE_PROBES; tries++) {
      const wait = this.#options.waits.wait(DUPLICATE_WAIT, false, signal);
      this.#probed.set(address, () => wait.settle(true));
      this.#options.ask(address);
      const conflict = await wait.promise;
      this.#probed.delete(address);
      if (conflict) return true;
    }
    return false;
  }
}
