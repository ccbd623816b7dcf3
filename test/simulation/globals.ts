import { type Item, world } from './world.ts';

/** A timer as the product has it: what `setTimeout` answers. */
class SimulatedTimer {
  item: Item | null = null;
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  [Symbol.toPrimitive](): number {
    return this.item?.order ?? 0;
  }
  [Symbol.dispose](): void {
    clear(this);
  }
}

const clear = (timer: unknown): void => {
  if (timer instanceof SimulatedTimer && timer.item !== null) timer.item.cancelled = true;
};

const later = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): SimulatedTimer => {
  const timer = new SimulatedTimer();
  const wait = Math.max(1, Number.isFinite(ms) ? ms : 1);
  timer.item = world().after(wait, `timer of ${Math.round(wait)} ms`, () => work(...args));
  return timer;
};

const every = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): SimulatedTimer => {
  const timer = new SimulatedTimer();
  const again = (): void => {
    timer.item = world().after(Math.max(1, ms), `every ${ms} ms`, () => {
      again();
      work(...args);
    });
  };
  again();
  return timer;
};

const soon = (work: (...args: unknown[]) => void, ...args: unknown[]): SimulatedTimer => {
  const timer = new SimulatedTimer();
  timer.item = world().immediately('immediate', () => work(...args));
  return timer;
};

const signalAfter = (ms: number): AbortSignal => {
  const abort = new AbortController();
  later(() => abort.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms);
  return abort.signal;
};

/** Whole milliseconds since 1970. */
const wallClock = (): number => Math.floor(world().now + world().clockError);

/**
 * The clock that tells how long something took: each look at it takes a moment, so that work which is done a few milliseconds at a time
 * pauses at any place.
 */
const stopwatch = (): number => {
  const here = world();
  here.now += here.chance(0.002) ? 9 : 0.0005;
  return here.now;
};

/** Something of its own for each owner: what the modules of a process keep. */
const ofEachProcess = <T extends object>(make: () => T): T => {
  const made = new WeakMap<object, T>();
  const own = (): T => {
    const { current } = world();
    let mine = made.get(current);
    if (mine === undefined) made.set(current, (mine = make()));
    return mine;
  };
  return new Proxy({} as T, {
    get(_, name) {
      const target = own();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

/** Puts the simulated clock, timers and randomness in the place of this process's own. Once. */
export const replaceGlobals = (): void => {
  const RealDate = Date;
  class SimulatedDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(wallClock());
      else super(...(given as [number]));
    }
    static override now(): number {
      return wallClock();
    }
  }
  Object.assign(globalThis, {
    ofEachProcess,
    Date: SimulatedDate,
    setTimeout: later,
    setInterval: every,
    setImmediate: soon,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  });
  performance.now = stopwatch;
  Math.random = () => world().random.next();
  AbortSignal.timeout = signalAfter;
  crypto.randomUUID = () => world().random.uuid() as ReturnType<typeof crypto.randomUUID>;
  // It is in the log.
  Object.defineProperty(process, 'pid', { value: 4242 });
};
