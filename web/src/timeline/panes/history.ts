import type { Records } from '../../store/records.ts';
import type { Schemas } from '../../store/api.ts';
import type { Lab } from '../../store/lab.ts';
import { brief, type Collection, detailsOf, type Event } from '../bar/marks.ts';

type Told = Schemas['History']['events'][number];

/** One thing that happened to an object. */
export interface Entry {
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: string;
  readonly who: string;
  readonly details: string;
  /** What led to it, nearest first; empty: somebody asked for it. */
  readonly why: string;
}

const PATHS = {
  node: '/v2/projects/{project_id}/nodes/{node_id}/history',
  link: '/v2/projects/{project_id}/links/{link_id}/history',
  drawing: '/v2/projects/{project_id}/drawings/{drawing_id}/history',
} as const;

/** All events about an object, oldest first. Throws what the server says. */
export const readHistory = async (
  { client, projectId }: Lab,
  collection: Collection,
  id: string,
  signal: AbortSignal,
): Promise<Told[]> => {
  const events: Told[] = [];
  for (let from: number | null = 1; from !== null;) {
    const path = { project_id: projectId, node_id: id, link_id: id, drawing_id: id };
    const page: Schemas['History'] = await client.get(PATHS[collection], {
      path,
      query: { from: String(from), limit: '1000' },
      signal,
    });
    events.push(...page.events);
    from = page.next;
  }
  return events;
};

const words = (type: string): string => {
  const text = type.replace('.', ' ').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const whoOf = ({ by }: Pick<Event, 'by'>): string =>
  by.address === null ? by.principal : `${by.principal} (${by.address})`;

/** Newest first. */
export const entriesOf = (events: readonly Told[]): Entry[] =>
  events
    .map((event) => ({
      position: event.position,
      at: Date.parse(event.at),
      what: words(event.type),
      who: whoOf(event),
      details: detailsOf(event),
      why: event.causes
        .map((cause) => `${words(cause.type).toLowerCase()}${detailsIn(cause)} (${cause.by.principal})`)
        .join(', because of '),
    }))
    .reverse();

const detailsIn = (event: Event): string => {
  const details = detailsOf(event);
  return details === '' ? '' : ` ${brief(details)}`;
};

/** What an object is called; one that is gone by what it is. */
export const nameFor = ({ nodes, links }: Records, collection: Collection, id: string): string => {
  if (collection === 'drawing') return 'a drawing';
  if (collection === 'node') return brief(nodes.get(id)?.name ?? 'a node');
  const ends = links.get(id)?.nodes.map(({ node_id }) => brief(nodes.get(node_id)?.name ?? 'a node'));
  return ends === undefined ? 'a link' : ends.join(' – ');
};
