import type { LogEvent } from '../../events/event.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { upcast } from '../../events/upcasters.ts';
import { objectOf } from '../../projections/past/timeline/names.ts';
import { Records } from '../../projections/store.ts';
import type { Known } from '../lab.ts';
import type { Log } from './deed.ts';

/** Events that are read at once: some milliseconds of work. */
const PAGE = 250;

export async function* eventsOf(
  { past }: Pick<Log, 'past'>,
  { from, ...query }: { project_id: string; from: number; to: number; types?: string[] },
): AsyncGenerator<AnyEvent> {
  for (let next: number | null = from; next !== null;) {
    const page = await past.history({ ...query, from: next, limit: PAGE });
    for (const text of page.texts) yield upcast(JSON.parse(text) as LogEvent);
    ({ next } = page);
  }
}

/** Deleted nodes and links, as they were, that may have been on the way: the newest. */
const MOST_GONE = 100;

export const findGone = async (log: Log, project_id: string, position: number): Promise<NonNullable<Known['gone']>> => {
  const deleted: string[] = [];
  for await (const event of eventsOf(log, {
    project_id,
    from: 1,
    to: position,
    types: ['node.deleted', 'link.deleted'],
  })) {
    const id = objectOf(event.data)?.id;
    if (id !== undefined) deleted.push(id);
  }
  const gone: {
    nodes: NonNullable<Known['gone']>['nodes'][number][];
    links: NonNullable<Known['gone']>['links'][number][];
  } = { nodes: [], links: [] };
  for (const id of deleted.slice(-MOST_GONE)) {
    const records = new Records();
    const { texts } = await log.past.history({ project_id, object: id, to: position });
    for (const text of texts) {
      const event = upcast(JSON.parse(text) as LogEvent);
      if (!event.type.endsWith('.deleted')) records.advance(event);
    }
    const [node, link] = [records.committed.get('node', id), records.committed.get('link', id)];
    if (node !== undefined) gone.nodes.push(node);
    if (link !== undefined) gone.links.push(link);
  }
  return gone;
};
