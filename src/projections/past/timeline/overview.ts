import { type RowFilter, testOf } from './filter.ts';
import { ENTRY_KINDS, type EntryKind } from './kinds.ts';
import type { ObjectRef } from './names.ts';
import type { TimeIndex } from './time-index.ts';
import { IDLE_MS } from './rows.ts';

/** Range of time, inclusive: positions, or milliseconds since 1970. */
export interface Span {
  from?: Bound;
  to?: Bound;
}
export type Bound = { readonly position: number } | { readonly time: number };

export interface OverviewQuery extends RowFilter, Span {
  buckets: number;
  /** Maximum of entries that are returned as single marks. */
  single: number;
}

/** An entry as a mark. Times are milliseconds since 1970. */
export interface Mark {
  at: number;
  position: number;
  last: number;
  count: number;
  kind: EntryKind;
  person: string;
  object: ObjectRef | null;
}

export interface Lane {
  /** Category that is counted; `people`: changes by persons without a lane of their own. */
  lane: (typeof OWN_LANES)[number] | 'person' | 'people';
  person: string | null;
  counts: number[];
}

export interface Overview {
  /** Range of all rows that the filter accepts; null: none. */
  first: Moment | null;
  last: Moment | null;
  entries: number;
  /** Number in the span. */
  shown: number;
  /** Times at the edges of the buckets, one more than there are buckets; long idle times are compressed. */
  edges: number[];
  /** Length of the span in milliseconds, with idle times compressed. */
  busy: number;
  lanes: Lane[];
  /** Longest idle times in the span. */
  gaps: { from: number; to: number }[];
  marks: Mark[] | null;
  /** Snapshots in the span that still exist, regardless of the filter. */
  snapshots: SnapshotMark[];
  people: { name: string; count: number }[];
}
interface Moment {
  at: number;
  position: number;
}
interface SnapshotMark extends Moment {
  id: string;
  name: string;
}

/** Categories with a lane; the first ones of `ENTRY_KINDS`, in the same order. */
export const OWN_LANES = ['start', 'stop', 'failure', 'warning', 'met', 'broken', 'weather'] as const;
/** Number of persons with a lane of their own. */
const PEOPLE = 3;
const MOST_PEOPLE = 200;
const MOST_GAPS = 200;
const MOST_SNAPSHOTS = 200;

/** Rows of a span: index of the first, and index after the last. */
export const rowsOf = ({ rows }: TimeIndex, { from, to }: Span): [first: number, end: number] => [
  from === undefined ? 0 : 'time' in from ? rows.firstFrom('at', from.time) : rows.firstFrom('position', from.position),
  to === undefined
    ? rows.length
    : 'time' in to
      ? rows.firstFrom('at', to.time + 1)
      : rows.firstFrom('position', to.position + 1),
];

const momentOf = ({ rows }: TimeIndex, row: number): Moment | null =>
  row < 0 || row >= rows.length ? null : { at: rows.get('at', row), position: lastOf(rows, row) };

const lastOf = (rows: TimeIndex['rows'], row: number): number => rows.get('position', row) + rows.get('span', row);

export const markOf = (index: TimeIndex, row: number): Mark => {
  const { rows } = index;
  return {
    at: rows.get('at', row),
    position: rows.get('position', row),
    last: lastOf(rows, row),
    count: rows.get('count', row),
    kind: ENTRY_KINDS[rows.get('kind', row)] ?? 'other',
    person: index.people.text(rows.get('who', row)),
    object: index.object(rows.get('object', row)),
  };
};

/**
 * Counts the rows of a span of time by buckets and lanes; the size of the answer does not grow with the number of
 * events.
 */
export const overviewOf = (index: TimeIndex, query: OverviewQuery): Overview => {
  const { rows } = index;
  const test = testOf(index, query);
  const [first, end] = rowsOf(index, query);
  const [start, length] = placesOf(index, query, [first, end]);
  const { entries, people } = countOnce(index, query, test);
  const lanes = new Lanes(index, people, query.buckets);
  const wanted: number[] = [];
  let shown = 0;
  for (let row = first; row < end; row++) {
    if (test !== null && !test(row)) continue;
    shown++;
    if (wanted.length <= query.single) wanted.push(row);
    const bucket = length === 0 ? 0 : Math.floor(((rows.place(row) - start) / length) * query.buckets);
    lanes.count(row, Math.max(0, Math.min(query.buckets - 1, bucket)));
  }
  return {
    first: momentOf(index, 0),
    last: momentOf(index, rows.length - 1),
    entries,
    shown,
    edges: Array.from({ length: query.buckets + 1 }, (_, n) =>
      Math.round(rows.timeOf(start + (n / query.buckets) * length)),
    ),
    busy: Math.round(length),
    lanes: lanes.all(),
    gaps: gapsOf(index, first, end),
    marks: shown > query.single ? null : wanted.map((row) => markOf(index, row)),
    snapshots: snapshotsIn(index, first, end),
    people: people.slice(0, MOST_PEOPLE),
  };
};

/** Start and length of a span on the compressed axis. */
const placesOf = ({ rows }: TimeIndex, { from, to }: Span, [first, end]: [number, number]): [number, number] => {
  const start = from !== undefined && 'time' in from ? rows.placeOf(from.time) : rows.place(first);
  const stop = to !== undefined && 'time' in to ? rows.placeOf(to.time) : rows.place(Math.max(0, end - 1));
  return [start, Math.max(0, stop - start)];
};

interface Counted {
  entries: number;
  people: Overview['people'];
}

/** Cached, as it is the same for every span: only the first request walks over all rows. */
const counted = new WeakMap<TimeIndex, { key: string; counted: Counted }>();

const countOnce = (index: TimeIndex, query: RowFilter, test: Test): Counted => {
  const { kinds = null, person = null, object = null, text = null } = query;
  const key = JSON.stringify([index.version, kinds, person, object, text]);
  const known = counted.get(index);
  if (known?.key === key) return known.counted;
  const fresh = countPeople(index, test);
  counted.set(index, { key, counted: fresh });
  return fresh;
};

type Test = ReturnType<typeof testOf>;

/** Number of rows, and persons by their number of changes, descending. */
const countPeople = (index: TimeIndex, test: Test): Counted => {
  const { rows, people } = index;
  const counts = people.all().map(() => 0);
  const [who, kind] = [rows.column('who'), rows.column('kind')];
  let entries = 0;
  for (let row = 0; row < rows.length; row++) {
    if (test !== null && !test(row)) continue;
    entries++;
    if ((kind[row] ?? 0) >= OWN_LANES.length) counts[who[row] ?? 0] = (counts[who[row] ?? 0] ?? 0) + 1;
  }
  const named = counts.map((count, number) => ({ name: people.text(number), count }));
  return { entries, people: named.sort((a, b) => b.count - a.count) };
};

class Lanes {
  readonly #index: TimeIndex;
  readonly #lanes: Lane[];
  readonly #own = new Map<number, number[]>();
  readonly #others: number[];

  constructor(index: TimeIndex, people: Overview['people'], buckets: number) {
    this.#index = index;
    const none = (): number[] => Array.from({ length: buckets }, () => 0);
    this.#lanes = OWN_LANES.map((lane) => ({ lane, person: null, counts: none() }));
    const active = people.filter(({ count }) => count > 0);
    for (const { name } of active.slice(0, PEOPLE)) {
      const counts = none();
      this.#own.set(index.people.find(name), counts);
      this.#lanes.push({ lane: 'person', person: name, counts });
    }
    this.#others = none();
    if (active.length > PEOPLE) this.#lanes.push({ lane: 'people', person: null, counts: this.#others });
  }

  count(row: number, bucket: number): void {
    const { rows } = this.#index;
    const own = this.#lanes[rows.get('kind', row)];
    const counts =
      own !== undefined && rows.get('kind', row) < OWN_LANES.length
        ? own.counts
        : (this.#own.get(rows.get('who', row)) ?? this.#others);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }

  all(): Lane[] {
    return this.#lanes;
  }
}

const snapshotsIn = (index: TimeIndex, first: number, end: number): SnapshotMark[] => {
  const { rows, types, objects } = index;
  const [made, deleted] = [types.find('snapshot.created'), types.find('snapshot.deleted')];
  if (made < 0) return [];
  const [type, object] = [rows.column('type'), rows.column('object')];
  const gone = new Set<number>();
  const found: number[] = [];
  for (let row = first; row < rows.length; row++) {
    if (type[row] === made && row < end) found.push(row);
    else if (type[row] === deleted) gone.add(object[row] ?? 0);
  }
  return found
    .filter((row) => !gone.has(object[row] ?? 0))
    .slice(-MOST_SNAPSHOTS)
    .map((row) => {
      const position = lastOf(rows, row);
      const [, id = ''] = objects.text(object[row] ?? 0).split(' ');
      return { at: rows.get('at', row), position, id, name: index.nameAt(id, position) ?? '' };
    });
};

const gapsOf = ({ rows }: TimeIndex, first: number, end: number): Overview['gaps'] => {
  const gaps: Overview['gaps'] = [];
  const at = rows.column('at');
  for (let row = Math.max(1, first); row < Math.min(rows.length, end + 1); row++) {
    const [from, to] = [at[row - 1] ?? 0, at[row] ?? 0];
    if (to - from > IDLE_MS) gaps.push({ from, to });
  }
  if (gaps.length <= MOST_GAPS) return gaps;
  const longest = gaps.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST_GAPS);
  return longest.sort((a, b) => a.from - b.from);
};
