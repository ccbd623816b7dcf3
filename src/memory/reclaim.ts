import { Session } from 'node:inspector';
import { setImmediate as untilImmediate, setTimeout as sleep } from 'node:timers/promises';
import { importKoffi } from '../common/koffi.ts';

/** Gives memory that nothing uses back to the system, in idle times and when it has grown. Returns a function that stops this. */
export const reclaimMemory = async (onDone: OnDone): Promise<() => void> => {
  const trim = await loadTrim();
  const stops = [
    collectWhenQuiet(onDone, () => void collectGarbage().then(() => trim?.())),
    trim === null ? () => undefined : trimWhenGrown(trim),
  ];
  return () => stops.forEach((stop) => stop());
};

/** Events or operations after which a collection is worth its pause: as many as loading a lab of a few hundred nodes. */
const ENOUGH_DONE = 1000;
/** Pause after the last of them before the collection. Milliseconds. */
const QUIET_MS = 2000;

/** Registers a listener, which is called with how many events or operations were done. */
export type OnDone = (listener: (count: number) => void) => void;

/**
 * Calls `collect` once it is quiet after much was done. The engine's own collector waits for new allocations, and an idle process
 * makes none: three quarters of what a server held after the load of a large lab was garbage. `isIdle`: whether the event loop had
 * little to do since the last call. Returns a function that stops this.
 */
export const collectWhenQuiet = (
  onDone: OnDone,
  collect: () => void,
  isIdle: () => boolean = idleness(),
): (() => void) => {
  let done = 0;
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    timer = null;
    if (!isIdle()) {
      wait();
      return;
    }
    done = 0;
    collect();
  };
  const wait = (): void => {
    timer = setTimeout(look, QUIET_MS).unref();
  };
  onDone((count) => {
    done += count;
    if (timer !== null) timer.refresh();
    else if (done >= ENOUGH_DONE) wait();
  });
  return () => {
    if (timer !== null) clearTimeout(timer);
  };
};

/** Share of its time that the event loop of an idle process is busy at most. Frames that flow are not counted as operations, and must not wait either. */
const IDLE_UTILIZATION = 0.1;

const idleness = (): (() => boolean) => {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization < IDLE_UTILIZATION;
  };
};

/** Octets outside the heap that make the engine begin a collection: it does so above 64 MiB since the last one. */
const EXTERNAL_OCTETS = 68 * 2 ** 20;
/** Time after which such a collection has ended, between other work. Milliseconds. */
const COLLECTING_MS = 1_000;
/** Octets of a heap whose thorough collection holds the event loop for less than 100 ms. */
const MOST_AT_ONCE = 44 * 2 ** 20;

/**
 * Collects garbage in steps of some milliseconds, and a small heap once more as thoroughly as the engine can, which gives back the most.
 */
export const collectGarbage = async (): Promise<void> => {
  await collectInSteps();
  if (process.memoryUsage().heapUsed <= MOST_AT_ONCE) await collectAtOnce();
};

/**
 * Makes the engine collect in steps. It has no call for that, but begins when memory outside the heap has grown (V8,
 * AdjustAmountOfExternalAllocatedMemory).
 */
const collectInSteps = async (): Promise<void> => {
  try {
    // It is never written to, so the system reserves no pages for it.
    void new ArrayBuffer(EXTERNAL_OCTETS);
  } catch {
    // A system without overcommit refuses memory that it does not have.
    return;
  }
  await sleep(COLLECTING_MS, undefined, { ref: false });
};

/**
 * Runs the engine's collector at its most thorough, as its debugger's protocol asks for it (HeapProfiler.collectGarbage): also empties
 * what the engine keeps for later, such as the pages of a young generation that had grown. Holds the event loop for 0.2 s with a heap
 * of 100 MiB.
 */
export const collectAtOnce = async (): Promise<void> => {
  // While a session is connected, a request costs a seventh more, so it is disconnected again below.
  const session = new Session();
  session.connect();
  await new Promise<void>((resolve) => {
    session.post('HeapProfiler.collectGarbage', () => resolve());
  });
  // The session is in use until its callback has returned.
  await untilImmediate();
  session.disconnect();
};

/** Octets by which memory must have grown for a trim, which takes some milliseconds. */
const GROWN = 8 * 2 ** 20;
const LOOK_MS = 10_000;

/** Calls `trim` whenever more memory is resident than after the last trim. Returns a function that stops this. */
export const trimWhenGrown = (
  trim: () => void,
  resident: () => number = () => process.memoryUsage.rss(),
): (() => void) => {
  let left = resident();
  const look = (): void => {
    const now = resident();
    // The collector may give memory back in between: growth is counted from the lowest value.
    left = Math.min(left, now);
    if (now < left + GROWN) return;
    trim();
    left = resident();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
};

/**
 * Loads malloc_trim(3), which gives the system the free pages of the C library's heaps. Reads of the log are allocated by one thread and
 * freed by another, and glibc by itself gives back only the end of a heap: a server that exports sessions kept 40 MiB of free memory.
 * null where koffi is not installed, or with another C library.
 */
export const loadTrim = async (): Promise<(() => void) | null> => {
  try {
    const trim = (await importKoffi()).load(null).func('int malloc_trim(size_t)') as (padding: number) => number;
    return () => void trim(0);
  } catch {
    return null;
  }
};
