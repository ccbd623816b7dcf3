import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EventLog } from './events/log.ts';

/** Facts after which what they left behind is worth looking for: a lab of a few hundred nodes, loaded or started. */
const MANY_FACTS = 1000;
/** Milliseconds without a fact after which nobody minds the pause. */
const QUIET_MS = 2000;

/**
 * Gives memory back once it is quiet after many facts. The engine's own collector waits for new allocations, and an idle server
 * makes none: three quarters of what it held after the load of a large lab was garbage. Answers how to stop.
 */
export const collectWhenQuiet = (
  log: Pick<EventLog, 'onCommitted'>,
  collect: () => void = collector(),
): (() => void) => {
  let facts = 0;
  let timer: NodeJS.Timeout | null = null;
  const again = (): void => {
    timer = null;
    collect();
  };
  const quiet = (): void => {
    facts = 0;
    collect();
    // The first finds what is gone; only the second gives the pages back that this has left empty.
    timer = setTimeout(again, QUIET_MS).unref();
  };
  log.onCommitted(({ length }) => {
    facts += length;
    if (timer !== null) timer.refresh();
    else if (facts >= MANY_FACTS) timer = setTimeout(quiet, QUIET_MS).unref();
  });
  return () => {
    if (timer !== null) clearTimeout(timer);
  };
};

/** The engine's collector, which only code made after this flag can reach. */
const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (() => void) | undefined;
  return () => collect?.();
};
