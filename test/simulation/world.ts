import { type Random, seeded } from '../faults/prng.ts';

/** Somebody whose code runs in the simulated world. Once dead, nothing of it ever goes on. */
export interface Owner {
  readonly name: string;
  alive: boolean;
}

/** Something that comes about later. */
export interface Item {
  readonly at: number;
  readonly order: number;
  readonly owner: Owner;
  readonly label: string;
  readonly run: () => void;
  /** What it does in the world although its owner may be dead by then, such as a write that the system has taken already. */
  readonly effect: (() => void) | null;
  cancelled: boolean;
}

/** A moment of the simulated clock: no machine's. */
const BEGIN = Date.UTC(2030, 0, 1);
/** Lines of the trace that are kept for a failure. */
const KEPT = 80;

const realImmediate = setImmediate;
/** Resolves once every promise and tick that is ready has been carried out. */
const settled = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

/**
 * Time, randomness and what is to come. Every step is one completion; what it sets off by promises is carried out before the next one.
 * The same seed makes the same steps.
 */
export class World {
  readonly random: Random;
  readonly problems: string[] = [];
  readonly outside: Owner = { name: 'world', alive: true };
  /** Whose code runs at the moment. */
  current: Owner = this.outside;
  now = BEGIN;
  /** By how much the machine's clock is wrong. Milliseconds. */
  clockError = 0;
  steps = 0;
  /** Processes of fabrics so far. */
  fabrics = 700;
  /** Hears every line of the trace; null: nobody. */
  tell: ((line: string) => void) | null = null;
  /** Looked at after every step. */
  afterStep: () => void = () => undefined;
  readonly #kept: Said[] = [];
  #said = 0;
  readonly #heap: Item[] = [];
  #order = 0;
  #inStep = false;
  #lastImmediate = 0;

  constructor(seed: number) {
    this.random = seeded(seed);
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  /** A duration, now and then ten or a hundred times as long. Milliseconds. */
  latency(usual: number): number {
    const rare = this.random.next();
    const factor = rare < 0.004 ? 100 : rare < 0.04 ? 10 : 1;
    return usual * (0.2 + this.random.next()) * factor;
  }

  trace(line: string): void {
    const said = { at: this.now, by: this.current.name, line };
    this.#kept[this.#said++ % KEPT] = said;
    this.tell?.(textOf(said));
  }

  lastSteps(): readonly string[] {
    const first = this.#said % KEPT;
    return [...this.#kept.slice(first), ...this.#kept.slice(0, first)].map(textOf);
  }

  problem(message: string): void {
    this.trace(`PROBLEM ${message}`);
    if (this.problems.length < 20) this.problems.push(message);
  }

  after(ms: number, label: string, run: () => void, of: { owner?: Owner; effect?: (() => void) | null } = {}): Item {
    const { owner = this.current, effect = null } = of;
    if (!this.#inStep && of.owner === undefined)
      this.problem(`${label} was set off by something that is not simulated`);
    const item = { at: this.now + ms, order: ++this.#order, owner, label, run, effect, cancelled: false };
    this.#push(item);
    return item;
  }

  /** In their order, as the event loop does them, but not before or after everything else that is ready. */
  immediately(label: string, run: () => void): Item {
    this.#lastImmediate = Math.max(this.#lastImmediate, this.now + this.random.next() * 0.05);
    return this.after(this.#lastImmediate - this.now, label, run);
  }

  /** A call to the system by whose code runs now: `work` is what it does, at some moment before its answer. */
  io<T>(label: string, usual: number, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const effect = (): void => {
        try {
          work();
        } catch {
          // Nobody waits for it.
        }
      };
      this.after(this.latency(usual), label, run, { effect });
    });
  }

  /** Does the next thing; false: there is nothing left to do before `until`. */
  async step(until: number): Promise<boolean> {
    const item = this.#pop(until);
    if (item === null) {
      this.now = Math.max(this.now, until);
      return false;
    }
    this.now = Math.max(this.now, item.at);
    this.current = item.owner;
    this.steps++;
    this.trace(item.label);
    this.#inStep = true;
    try {
      item.run();
    } catch (error) {
      this.problem(`${item.label} threw ${String(error)}`);
    }
    await settled();
    this.afterStep();
    this.#inStep = false;
    this.current = this.outside;
    return true;
  }

  /** What was its own never comes about; what the system had taken from it may or may not have been done. */
  kill(owner: Owner): void {
    owner.alive = false;
    const left = this.#heap.filter((item) => item.owner === owner && !item.cancelled);
    this.trace(`${owner.name} is killed`);
    left.sort((a, b) => a.order - b.order);
    for (const item of left) {
      if (item.effect !== null && this.chance(0.5)) item.effect();
      item.cancelled = true;
    }
  }

  #pop(until: number): Item | null {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined || (!first.cancelled && first.owner.alive && first.at > until)) return null;
      this.#sink();
      if (!first.cancelled && first.owner.alive) return first;
    }
  }

  #push(item: Item): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!before(item, heap[above] as Item)) break;
      heap[at] = heap[above] as Item;
      at = above;
    }
    heap[at] = item;
  }

  /** Takes the first out. */
  #sink(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && before(heap[below + 1] as Item, heap[below] as Item)) below++;
      if (!before(heap[below] as Item, last)) break;
      heap[at] = heap[below] as Item;
      at = below;
    }
    heap[at] = last;
  }
}

interface Said {
  at: number;
  by: string;
  line: string;
}

const textOf = ({ at, by, line }: Said): string => `${(at - BEGIN).toFixed(3).padStart(12)} ${by.padEnd(9)} ${line}`;

const before = (a: Item, b: Item): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

let present: World | null = null;

/** The world that code runs in at the moment. */
export const world = (): World => {
  if (present === null) throw new Error('there is no simulated world');
  return present;
};

export const setWorld = (next: World): void => {
  present = next;
};
