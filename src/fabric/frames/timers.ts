/** A timer in the heap. `due` is on the heap's monotonic clock, in milliseconds. */
export interface Timer {
  readonly due: number;
  cancel(): void;
}

interface Entry extends Timer {
  due: number;
  sequence: number;
  /** Index in the heap, -1 once out of it. */
  index: number;
  run: () => void;
}

/** Timers fired before the event loop gets its turn to deliver the frames they released. */
const MOST_AT_ONCE = 4096;
/** setTimeout takes at most 2^31-1 ms; for later timers it is set again. */
const LONGEST_WAIT = 2_000_000_000;

/** The system timer under all others. Fires once for each `set`, never early; a new `set` replaces the last. */
export interface Alarm {
  set(ms: number): void;
  clear(): void;
  close(): void;
}

export type CreateAlarm = (fire: () => void) => Alarm;

/** Node's timers: up to two milliseconds late. */
const timeoutAlarm: CreateAlarm = (fire) => {
  let timeout: NodeJS.Timeout | undefined;
  const clear = (): void => clearTimeout(timeout);
  return {
    set(ms) {
      clear();
      timeout = setTimeout(fire, Math.min(LONGEST_WAIT, Math.max(1, Math.ceil(ms))));
    },
    clear,
    close: clear,
  };
};

/**
 * All timers of the fabric (models, delayed frames, flushes) in one binary heap over one libuv timer, so that ten thousand
 * short timers cost ten thousand heap entries and no more. A timer never fires early; ties fire in the order they were set.
 */
export class Timers {
  readonly now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #alarm: Alarm;
  readonly #heap = createHeap();
  #sequence = 0;
  #wakeAt = Infinity;
  #firing = false;
  #rest: NodeJS.Immediate | undefined;

  constructor(
    now: () => number = () => performance.now(),
    onError: (error: unknown) => void = () => undefined,
    createAlarm: CreateAlarm = timeoutAlarm,
  ) {
    this.now = now;
    this.#onError = onError;
    this.#alarm = createAlarm(() => this.#fire());
  }

  get size(): number {
    return this.#heap.size();
  }

  at(due: number, run: () => void): Timer {
    const heap = this.#heap;
    const entry: Entry = {
      due,
      sequence: ++this.#sequence,
      index: -1,
      run,
      cancel: () => {
        heap.remove(entry);
        if (heap.size() === 0 && !this.#firing) this.#idle();
      },
    };
    heap.add(entry);
    this.#arm();
    return entry;
  }

  after(ms: number, run: () => void): Timer {
    return this.at(this.now() + Math.max(0, ms), run);
  }

  close(): void {
    this.#heap.clear();
    this.#idle();
    this.#alarm.close();
  }

  #arm(): void {
    const next = this.#heap.first();
    if (this.#firing || next === undefined || next.due >= this.#wakeAt) return;
    this.#wakeAt = next.due;
    this.#alarm.set(next.due - this.now());
  }

  #fire(): void {
    this.#wakeAt = Infinity;
    this.#firing = true;
    // A timer set by one of these waits for the next round: a model that sets `timer(0)` forever must not hold the loop.
    const fired = fireDue(this.#heap, this.now(), this.#sequence, this.#onError);
    this.#firing = false;
    if (fired < MOST_AT_ONCE) return this.#arm();
    this.#wakeAt = 0;
    this.#rest = setImmediate(() => this.#fire());
  }

  #idle(): void {
    this.#alarm.clear();
    clearImmediate(this.#rest);
    this.#wakeAt = Infinity;
  }
}

/** Fires at most MOST_AT_ONCE timers that are due by `until` and were set no later than `newest`; returns how many. */
function fireDue(heap: Heap, until: number, newest: number, onError: (error: unknown) => void): number {
  let fired = 0;
  for (let next = heap.first(); next !== undefined && next.due <= until; next = heap.first()) {
    if (next.sequence > newest || fired >= MOST_AT_ONCE) break;
    fired++;
    heap.remove(next);
    try {
      next.run();
    } catch (error) {
      onError(error);
    }
  }
  return fired;
}

interface Heap {
  first(): Entry | undefined;
  add(entry: Entry): void;
  remove(entry: Entry): void;
  clear(): void;
  size(): number;
}

const before = (a: Entry, b: Entry): boolean => a.due < b.due || (a.due === b.due && a.sequence < b.sequence);

/** Binary heap whose entries know their index, so that cancelling is logarithmic and leaves nothing behind. */
function createHeap(): Heap {
  const entries: Entry[] = [];

  const place = (entry: Entry, index: number): void => {
    entries[index] = entry;
    entry.index = index;
  };
  const up = (entry: Entry): void => {
    let index = entry.index;
    while (index > 0) {
      const parent = entries[(index - 1) >> 1];
      if (parent === undefined || !before(entry, parent)) break;
      place(parent, index);
      index = (index - 1) >> 1;
    }
    place(entry, index);
  };
  const down = (entry: Entry): void => {
    let index = entry.index;
    for (;;) {
      const left = entries[2 * index + 1];
      const right = entries[2 * index + 2];
      const least = left !== undefined && right !== undefined && before(right, left) ? right : left;
      if (least === undefined || !before(least, entry)) break;
      const freed = least.index;
      place(least, index);
      index = freed;
    }
    place(entry, index);
  };

  return {
    first: () => entries[0],
    add: (entry) => {
      place(entry, entries.length);
      up(entry);
    },
    remove: (entry) => {
      const index = entry.index;
      if (index < 0) return;
      entry.index = -1;
      const last = entries.pop();
      if (last === undefined || last === entry) return;
      place(last, index);
      up(last);
      down(last);
    },
    clear: () => {
      for (const entry of entries) entry.index = -1;
      entries.length = 0;
    },
    size: () => entries.length,
  };
}

/**
 * Microseconds since 1970, running with the monotonic clock: setting the system's clock does not turn captures back.
 * `set` reads the system's clock again; called while no capture runs, so that captures of one lab stay comparable.
 */
export interface WallClock {
  now(): number;
  set(): void;
}

export function createWallClock(monotonic: () => number, wall: () => number = Date.now): WallClock {
  let offset = wall() - monotonic();
  return {
    now: () => Math.floor((monotonic() + offset) * 1000),
    set: () => (offset = wall() - monotonic()),
  };
}
