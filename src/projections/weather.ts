import { overlayFilters } from '../common/forms/filters.ts';
import type { Filters, LinkWeather, WeatherEntry } from '../events/fields.ts';
import type { LinkRecord } from './records.ts';

/** State of the weather of a lab at one moment. */
export interface WeatherState {
  /** Effects in order of increasing priority. `links`: ids, null: all. */
  links: { links: readonly string[] | null; weather: LinkWeather }[];
  /** Nodes that are down. */
  down: ReadonlySet<string>;
  /** Names of active entries, each once. */
  names: string[];
}

/** Effect of an entry on its links at its local time; undefined: none. */
type Effect = (local: number) => LinkWeather | undefined;

/** State at `at`, in whole milliseconds from the start of the weather. Pure. */
export const weatherAt = (entries: readonly WeatherEntry[], at: number): WeatherState => {
  const affected: WeatherState['links'] = [];
  const down = new Set<string>();
  const names = new Set<string>();
  for (const entry of entries) {
    const local = localTime(entry, at);
    if (local === null || local >= lengthOf(entry)) continue;
    if (entry.name !== undefined) names.add(entry.name);
    for (const id of entry.crash ?? []) down.add(id);
    const weather = effectOf(entry)(local);
    if (weather !== undefined) affected.push({ links: entry.links ?? null, weather });
  }
  return { links: affected, down, names: [...names] };
};

/** Combined effect on one link; null: none. */
export const linkWeatherOf = ({ links: all }: WeatherState, linkId: string): LinkWeather | null => {
  const its = all.filter(({ links }) => links === null || links.includes(linkId)).map(({ weather }) => weather);
  if (its.length === 0) return null;
  const filters = its.reduce<Filters>((under, weather) => overlayFilters(under, weather.filters), {});
  return its.some(({ suspend }) => suspend === true) ? { filters, suspend: true } : { filters };
};

export const isClear = ({ links, down, names }: WeatherState): boolean =>
  links.length === 0 && down.size === 0 && names.length === 0;

/** Time of the next change after `at`; null: none. */
export const nextChange = (entries: readonly WeatherEntry[], at: number): number | null => {
  const next = Math.min(...entries.map((entry) => nextOf(entry, at)));
  return next === Infinity ? null : next;
};

/** Time at or after `at` at which the entry of this name starts next; null: never. */
export const nextStartOf = (entries: readonly WeatherEntry[], name: string, at: number): number | null => {
  const begins = entries.filter((entry) => entry.name === name).map((entry) => beginOf(entry, at));
  const next = Math.min(Infinity, ...begins);
  return next === Infinity ? null : next;
};

const everyOf = ({ repeat }: WeatherEntry): number => repeat?.every ?? Infinity;
const timesOf = ({ repeat }: WeatherEntry): number => (repeat === undefined ? 1 : (repeat.times ?? Infinity));

/** Index of the repetition at a time, from 0; the last one after the end. */
const turnAt = (entry: WeatherEntry, at: number): number =>
  Math.min(timesOf(entry) - 1, Math.max(0, Math.floor((at - entry.at) / everyOf(entry))));

const beginOfTurn = (entry: WeatherEntry, turn: number): number => entry.at + (turn === 0 ? 0 : turn * everyOf(entry));

/** First start at or after `at`. */
const beginOf = (entry: WeatherEntry, at: number): number => {
  if (at <= entry.at) return entry.at;
  const turn = Math.ceil((at - entry.at) / everyOf(entry));
  return turn === 0 || turn >= timesOf(entry) ? Infinity : beginOfTurn(entry, turn);
};

/** Time since its last start; null: not started yet. */
const localTime = (entry: WeatherEntry, at: number): number | null =>
  at < entry.at ? null : at - beginOfTurn(entry, turnAt(entry, at));

const nextOf = (entry: WeatherEntry, at: number): number => {
  const local = localTime(entry, at);
  if (local === null) return entry.at;
  const begin = at - local;
  const inside = local >= lengthOf(entry) ? Infinity : begin + Math.min(nextInside(entry, local), lengthOf(entry));
  return Math.min(inside, beginOf(entry, at + 1));
};

/** The last point of a trace lasts as long as the one before it. */
const lengthOf = ({ for: lasts, trace }: WeatherEntry): number => {
  const [last, before] = (trace?.points ?? []).slice(-2).toReversed();
  const traced = last === undefined || before === undefined ? Infinity : timeOf(last) * 2 - timeOf(before);
  return Math.min(lasts ?? Infinity, traced);
};

type Point = NonNullable<WeatherEntry['trace']>['points'][number];
const timeOf = ({ time }: Point): number => Math.round(time * 1000);

/** Local time of the next change while it is active. */
const nextInside = ({ ramp, flap, trace, for: lasts = Infinity }: WeatherEntry, local: number): number => {
  if (ramp !== undefined) return Math.ceil(((rampStep(ramp.steps, lasts, local) + 1) * lasts) / ramp.steps);
  if (flap !== undefined) {
    const into = local % (flap.down + flap.up);
    return local - into + (into < flap.down ? flap.down : flap.down + flap.up);
  }
  const next = trace?.points.find((point) => timeOf(point) > local);
  return next === undefined ? Infinity : timeOf(next);
};

const effectOf = ({ filters, ramp, suspend, flap, trace, for: lasts = 0 }: WeatherEntry): Effect => {
  if (ramp !== undefined) return (local) => ({ filters: between(ramp, rampStep(ramp.steps, lasts, local)) });
  if (flap !== undefined)
    return (local) => (local % (flap.down + flap.up) < flap.down ? { filters: {}, suspend: true } : undefined);
  if (trace !== undefined) return (local) => traced(trace.points.findLast((point) => timeOf(point) <= local));
  if (suspend === true) return () => ({ filters: {}, suspend });
  return () => (filters === undefined ? undefined : { filters });
};

const traced = (point: Point | undefined): LinkWeather | undefined => {
  if (point === undefined) return undefined;
  const { rate, delay, loss } = point;
  return {
    filters: {
      ...(rate === undefined ? {} : { rate: [rate] }),
      ...(delay === undefined ? {} : { delay: [delay] }),
      ...(loss === undefined ? {} : { packet_loss: [loss] }),
    },
  };
};

/** Step of a ramp from 0 to `steps` - 1, at equal intervals. */
const rampStep = (steps: number, lasts: number, local: number): number =>
  Math.min(steps - 1, Math.floor((local * steps) / lasts));

/**
 * Interpolates from `from` at the first step to `to` at the last one. Values that are no numbers are those of `to`
 * throughout.
 */
const between = ({ from = {}, to, steps }: NonNullable<WeatherEntry['ramp']>, step: number): Filters => {
  const share = steps === 1 ? 1 : step / (steps - 1);
  const valueAt = (name: string, index: number, end: number | string): number | string => {
    const begin = from[name]?.[index] ?? 0;
    if (typeof end !== 'number' || typeof begin !== 'number') return end;
    // The last step has exactly the given values; others are rounded.
    return share === 1 ? end : Number((begin + (end - begin) * share).toFixed(6));
  };
  return Object.fromEntries(
    Object.entries(to).map(([name, values]) => [name, values.map((end, index) => valueAt(name, index, end))]),
  );
};

/** Effective filters and suspension of a link: its own, with those of the weather over them. */
export const withWeather = ({
  filters,
  suspend,
  weather,
}: Pick<LinkRecord, 'filters' | 'suspend' | 'weather'>): Pick<LinkRecord, 'filters' | 'suspend'> =>
  weather === undefined
    ? { filters, suspend }
    : { filters: overlayFilters(filters, weather.filters), suspend: suspend || weather.suspend === true };
