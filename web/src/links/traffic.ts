import type { Lab } from '../store/lab.ts';
import type { Frame } from '../store/records.ts';
import { createStore, type Store } from '../store/store.ts';

export type TrafficFrame = Extract<Frame, { action: 'link.traffic' }>;
/** A second; each pair is from the first end of the link to the second, and back. */
export type Rates = Omit<TrafficFrame['event']['links'][number], 'link_id'>;

export interface Sample {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly rates: Rates;
}

/** Samples of each link, oldest first. A link without a new sample has stayed as it was. */
export type Traffic = ReadonlyMap<string, readonly Sample[]>;

/** How far back a chart goes. Seconds. */
export const SPAN = 60;
export const STILL: Rates = { frames: [0, 0], bytes: [0, 0], dropped: [0, 0], delayed: [0, 0] };

export const takeTraffic = (before: Traffic, { event }: TrafficFrame, time: number): Traffic => {
  const now = new Map(before);
  const oldest = time - (SPAN + 2) * 1000;
  for (const { link_id, ...rates } of event.links) {
    const samples = before.get(link_id) ?? [];
    // One from before the span stays: it says how it was at the span's beginning.
    const from = Math.max(
      0,
      samples.findLastIndex((sample) => sample.time < oldest),
    );
    now.set(link_id, [...samples.slice(from), { time, rates }]);
  }
  return now;
};

export const ratesOf = (traffic: Traffic, linkId: string): Rates => traffic.get(linkId)?.at(-1)?.rates ?? STILL;

/** Rows of a chart: seconds since 1970, frames there, frames back, frames lost in both directions. One for each second. */
export const chartOf = (samples: readonly Sample[], now: number): [number[], number[], number[], number[]] => {
  const rows: [number[], number[], number[], number[]] = [[], [], [], []];
  let index = -1;
  for (let second = SPAN; second >= 0; second--) {
    const time = now - second * 1000;
    while ((samples[index + 1]?.time ?? Infinity) <= time) index += 1;
    const { frames, dropped } = samples[index]?.rates ?? STILL;
    rows[0].push(time / 1000);
    rows[1].push(frames[0]);
    rows[2].push(frames[1]);
    rows[3].push(dropped[0] + dropped[1]);
  }
  return rows;
};

/** With one decimal where that says something. */
export const sayRate = (rate: number): string =>
  rate.toLocaleString(undefined, { maximumFractionDigits: rate >= 100 ? 0 : 1 });

const known = new WeakMap<Lab, Store<Traffic>>();

export const trafficOf = (lab: Lab): Store<Traffic> => {
  const old = known.get(lab);
  if (old !== undefined) return old;
  const made = createStore<Traffic>(new Map());
  known.set(lab, made);
  return made;
};

/** Keeps what the feed tells of links; answers what ends it. A feed that was lost tells all links again. */
export const watchTraffic = (lab: Lab): (() => void) => {
  const traffic = trafficOf(lab);
  return lab.listen((frame) => {
    if (frame.action === 'link.traffic') traffic.update((now) => takeTraffic(now, frame, Date.now()));
  });
};

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
