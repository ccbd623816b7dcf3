import type { Client, Schemas } from 'topolog/client';
import { told } from '../words/words.ts';
import { untilDone } from './following/retry.ts';
import { createOthersJobs } from './jobs.ts';
import type { Connection } from './lab.ts';
import { notify } from './notices.ts';
import type { Frame, Project } from './records.ts';
import { createStore, type Store } from './store.ts';

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

export type Overview = Schemas['ProjectOverview'];

/** Overview of each project, by its id. */
export type Overviews = ReadonlyMap<string, Overview>;

interface Followed {
  readonly state: Store<Overviews>;
  /** Something has changed: they are read again soon. */
  readonly touch: () => void;
  readonly close: () => void;
}

/** Nodes start and people come without a frame of the server's feed: looked at this often. Milliseconds. */
const LOOK_MS = 5_000;
/** Delay within which changes are read together. Milliseconds. */
const SOON_MS = 200;

/** Follows what the list shows of projects, for as long as somebody sees it. */
export const followOverviews = (client: Client, isSeen: () => boolean = () => true): Followed => {
  const state = createStore<Overviews>(new Map());
  const ending = new AbortController();
  let soon: ReturnType<typeof setTimeout> | null = null;
  const read = async (): Promise<void> => {
    try {
      const all = await client.get('/v2/projects/overview', { signal: ending.signal });
      const before = state.get();
      state.set(new Map(all.map((one) => [one.project_id, same(before.get(one.project_id), one)])));
    } catch {
      // The list says that the connection is lost.
    }
  };
  const touch = (): void => {
    soon ??= setTimeout(() => {
      soon = null;
      void read();
    }, SOON_MS);
  };
  void read();
  const timer = setInterval(() => {
    if (isSeen()) void read();
  }, LOOK_MS);
  return {
    state,
    touch,
    close: () => {
      ending.abort();
      clearInterval(timer);
      if (soon !== null) clearTimeout(soon);
    },
  };
};

/** The same object where it says the same. */
const same = (before: Overview | undefined, now: Overview): Overview =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
