import { overlayFilters } from '../common/forms/filters.ts';
import type { Filters, LinkWeather, WeatherEntry } from '../events/fields.ts';
import type { LinkRecord } from './records.ts';

/** What the weather of a lab is at one moment of its time. */
export interface WeatherState {
  /** Links by their ids, null: all; each lies over those before it. */
  links: { links: readonly string[] | null; weather: LinkWeather }[];
  /** Nodes that are down. */
  down: ReadonlySet<string>;
  /** Names of what is there, each once. */
  names: string[];
}

/** What an entry does to its links at a time of its own; undefined: nothing. */
type Effect = (local: number) => LinkWeather | undefined;

/** Times are whole milliseconds from the start of the weather. Pure: the same entries and time, the same sky. */
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

/** What a sky is to one link; null: nothing. */
export const linkWeatherOf = ({ links: all }: WeatherState, linkId: string): LinkWeather | null => {
  const its = all.filter(({ links }) => links === null || links.includes(linkId)).map(({ weather }) => weather);
  if (its.length === 0) return null;
  const filters = its.reduce<Filters>((under, weather) => laidOver(under, weather.filters), {});
  return its.some(({ suspend }) => suspend === true) ? { filters, suspend: true } : { filters };
};

export const isClear = ({ links, down, names }: WeatherState): boolean =>
  links.length === 0 && down.size === 0 && names.length === 0;

/** When something changes next, behind `at`; null: it stays as it is. */
export const nextChange = (entries: readonly WeatherEntry[], at: number): number | null => {
  const next = Math.min(...entries.map((entry) => nextOf(entry, at)));
  return next === Infinity ? null : next;
};

/** When the storm of this name begins next, at or behind `at`; null: it does not. */
export const nextStartOf = (entries: readonly WeatherEntry[], name: string, at: number): number | null => {
  const begins = entries.filter((entry) => entry.name === name).map((entry) => beginOf(entry, at));
  const next = Math.min(Infinity, ...begins);
  return next === Infinity ? null : next;
};

const everyOf = ({ repeat }: WeatherEntry): number => repeat?.every ?? Infinity;
const timesOf = ({ repeat }: WeatherEntry): number => (repeat === undefined ? 1 : (repeat.times ?? Infinity));

/** Which of its times it is, from 0. Those behind the last are the last. */
const turnAt = (entry: WeatherEntry, at: number): number =>
  Math.min(timesOf(entry) - 1, Math.max(0, Math.floor((at - entry.at) / everyOf(entry))));

const beginOfTurn = (entry: WeatherEntry, turn: number): number => entry.at + (turn === 0 ? 0 : turn * everyOf(entry));

/** Its first begin at or behind `at`. */
const beginOf = (entry: WeatherEntry, at: number): number => {
  if (at <= entry.at) return entry.at;
  const turn = Math.ceil((at - entry.at) / everyOf(entry));
  return turn === 0 || turn >= timesOf(entry) ? Infinity : beginOfTurn(entry, turn);
};

/** Time since it began last; null: it has not. */
const localTime = (entry: WeatherEntry, at: number): number | null =>
  at < entry.at ? null : at - beginOfTurn(entry, turnAt(entry, at));

const nextOf = (entry: WeatherEntry, at: number): number => {
  const local = localTime(entry, at);
  if (local === null) return entry.at;
  const begin = at - local;
  const inside = local >= lengthOf(entry) ? Infinity : begin + Math.min(nextInside(entry, local), lengthOf(entry));
  return Math.min(inside, beginOf(entry, at + 1));
};

/** The last point of a trace holds as long as the one before it. */
const lengthOf = ({ for: lasts, trace }: WeatherEntry): number => {
  const [last, before] = (trace?.points ?? []).slice(-2).toReversed();
  const traced = last === undefined || before === undefined ? Infinity : timeOf(last) * 2 - timeOf(before);
  return Math.min(lasts ?? Infinity, traced);
};

type Point = NonNullable<WeatherEntry['trace']>['points'][number];
const timeOf = ({ time }: Point): number => Math.round(time * 1000);

/** The next change while it is there, on its own time. */
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

/** From 0 to `steps` - 1, at equal distances. */
const rampStep = (steps: number, lasts: number, local: number): number =>
  Math.min(steps - 1, Math.floor((local * steps) / lasts));

/** The first step has the values of `from`, the last one those of `to`. What is no number is that of `to` all along. */
const between = ({ from = {}, to, steps }: NonNullable<WeatherEntry['ramp']>, step: number): Filters => {
  const share = steps === 1 ? 1 : step / (steps - 1);
  const valueAt = (name: string, index: number, end: number | string): number | string => {
    const begin = from[name]?.[index] ?? 0;
    if (typeof end !== 'number' || typeof begin !== 'number') return end;
    // Exact where nothing is rounded away that anybody asked for.
    return share === 1 ? end : Number((begin + (end - begin) * share).toFixed(6));
  };
  return Object.fromEntries(
    Object.entries(to).map(([name, values]) => [name, values.map((end, index) => valueAt(name, index, end))]),
  );
};

/** What holds on a link: its own filters and suspension, with what the weather does over them. */
export const withWeather = ({
  filters,
  suspend,
  weather,
}: Pick<LinkRecord, 'filters' | 'suspend' | 'weather'>): Pick<LinkRecord, 'filters' | 'suspend'> =>
  weather === undefined
    ? { filters, suspend }
    : { filters: laidOver(filters, weather.filters), suspend: suspend || weather.suspend === true };
