/** Octets by which memory must have grown to be worth a look of some milliseconds. */
const GROWN = 8 * 2 ** 20;
const LOOK_MS = 10_000;

/** Calls `trim` whenever more memory is resident than it left the last time. Answers how to stop. */
export const trimWhenGrown = (
  trim: () => void,
  resident: () => number = () => process.memoryUsage.rss(),
): (() => void) => {
  let left = resident();
  const look = (): void => {
    const now = resident();
    // What the engine's collector gives back in between is no growth later.
    left = Math.min(left, now);
    if (now < left + GROWN) return;
    trim();
    left = resident();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
};
