import type { ModelContext } from '../../../process/model.ts';
import { NeighbourQueries } from '../neighbour-queries.ts';
import type { Waits } from '../waits.ts';

/** Milliseconds, RFC 4861 section 10. */
const REACHABLE_TIME = 30_000;
const DELAY_FIRST_PROBE = 5000;
const RETRANSMIT = 1000;
const MOST_PROBES = 3;
/** Bound against floods of made-up neighbours. */
const MOST_ENTRIES = 1024;

/** RFC 4861, section 7.3.2; an incomplete neighbour has no entry. */
export type NeighbourState = 'reachable' | 'stale' | 'delay' | 'probe';

interface Entry {
  mac: number;
  state: NeighbourState;
  isRouter: boolean;
  /** `now()` at the last proof that it is there. */
  proved: number;
  clock: { cancel(): void } | null;
}

export interface Neighbour {
  address: bigint;
  mac: number;
  state: NeighbourState;
  isRouter: boolean;
}

interface Options {
  now: () => number;
  timer: ModelContext['timer'];
  waits: Waits;
  /** Sends a solicitation; to the neighbour itself when its MAC is given. */
  solicit: (target: bigint, mac: number | null) => void;
}

/** The MACs of neighbours, and whether they are still there. */
export class NeighbourCache {
  readonly #options: Options;
  readonly #entries = new Map<bigint, Entry>();
  readonly #queries: NeighbourQueries<bigint>;

  constructor(options: Options) {
    this.#options = options;
    this.#queries = new NeighbourQueries({ waits: options.waits, ask: (address) => options.solicit(address, null) });
  }

  /** MAC to send to; starts to probe a stale neighbour. null: unknown. */
  use(address: bigint): number | null {
    const entry = this.#entries.get(address);
    if (entry === undefined) return null;
    if (this.#stateOf(entry) === 'stale') this.#watch(address, entry);
    return entry.mac;
  }

  /** MAC of a neighbour, solicited when it is unknown. Null when nobody answers. */
  resolve(address: bigint, signal?: AbortSignal): Promise<number | null> {
    const present = this.use(address);
    return present === null ? this.#queries.resolve(address, signal) : Promise.resolve(present);
  }

  /** Learns from a message that has the sender's MAC. */
  learn(address: bigint, mac: number): void {
    const entry = this.#entries.get(address);
    if (entry?.mac !== mac) this.#put(address, { mac, state: 'stale', isRouter: entry?.isRouter ?? false });
    this.#queries.answer(address, mac);
  }

  /** Takes an advertisement of a neighbour; RFC 4861, section 7.2.5. */
  advertised(
    address: bigint,
    advertisement: { mac: number | null; solicited: boolean; override: boolean; router: boolean },
  ): void {
    const entry = this.#entries.get(address);
    if (entry === undefined && !this.#queries.has(address)) return;
    const mac = advertisement.mac ?? entry?.mac ?? null;
    if (mac === null) return;
    const isOther = entry !== undefined && entry.mac !== mac;
    if (isOther && !advertisement.override) {
      if (this.#stateOf(entry) === 'reachable') this.#put(address, { ...entry, state: 'stale' });
      return;
    }
    const state = advertisement.solicited
      ? 'reachable'
      : isOther || entry === undefined
        ? 'stale'
        : this.#stateOf(entry);
    this.#put(address, { mac, state, isRouter: advertisement.router });
    this.#queries.answer(address, mac);
  }

  entries(): Neighbour[] {
    return [...this.#entries].map(([address, entry]) => ({
      address,
      mac: entry.mac,
      state: this.#stateOf(entry),
      isRouter: entry.isRouter,
    }));
  }

  clear(): void {
    for (const { clock } of this.#entries.values()) clock?.cancel();
    this.#entries.clear();
  }

  #stateOf(entry: Entry): NeighbourState {
    const isOld = this.#options.now() - entry.proved > REACHABLE_TIME;
    return entry.state === 'reachable' && isOld ? 'stale' : entry.state;
  }

  #put(address: bigint, next: Pick<Entry, 'mac' | 'state' | 'isRouter'>): void {
    this.#entries.get(address)?.clock?.cancel();
    // Delete first: the Map then keeps the order of last change, and the oldest goes when it is full.
    this.#entries.delete(address);
    if (this.#entries.size >= MOST_ENTRIES)
      for (const oldest of [...this.#entries.keys()].slice(0, 1)) this.#drop(oldest);
    this.#entries.set(address, { ...next, proved: this.#options.now(), clock: null });
  }

  #drop(address: bigint): void {
    this.#entries.get(address)?.clock?.cancel();
    this.#entries.delete(address);
  }

  /** Waits for a confirmation; without one it probes the neighbour, and removes it when it does not answer. */
  #watch(address: bigint, entry: Entry): void {
    entry.state = 'delay';
    entry.clock = this.#options.timer(DELAY_FIRST_PROBE, () => this.#probe(address, entry, 0));
  }

  #probe(address: bigint, entry: Entry, sent: number): void {
    if (this.#options.waits.stopped) return;
    if (sent === MOST_PROBES) return this.#drop(address);
    entry.state = 'probe';
    entry.clock = this.#options.timer(RETRANSMIT, () => this.#probe(address, entry, sent + 1));
    // Over embedded cables the answer arrives within this call and replaces the entry.
    this.#options.solicit(address, entry.mac);
  }
}
