import { untilDone } from './following/again.ts';
import type { Connection } from './lab.ts';
import { notify } from './notices.ts';
import type { Frame, Project } from './records.ts';
import { createStore, type Store } from './store.ts';
import type { Client } from './api.ts';
import { createOthersJobs } from './jobs.ts';
import { told } from '../words/words.ts';

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

const nameOf = ({ projects }: ProjectsState, id: string): string | undefined =>
  projects.find(({ project_id }) => project_id === id)?.name ?? undefined;

/** Follows the server's projects, and shows the jobs that others have asked for. */
export const openProjects = (client: Client): Projects => {
  const state = createStore(START);
  const ending = new AbortController();
  const { signal } = ending;
  const others = createOthersJobs();
  const change = (part: Partial<ProjectsState>): void => state.update((now) => ({ ...now, ...part }));
  const read = async (): Promise<void> =>
    change({ projects: byName(await client.get('/v2/projects', { signal })), isLoaded: true, connection: 'connected' });
  const follow = async (): Promise<void> => {
    const onConnection = (stands: boolean): void => {
      if (!stands) others.clear();
      change({ connection: stands ? 'connected' : 'lost' });
    };
    const feed = client.feed('/v2/notifications', { over: 'websocket', live: true, signal, onConnection });
    for await (const frame of feed) {
      // Images that go to computes are shown by those who look at computes.
      if (frame.action === 'project.progress' && frame.event.what !== 'upload')
        others.take(frame.event, nameOf(state.get(), frame.event.project_id));
      else if (frame.action === 'log.info') notify('info', told(frame.event.message));
      // The list is read once the feed is up to date; what it then tells again changes nothing.
      else if (frame.action === 'reload' || (frame.action === 'ping' && !state.get().isLoaded))
        await untilDone(read, signal, () => change({ connection: 'lost' }));
      else state.update((now) => ({ ...now, projects: foldProject(now.projects, frame) }));
    }
  };
  untilDone(follow, signal, () => change({ connection: 'lost' })).catch((problem: unknown) => {
    if (!signal.aborted) change({ problem, connection: 'lost' });
  });
  return {
    state,
    close: () => {
      ending.abort();
      others.clear();
    },
  };
};
