import type { LogEvent } from '../../events/event.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { upcast } from '../../events/upcasters.ts';
import { demand, type ReplayHost } from '../host.ts';

/** Events of the replay's project. */
export interface EventsOf {
  /** All after a position that are on record by now, in order. */
  since(position: number): Promise<AnyEvent[]>;
}

interface Page {
  events: LogEvent[];
  next: number | null;
}

export const eventsOf = (host: ReplayHost, projectId: string, requestId: string): EventsOf => ({
  async since(position) {
    const events: AnyEvent[] = [];
    for (let from: number | null = position + 1; from !== null;) {
      const path = `/v2/projects/${projectId}/events?limit=1000&from=${from}`;
      const page = (await demand(host, 'the events of the replay', 'GET', path, null, requestId)) as Page;
      for (const event of page.events) events.push(upcast(event));
      from = page.next;
    }
    return events;
  },
});
