import type { Schemas } from 'topolog/client';
import { keyOfPort } from '../map/actions/ports.ts';
import type { Lab } from '../store/lab.ts';
import type { Records } from '../store/records.ts';

export type Overview = Schemas['TimeLine'];
export type Mark = NonNullable<Overview['marks']>[number];
export type Lane = Overview['lanes'][number];
export type EntriesPage = Schemas['TimeLineEntries'];
export type Entry = EntriesPage['entries'][number];
export type NamedObject = Schemas['TimeLineObject'];
export type Kind = Entry['kind'];

export interface Span {
  /** Milliseconds since 1970; null: from the beginning, or up to now. */
  readonly from: number | null;
  readonly to: number | null;
}

const iso = (time: number): string => new Date(time).toISOString();

const spanOf = ({ from, to }: Partial<Span>) => ({
  ...(from === null || from === undefined ? {} : { from: iso(from) }),
  ...(to === null || to === undefined ? {} : { to: iso(to) }),
});

const wantedOf = ({ kinds, who, object, text }: Filter) => ({
  kinds: kinds.join(','),
  ...(who === null ? {} : { person: who }),
  ...(object === null ? {} : { object }),
  ...(text === '' ? {} : { text }),
});

/** Which entries are shown and stepped to. */
export interface Filter {
  readonly kinds: readonly Kind[];
  /** Null: everybody. */
  readonly who: string | null;
  /** Id of an object; null: all of them. */
  readonly object: string | null;
  /** Words that have to be found. */
  readonly text: string;
}

/** Numbers of entries in a span, in equal buckets. */
export const readOverview = (
  { client, projectId }: Lab,
  query: Span & { filter: Filter; buckets: number },
  signal?: AbortSignal,
): Promise<Overview> =>
  client.get('/v2/projects/{project_id}/timeline', {
    path: { project_id: projectId },
    query: { ...spanOf(query), ...wantedOf(query.filter), buckets: String(query.buckets) },
    signal,
  });

export interface EntriesWish extends Partial<Span> {
  /** Null: all there are. */
  readonly filter: Filter | null;
  readonly order?: 'asc' | 'desc';
  readonly offset?: number;
  readonly limit: number;
}

export const readEntries = async (
  { client, projectId, state }: Lab,
  { filter, order = 'asc', offset = 0, limit, ...span }: EntriesWish,
  signal?: AbortSignal,
): Promise<EntriesPage> => {
  const page = await client.get('/v2/projects/{project_id}/timeline/entries', {
    path: { project_id: projectId },
    query: {
      ...spanOf(span),
      ...(filter === null ? {} : wantedOf(filter)),
      order,
      offset: String(offset),
      limit: String(limit),
    },
    signal,
  });
  const { records } = state.get();
  return { ...page, entries: page.entries.map((entry) => withPortNames(records, entry)) };
};

/** A port that its link calls by its numbers alone goes by its own name, as long as the link is there. */
export const withPortNames = ({ links, nodes }: Pick<Records, 'links' | 'nodes'>, entry: Entry): Entry => {
  const link = entry.object?.collection === 'link' ? links.get(entry.object.id) : undefined;
  if (link === undefined) return entry;
  const ends = entry.ends.map((end, index) => {
    const at = link.nodes[index];
    if (at === undefined || end.port !== keyOfPort(at)) return end;
    const port = nodes.get(at.node_id)?.ports.find((one) => keyOfPort(one) === end.port);
    return port === undefined ? end : { ...end, port: port.name };
  });
  return { ...entry, ends };
};

export const readObjects = ({ client, projectId }: Lab): Promise<NamedObject[]> =>
  client.get('/v2/projects/{project_id}/timeline/objects', { path: { project_id: projectId } });

/** The last entry at or before a time; null before the first. */
export const entryAt = async (lab: Lab, time: number, filter: Filter | null = null): Promise<Entry | null> => {
  const { entries } = await readEntries(lab, { filter, to: time, order: 'desc', limit: 1 });
  return entries[0] ?? null;
};
