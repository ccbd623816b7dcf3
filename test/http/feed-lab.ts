import type { FastifyInstance } from 'fastify';
import type { AnyEvent, DataOf, EventType } from '../../src/events/schemas.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { type Changes, createChanges } from '../../src/projections/past/changes.ts';
import { Moments } from '../../src/projections/past/moments.ts';
import { Records } from '../../src/projections/store.ts';
import type { HttpDeps } from '../../src/http/server/server.ts';
import { draftOf, PROJECT } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';
import { type FakeLab, fakeLab, serve } from './fake-lab.ts';

/** A facade that listens over a real log in memory; events are appended by hand, commands are fakes. */
export interface FeedLab {
  app: FastifyInstance;
  url: string;
  fake: FakeLab;
  log: EventLog;
  changes: Changes;
  append<T extends EventType>(type: T, data: DataOf<T>, projectId?: string | null): Promise<AnyEvent>;
  /** The same log under a new facade, whose memory begins now. */
  restart(over?: Partial<HttpDeps>): Promise<void>;
  close(): Promise<void>;
}

export const feedLab = async (over: Partial<HttpDeps> = {}): Promise<FeedLab> => {
  const records = new Records();
  const store = memoryStore();
  const log = await EventLog.open(() => Promise.resolve(store), records);
  const moments = new Moments(() => log.store);
  const start = async (given: Partial<HttpDeps>) => {
    const fake = fakeLab();
    const changes = createChanges(log, records, moments);
    const app = serve(fake, { records: records.committed, changes, ...given });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const address = app.server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    return { app, fake, changes, url: `http://127.0.0.1:${port}` };
  };
  const lab: FeedLab = {
    ...(await start(over)),
    log,
    async append(type, data, projectId = PROJECT) {
      const [event] = await log.append([draftOf(type, data, projectId)]);
      if (event === undefined) throw new Error('the log answered without an event');
      return event;
    },
    async restart(changed = over) {
      await lab.app.close();
      Object.assign(lab, await start(changed));
    },
    async close() {
      await lab.app.close();
      await log.close();
    },
  };
  return lab;
};

export const FEED = `/v2/projects/${PROJECT}/notifications`;
