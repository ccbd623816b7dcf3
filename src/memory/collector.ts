import { Session } from 'node:inspector';
import { setImmediate as untilImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Octets beside the heap with which the engine begins a collection: more than 64 MiB since the last one. */
const BESIDE = 68 * 2 ** 20;
/** Such a collection has ended after so long, between what else there is to do. Milliseconds. */
const COLLECTING_MS = 1_000;
/** Octets of a heap whose thorough collection holds the event loop for less than 100 ms. */
const MOST_AT_ONCE = 44 * 2 ** 20;

/**
 * Collects what nobody needs any more, in steps of some milliseconds; what is left of a small heap once more as thoroughly as the engine
 * can, for that gives the most back.
 */
export const collectGarbage = async (): Promise<void> => {
  await collectInSteps();
  if (process.memoryUsage().heapUsed <= MOST_AT_ONCE) await collectAtOnce();
};

/** Nothing asks for a collection in steps, but memory beside the heap does that has grown (V8, AdjustAmountOfExternalAllocatedMemory). */
const collectInSteps = async (): Promise<void> => {
  try {
    // Nobody writes into it: the system has no pages for it.
    void new ArrayBuffer(BESIDE);
  } catch {
    // The system promises no memory that it has not got.
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
  // As long as one is connected, a request costs a seventh more.
  const session = new Session();
  session.connect();
  await new Promise<void>((resolve) => {
    session.post('HeapProfiler.collectGarbage', () => resolve());
  });
  // It is still in use while it calls back.
  await untilImmediate();
  session.disconnect();
};
