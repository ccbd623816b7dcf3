import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, LABELS } from './containers.ts';
import type { Service } from './service.ts';

/** Reports containers that end by themselves. */
export interface Watch {
  /** From now on; one that has ended already is reported at once. */
  add(service: Service, id: string): void;
  remove(id: string): void;
  close(): void;
}

/** Milliseconds before a service that hung up is asked again. */
const AGAIN_MS = 1_000;

/** `gone` is called once for a container, unless it was removed before. */
export const watchContainers = (mark: string, gone: (id: string, exitCode: number | null) => void): Watch => {
  /** By the socket of their service: it may be another one after a change of the server's settings. */
  const services = new Map<string, { service: Service; ids: Set<string> }>();
  const over = new AbortController();

  const look = async (service: Service, id: string): Promise<void> => {
    const found = await inspect(service, id).catch(() => undefined);
    if (found === undefined || (found !== null && found.state !== 'ended')) return;
    const ids = services.get(service.socket)?.ids;
    if (!over.signal.aborted && ids?.delete(id) === true) gone(id, found?.exitCode ?? null);
  };

  /** Events say when to look; what has happened the container itself says. */
  const listen = async (service: Service, ids: Set<string>): Promise<void> => {
    const filters = JSON.stringify({ type: ['container'], label: [`${LABELS.data}=${mark}`] });
    const events = service.lines('GET', '/events', { query: { filters }, signal: over.signal });
    // Those that ended before anybody listened.
    for (const id of ids) void look(service, id);
    for await (const event of events) {
      const id = (event['Actor'] as { ID?: unknown } | undefined)?.ID ?? event['id'];
      if (typeof id === 'string' && ids.has(id)) void look(service, id);
    }
  };

  const follow = async (service: Service, ids: Set<string>): Promise<void> => {
    while (!over.signal.aborted) {
      await listen(service, ids).catch(() => undefined);
      await sleep(AGAIN_MS, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    }
  };

  return {
    add(service, id) {
      const known = services.get(service.socket);
      if (known !== undefined) {
        known.ids.add(id);
        void look(service, id);
        return;
      }
      const ids = new Set([id]);
      services.set(service.socket, { service, ids });
      void follow(service, ids);
    },
    remove(id) {
      for (const { ids } of services.values()) ids.delete(id);
    },
    close: () => over.abort(),
  };
};
