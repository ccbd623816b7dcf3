import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineFailed } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';
import { type Service, ServiceError, textOf } from './service.ts';

/** Every container carries these, so that a later server finds it again: whose it is, and of which data directory. */
export const LABELS = { node: 'topolog.node', project: 'topolog.project', data: 'topolog.data' } as const;

export interface ContainerState {
  id: string;
  project_id: string;
  state: 'running' | 'paused' | 'ended';
  /** Process id of its first process on this machine; 0 when it does not run. */
  pid: number;
  exitCode: number | null;
}

interface Inspected {
  Id: string;
  State: { Running: boolean; Paused: boolean; Pid: number; ExitCode: number };
  Config: { Labels: Record<string, string> | null };
}

interface Listed {
  Id: string;
  Names: string[] | null;
  Labels: Record<string, string> | null;
}

/** Seconds that a container gets to end by itself. */
const GRACE_S = 5;
/** Lines of its output that are told when it ends. */
const TAIL_LINES = 20;

/** Ids of a node's containers, whatever their state. */
export const containersOf = async (service: Service, nodeId: string, mark: string): Promise<string[]> => {
  const label = [`${LABELS.node}=${nodeId}`, `${LABELS.data}=${mark}`];
  const query = { all: true, filters: JSON.stringify({ label }) };
  const found = (await service.call<{ Id: string }[] | null>('GET', '/containers/json', { query })) ?? [];
  return found.map(({ Id }) => Id);
};

type NodeRef = Pick<KindNode, 'node_id' | 'project_id'>;

/**
 * As `sweep` of an engine: containers of a data directory whose node is none of `keep`, whatever their state. A failure to remove one does
 * not stop the others.
 */
export const sweepContainers = async (
  service: Service,
  mark: string,
  keep: readonly NodeRef[],
  remove: boolean,
): Promise<string[]> => {
  const kept = new Set(keep.map(({ node_id, project_id }) => `${project_id}/${node_id}`));
  const query = { all: true, filters: JSON.stringify({ label: [`${LABELS.data}=${mark}`] }) };
  const found = (await service.call<Listed[] | null>('GET', '/containers/json', { query })) ?? [];
  const left = found.filter(({ Labels }) => !kept.has(`${Labels?.[LABELS.project]}/${Labels?.[LABELS.node]}`));
  const results = await Promise.allSettled(remove ? left.map(({ Id }) => removeContainer(service, Id)) : []);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return left.map(({ Id, Names }) => `container ${Names?.[0]?.replace(/^\//, '') ?? ''} (${Id.slice(0, 12)})`);
};

/** null: there is none. */
export const inspect = async (service: Service, id: string): Promise<ContainerState | null> => {
  const found = await unlessGone(service.call<Inspected>('GET', `/containers/${id}/json`));
  if (found === null) return null;
  const { Running, Paused, Pid, ExitCode } = found.State;
  return {
    id: found.Id,
    project_id: found.Config.Labels?.[LABELS.project] ?? '',
    state: Paused ? 'paused' : Running ? 'running' : 'ended',
    pid: Pid,
    exitCode: Running || Paused ? null : ExitCode,
  };
};

/** Asks a container to end, ends it after a grace, and removes it with what it has written. Fine when it is gone. */
export const endContainer = async (service: Service, id: string): Promise<void> => {
  const found = await inspect(service, id);
  // A paused container cannot react to the signal.
  if (found?.state === 'paused') await unlessGone(unpauseContainer(service, id));
  if (found !== null && found.state !== 'ended')
    await unlessGone(service.call('POST', `/containers/${id}/stop`, { query: { t: GRACE_S } }));
  await removeContainer(service, id);
};

export const removeContainer = async (service: Service, id: string): Promise<void> => {
  await unlessGone(service.call('DELETE', `/containers/${id}`, { query: { force: true, v: true } }));
};

export const restartContainer = async (service: Service, id: string): Promise<void> => {
  await service.call('POST', `/containers/${id}/restart`, { query: { t: GRACE_S } });
};

/** runc gives up when processes are not frozen within a second or so, as on a busy machine (its ErrFreeze). */
const FREEZE_TRIES = 5;

export const pauseContainer = async (service: Service, id: string): Promise<void> => {
  for (let left = FREEZE_TRIES - 1; ; left--)
    try {
      await service.call('POST', `/containers/${id}/pause`);
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof ServiceError && error.status === 500)) throw error;
    }
};

export const unpauseContainer = async (service: Service, id: string): Promise<void> => {
  await service.call('POST', `/containers/${id}/unpause`);
};

/** The end of what a container has printed; empty when it is gone. */
export const outputOf = async (service: Service, id: string): Promise<string> => {
  const query = { stdout: true, stderr: true, tail: TAIL_LINES };
  const answer = await service.stream('GET', `/containers/${id}/logs`, { query }).catch(() => null);
  return answer === null ? '' : (await textOf(answer).catch(() => '')).trim();
};

/** Name that no other container has: two servers may have the same lab open. */
const nameOf = ({ node_id, project_id, name }: KindNode, mark: string): string => {
  const hash = createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex').slice(0, 12);
  return `topolog-${name.replace(/[^\w.-]+/g, '-').slice(0, 40)}-${hash}`;
};

/** Makes a container of the name that it is to have; another one's name gives way to the node's own, with a warning. */
export const makeContainer = async (
  service: Service,
  node: KindNode,
  mark: string,
  body: unknown,
): Promise<{ id: string; warnings: string[] }> => {
  const make = async (name: string): Promise<string> =>
    (await service.call<{ Id: string }>('POST', '/containers/create', { query: { name }, body })).Id;
  const own = nameOf(node, mark);
  const wanted = node.properties['container_name'];
  if (typeof wanted !== 'string') return { id: await make(own), warnings: [] };
  try {
    return { id: await make(wanted), warnings: [] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { id: await make(own), warnings: [`its container is called ${own}: ${error.message}`] };
  }
};

export const toEngineError = (error: unknown, node: Pick<KindNode, 'name'>): unknown =>
  error instanceof ServiceError ? engineFailed(node.name, error.message, error) : error;

const unlessGone = async <T>(call: Promise<T>): Promise<T | null> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
};

/** Reports containers that end by themselves. */
interface Watch {
  /** Watches from now on; a container that has ended already is reported at once. */
  add(service: Service, id: string): void;
  remove(id: string): void;
  close(): void;
}

/** Milliseconds before a service that hung up is asked again. */
const AGAIN_MS = 1_000;

/** `gone` is called once for a container, unless it was removed before. */
export const watchContainers = (mark: string, gone: (id: string, exitCode: number | null) => void): Watch => {
  /** Services by socket: another one may be used after a change of the server's settings. */
  const services = new Map<string, { service: Service; ids: Set<string> }>();
  const over = new AbortController();

  const look = async (service: Service, id: string): Promise<void> => {
    const found = await inspect(service, id).catch(() => undefined);
    if (found === undefined || (found !== null && found.state !== 'ended')) return;
    const ids = services.get(service.socket)?.ids;
    if (!over.signal.aborted && ids?.delete(id) === true) gone(id, found?.exitCode ?? null);
  };

  /** Events only say when to look; the state comes from inspecting the container. */
  const listen = async (service: Service, ids: Set<string>): Promise<void> => {
    const filters = JSON.stringify({ type: ['container'], label: [`${LABELS.data}=${mark}`] });
    const events = service.lines('GET', '/events', { query: { filters }, signal: over.signal });
    // Some may have ended before the events were listened to.
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
