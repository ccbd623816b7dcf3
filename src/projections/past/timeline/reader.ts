import { invalid } from '../../../common/errors.ts';
import type { Store } from '../../../events/store/database.ts';
import type { AnyEvent } from '../../../events/schemas.ts';
import { type EntriesPage, type EntriesQuery, entriesOf } from './entries.ts';
import type { Collection } from './names.ts';
import type { TimeIndex } from './time-index.ts';
import { TimeLines } from './time-lines.ts';
import { type Bound, type Overview, overviewOf, type OverviewQuery } from './view.ts';

type Wanted<T> = Omit<T, 'from' | 'to'> & { from?: string; to?: string };

/** How much of the project's events the index has: less than all of them while it is made. */
export interface Indexed {
  indexed: number;
  of: number;
}

export interface NamedObject {
  collection: Collection;
  id: string;
  name: string | null;
}

/** What happened in projects, by time. Moments are positions or ISO times. */
export interface TimeReader {
  overview(projectId: string, query: Wanted<OverviewQuery>): Promise<Overview & Indexed>;
  entries(projectId: string, query: Wanted<EntriesQuery>): Promise<EntriesPage & Indexed>;
  /** Everything that anything happened to, under its last name, the newest first. */
  objects(projectId: string, limit: number): Promise<NamedObject[]>;
}

interface Log {
  readonly store: Store;
  readonly writable: boolean;
  status(): { position: number };
  onCommitted(listener: (events: AnyEvent[]) => void): void;
}

export const createTimeReader = (log: Log, lines = new TimeLines(log)): TimeReader => {
  const read = async <T>(projectId: string, make: (index: TimeIndex) => T | Promise<T>): Promise<T & Indexed> => {
    const { index, of } = await lines.of(projectId);
    const indexed = index.version;
    return { ...(await make(index)), indexed, of };
  };
  return {
    overview: (projectId, query) => read(projectId, (index) => overviewOf(index, bounded(query))),
    entries: (projectId, query) => read(projectId, (index) => entriesOf(log.store, index, bounded(query))),
    objects: async (projectId, limit) => {
      const { index } = await lines.of(projectId);
      return objectsOf(index, limit);
    },
  };
};

const bounded = <T extends { from?: string; to?: string }>({ from, to, ...query }: T) => ({
  ...query,
  ...(from === undefined ? {} : { from: boundOf(from, 'from') }),
  ...(to === undefined ? {} : { to: boundOf(to, 'to') }),
});

const boundOf = (moment: string, field: string): Bound => {
  if (/^\d{1,15}$/.test(moment)) return { position: Number(moment) };
  const time = Date.parse(moment);
  if (Number.isNaN(time)) throw invalid(`${field} must be a position or an ISO time, not ${moment}`, { field });
  return { time };
};

const objectsOf = (index: TimeIndex, limit: number): NamedObject[] => {
  const found: NamedObject[] = [];
  for (let number = index.objects.size - 1; number > 0 && found.length < limit; number--) {
    const ref = index.object(number);
    if (ref !== null) found.push({ ...ref, name: index.nameAt(ref.id, index.position) });
  }
  return found;
};
