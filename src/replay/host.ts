import type { Duplex } from 'node:stream';
import type { LogEvent } from '../events/event.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { upcast } from '../events/upcasters.ts';
import type { Bag } from './requests.ts';

/** Events of the replay's project. */
export interface EventsOf {
  /** All events after a position so far, in order. */
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

/** An answer of the interface. */
export interface Reply {
  status: number;
  /** Parsed JSON; null for an empty body. */
  body: unknown;
}

/** Server on which a replay runs, by requests to its HTTP interface only. */
export interface ReplayHost {
  send(method: string, path: string, body: Bag | null, requestId: string): Promise<Reply>;
  /** Opens a console; absent where no input is replayed. */
  openConsole?(path: string): Promise<Duplex>;
  /** Directory of the server's projects and images, in which the lab gets a directory. */
  filesDir: string;
  version: string;
}

export const messageIn = ({ body }: Reply): string => {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message : '';
};

/** Sends a request that must succeed; throws the server's message otherwise. */
export const demand = async (
  host: ReplayHost,
  what: string,
  ...request: Parameters<ReplayHost['send']>
): Promise<unknown> => {
  const reply = await host.send(...request);
  if (reply.status < 300) return reply.body;
  throw new Error(`${what}: ${messageIn(reply) || `the server answers ${reply.status}`}`);
};
