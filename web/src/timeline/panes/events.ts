import type { Client } from '../../store/api.ts';
import { type Event, type Mark, markOf, nothingKnown } from '../bar/marks.ts';

/** So many events are asked for at once. */
const PAGE = 1000;

/** Reads the events of a project in pages, in the order of the log, and goes on where it was. */
export interface EventReader {
  /** Reads what there is; `take` gets each page, and `isEnd` with the last. Throws what the server says. */
  read(take: (marks: Mark[], isEnd: boolean) => void, signal: AbortSignal): Promise<void>;
}

export const createEventReader = (client: Client, projectId: string): EventReader => {
  const known = nothingKnown();
  let next = 1;
  return {
    async read(take, signal) {
      for (;;) {
        const page = await client.get('/v2/projects/{project_id}/events', {
          path: { project_id: projectId },
          query: { from: String(next), limit: String(PAGE) },
          signal,
        });
        const events: readonly Event[] = page.events;
        next = page.next ?? (events.at(-1)?.position ?? next - 1) + 1;
        take(
          events.map((event) => markOf(known, event)),
          page.next === null,
        );
        if (page.next === null) return;
      }
    },
  };
};
