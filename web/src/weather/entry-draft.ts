import { DraftProblem } from '../store/notices.ts';
import type { Message } from '../words/words.ts';
import type { Entry, EntryBody } from './weather.ts';

/** Kinds of actions that an entry can have. */
export const ACTS = ['filters', 'ramp', 'suspend', 'flap', 'trace', 'crash'] as const;
export type Act = (typeof ACTS)[number];

export const ACT_NAMES: Readonly<Record<Act, Message>> = {
  filters: 'Filters',
  ramp: 'Filters that grow or fade',
  suspend: 'Links are cut',
  flap: 'Links go down and up',
  trace: 'Rate, delay and loss as they were measured',
  crash: 'Nodes crash and come back',
};

export const actOf = (entry: Entry): Act => ACTS.find((act) => entry[act] !== undefined) ?? 'filters';

type Filters = NonNullable<Entry['filters']>;

/** An entry as it is typed. Filters are lines: `delay 50 5`. */
export interface EntryDraft {
  readonly name: string;
  readonly at: string;
  readonly lasts: string;
  readonly every: string;
  readonly times: string;
  readonly act: Act;
  /** Ids of links, of nodes for a crash; none: all links. */
  readonly objects: readonly string[];
  readonly filters: string;
  readonly from: string;
  readonly steps: string;
  readonly down: string;
  readonly up: string;
  readonly csv: string;
}

const EMPTY: EntryDraft = {
  name: '',
  at: '0s',
  lasts: '',
  every: '',
  times: '',
  act: 'filters',
  objects: [],
  filters: 'delay 50',
  from: '',
  steps: '10',
  down: '1s',
  up: '5s',
  csv: 'time,rate,delay,loss\n0,,20,0\n',
};

export const draftOf = (entry: Entry | null): EntryDraft => {
  if (entry === null) return EMPTY;
  const { name = '', at, for: lasts = '', repeat, links, filters, ramp, flap, trace, crash } = entry;
  return {
    ...EMPTY,
    name,
    at,
    lasts,
    every: repeat?.every ?? '',
    times: String(repeat?.times ?? ''),
    act: actOf(entry),
    objects: crash ?? links ?? [],
    filters: linesOf(ramp?.to ?? filters ?? {}),
    ...(ramp === undefined ? {} : { from: linesOf(ramp.from ?? {}), steps: String(ramp.steps) }),
    ...(flap === undefined ? {} : flap),
    ...(trace === undefined ? {} : { csv: csvOf(trace.points) }),
  };
};

export const linesOf = (filters: Filters): string =>
  Object.entries(filters)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('\n');

const csvOf = (points: NonNullable<Entry['trace']>['points']): string =>
  ['time,rate,delay,loss', ...points.map(({ time, rate, delay, loss }) => [time, rate, delay, loss].join(','))].join(
    '\n',
  );

/** Parses lines of filters, with the direction that a name may end with. Throws a sentence for who has typed them. */
const filtersOf = (text: string): Filters => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) throw new DraftProblem('Filters: say at least one, such as delay 50');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...values] = line.split(/\s+/);
      if (values.length === 0) throw new DraftProblem('Filters: {name} needs a value, as in delay 50', { name });
      // An expression is one value, whatever is in it.
      const isText = values.some((value) => !/^-?\d+(\.\d+)?$/.test(value));
      return [name, isText ? [line.slice(name.length).trim()] : values.map(Number)];
    }),
  );
};

/** The whole entry, for the server. Throws a sentence for who has typed it. */
export const bodyOf = (draft: EntryDraft): EntryBody => {
  const { name, at, lasts, every, times, act, objects } = draft;
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    at: at.trim() === '' ? '0s' : at.trim(),
    ...(lasts.trim() === '' ? {} : { for: lasts.trim() }),
    ...(every.trim() === ''
      ? {}
      : { repeat: { every: every.trim(), ...(times.trim() === '' ? {} : { times: Number(times) }) } }),
    ...(objects.length === 0 || act === 'crash' ? {} : { links: [...objects] }),
    ...actBody(draft),
  };
};

const actBody = ({ act, filters, from, steps, down, up, csv, objects }: EntryDraft): Partial<EntryBody> => {
  switch (act) {
    case 'filters':
      return { filters: filtersOf(filters) };
    case 'ramp': {
      const begin = from.trim() === '' ? {} : { from: filtersOf(from) };
      return { ramp: { ...begin, to: filtersOf(filters), steps: Number(steps) } };
    }
    case 'suspend':
      return { suspend: true };
    case 'flap':
      return { flap: { down: down.trim(), up: up.trim() } };
    case 'trace':
      return { trace: { csv } };
    case 'crash':
      return { crash: [...objects] };
  }
};
