/** Things done (events, operations) after which what they left behind is worth looking for: a lab of a few hundred nodes, loaded. */
const MUCH = 1000;
/** Milliseconds without any after which nobody minds the pause. */
const QUIET_MS = 2000;

/** Calls its listener with how many things were done. */
export type OnDone = (listener: (count: number) => void) => void;

/**
 * Gives memory back once it is quiet after much was done. The engine's own collector waits for new allocations, and an idle process
 * makes none: three quarters of what a server held after the load of a large lab was garbage. `isIdle`: whether there was little else
 * to do since it was asked the last time. Answers how to stop.
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
    else if (done >= MUCH) wait();
  });
  return () => {
    if (timer !== null) clearTimeout(timer);
  };
};

/** Frames that flow are no operations, and are not to wait either. */
const MOST_BUSY = 0.1;

const idleness = (): (() => boolean) => {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization < MOST_BUSY;
  };
};
