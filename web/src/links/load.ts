import type { Rates, Traffic } from './traffic.ts';

/** Bits a second from which a link is drawn as busier. */
const STEPS = [1, 10_000, 100_000, 1_000_000] as const;

/** How busy a link is, in its busier direction: 0 is nothing, 4 is 1 Mbit/s and more. */
export const loadOf = ({ bytes }: Pick<Rates, 'bytes'>): number => {
  const bits = Math.max(...bytes) * 8;
  return STEPS.filter((step) => bits >= step).length;
};

/** By link; those that are still are left out. */
export const loadsOf = (traffic: Traffic): ReadonlyMap<string, number> => {
  const loads = new Map<string, number>();
  for (const [linkId, samples] of traffic) {
    const rates = samples.at(-1)?.rates;
    const load = rates === undefined ? 0 : loadOf(rates);
    if (load > 0) loads.set(linkId, load);
  }
  return loads;
};
