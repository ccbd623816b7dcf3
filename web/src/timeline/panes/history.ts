import type { Schemas } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import type { Records } from '../../store/records.ts';
import { titleOf } from '../../words/titles.ts';
import { t, told } from '../../words/words.ts';
import { sentenceOfEvent } from '../sentences/sentence.ts';
import { asData, brief, isText } from '../sentences/subject.ts';

type Told = Schemas['History']['events'][number];
type Event = Schemas['Fact'];
export type Collection = 'node' | 'link' | 'drawing';

/** One thing that happened to an object. */
export interface Entry {
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: string;
  readonly who: string;
  readonly details: string;
  /** Its causes, nearest first; empty: somebody asked for it. */
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

const whoOf = ({ by }: Pick<Event, 'by'>): string =>
  by.address === null ? by.principal : `${by.principal} (${by.address})`;

/** The values of what was changed, and why something failed. */
export const detailsOf = ({ data }: Pick<Event, 'data'>): string => {
  const { failure, message, reason, output } = data;
  return [
    ...Object.entries(asData(data['changes'])).map(([key, value]) => `${titleOf(key)}: ${brief(value)}`),
    ...[asData(failure)['message'], message, reason, output].filter(isText).map((text) => brief(told(text))),
  ].join(', ');
};

/** Newest first, each with the name of its time. */
export const entriesOf = (events: readonly Told[]): Entry[] => {
  let name: string | null = null;
  return events
    .map((event) => {
      const former = name;
      const given = asData(event.data['changes'])['name'] ?? event.data['name'];
      if (isText(given)) name = given;
      const told = { ...event, name, former: former === name ? null : former };
      return {
        position: event.position,
        at: Date.parse(event.at),
        what: sentenceOfEvent(told),
        who: whoOf(event),
        details: detailsOf(event),
        why: event.causes.map((cause) => sentenceOfEvent({ ...cause, name, former: null })).join(' ← '),
      };
    })
    .reverse();
};

/** Name of an object; for one that is gone the word for its sort. */
export const nameFor = ({ nodes, links }: Records, collection: Collection, id: string): string => {
  if (collection === 'drawing') return t('a drawing');
  if (collection === 'node') return brief(nodes.get(id)?.name ?? t('a node'));
  const ends = links.get(id)?.nodes.map(({ node_id }) => brief(nodes.get(node_id)?.name ?? t('a node')));
  return ends === undefined ? t('a link') : ends.join(' – ');
};
