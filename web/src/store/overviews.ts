import type { Client, Schemas } from './api.ts';
import { createStore, type Store } from './store.ts';

export type Overview = Schemas['ProjectOverview'];

/** What the list shows of each project, by its id. */
export type Overviews = ReadonlyMap<string, Overview>;

interface Followed {
  readonly state: Store<Overviews>;
  /** Something has changed: they are read again soon. */
  readonly touch: () => void;
  readonly close: () => void;
}

/** Nodes start and people come without a frame of the server's feed: looked at this often. Milliseconds. */
const LOOK_MS = 5_000;
/** What changes together is read together. Milliseconds. */
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
