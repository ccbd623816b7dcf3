/** Numbers that the same seed gives again (mulberry32). */
export interface Random {
  /** 0 <= n < 1. */
  next: () => number;
  /** A whole number of 0..below-1. */
  below: (below: number) => number;
  pick: <T>(items: readonly T[]) => T | undefined;
  /** A UUID of version 4. */
  uuid: () => string;
}

export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => items[below(items.length)],
    uuid: () => 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replaceAll('x', () => below(16).toString(16)),
  };
};
