import { untilDone } from './again.ts';
import type { Connection } from './lab.ts';
import type { Frame, Project } from './records.ts';
import { createStore, type Store } from './store.ts';
import type { Client } from './wire.ts';

export interface ProjectsState {
  /** By name. */
  readonly projects: readonly Project[];
  readonly isLoaded: boolean;
  readonly connection: Connection;
  readonly problem: unknown;
}

export interface Projects {
  readonly state: Store<ProjectsState>;
  readonly close: () => void;
}

const START: ProjectsState = { projects: [], isLoaded: false, connection: 'connecting', problem: null };

/** The list after a frame of the server's feed. */
export const foldProject = (before: readonly Project[], frame: Frame): readonly Project[] => {
  switch (frame.action) {
    case 'project.created':
    case 'project.updated':
    case 'project.opened':
    case 'project.closed':
      return byName([...before.filter((project) => project.project_id !== frame.event.project_id), frame.event]);
    case 'project.deleted':
      return before.filter((project) => project.project_id !== frame.event.project_id);
    default:
      return before;
  }
};

const byName = (projects: readonly Project[]): Project[] =>
  projects.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? '', undefined, { numeric: true }));

/** Follows the server's projects. */
export const openProjects = (client: Client): Projects => {
  const state = createStore(START);
  const ending = new AbortController();
  const { signal } = ending;
  const change = (part: Partial<ProjectsState>): void => state.update((now) => ({ ...now, ...part }));
  const read = async (): Promise<void> =>
    change({ projects: byName(await client.get('/v2/projects', { signal })), isLoaded: true, connection: 'connected' });
  const follow = async (): Promise<void> => {
    const onConnection = (stands: boolean): void => change({ connection: stands ? 'connected' : 'lost' });
    for await (const frame of client.feed('/v2/notifications', { over: 'websocket', signal, onConnection })) {
      // The list is read once the feed is up to date; what it then tells again changes nothing.
      if (frame.action === 'reload' || (frame.action === 'ping' && !state.get().isLoaded))
        await untilDone(read, signal, () => change({ connection: 'lost' }));
      else state.update((now) => ({ ...now, projects: foldProject(now.projects, frame) }));
    }
  };
  untilDone(follow, signal, () => change({ connection: 'lost' })).catch((problem: unknown) => {
    if (!signal.aborted) change({ problem, connection: 'lost' });
  });
  return { state, close: () => ending.abort() };
};
