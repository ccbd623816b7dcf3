import { useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { untilDone } from '../store/following/retry.ts';
import { createOthersJobs } from '../store/jobs.ts';
import type { Frame } from '../store/records.ts';
import { createStore, type Store } from '../store/store.ts';
import { type Compute, isHere, nameOfCompute, readComputes } from './computes.ts';

export interface ComputesState {
  /** This server first, then by name. */
  readonly computes: readonly Compute[];
  /** By id; the same object for as long as they are called the same. */
  readonly names: ReadonlyMap<string, string>;
  readonly isLoaded: boolean;
  /** Why they cannot be read. */
  readonly problem: unknown;
}

const NO_COMPUTES: ComputesState = { computes: [], names: new Map(), isLoaded: false, problem: null };

/** The list after a frame of the server's feed. */
export const foldCompute = (before: readonly Compute[], frame: Frame): readonly Compute[] => {
  switch (frame.action) {
    case 'compute.created':
    case 'compute.updated':
    case 'compute.deleted': {
      const { action, event } = frame;
      const old = before.find(({ compute_id }) => compute_id === event.compute_id);
      const others = before.filter((one) => one !== old);
      return action === 'compute.deleted' ? others : inOrder([...others, withLoad(event, old)]);
    }
    default:
      return before;
  }
};

/** An event tells of no load: it stays as it was last told, while the compute is there. */
const withLoad = (told: Compute, old: Compute | undefined): Compute =>
  told.connected && told.cpu_usage_percent === null && old !== undefined
    ? { ...told, cpu_usage_percent: old.cpu_usage_percent, memory_usage_percent: old.memory_usage_percent }
    : told;

const inOrder = (computes: readonly Compute[]): readonly Compute[] =>
  computes.toSorted(
    (a, b) =>
      Number(isHere(b.compute_id)) - Number(isHere(a.compute_id)) ||
      a.name.localeCompare(b.name, undefined, { numeric: true }),
  );

const namesOf = (before: ReadonlyMap<string, string>, computes: readonly Compute[]): ReadonlyMap<string, string> => {
  const names = new Map(computes.map((compute) => [compute.compute_id, nameOfCompute(compute)]));
  return JSON.stringify([...names]) === JSON.stringify([...before]) ? before : names;
};

interface Followed {
  readonly state: Store<ComputesState>;
  readonly close: () => void;
}

const follow = (client: Client): Followed => {
  const state = createStore(NO_COMPUTES);
  const uploads = createOthersJobs();
  const ending = new AbortController();
  const { signal } = ending;
  const put = (computes: readonly Compute[], part: Partial<ComputesState> = {}): void =>
    state.update((now) =>
      computes === now.computes ? now : { ...now, computes, names: namesOf(now.names, computes), ...part },
    );
  const read = async (): Promise<void> =>
    put(inOrder(await readComputes(client, signal)), { isLoaded: true, problem: null });
  const onConnection = (stands: boolean): void => {
    if (!stands) uploads.clear();
  };
  const run = async (): Promise<void> => {
    for await (const frame of client.feed('/v2/notifications', {
      over: 'websocket',
      live: true,
      signal,
      onConnection,
    })) {
      // The list is read once the feed is up to date; what it then tells again changes nothing.
      if (frame.action === 'reload' || (frame.action === 'ping' && !state.get().isLoaded))
        await untilDone(read, signal);
      else if (frame.action === 'project.progress' && frame.event.what === 'upload')
        uploads.take(frame.event, undefined);
      else put(foldCompute(state.get().computes, frame));
    }
  };
  untilDone(run, signal).catch((problem: unknown) => {
    if (!signal.aborted) state.update((now) => ({ ...now, problem }));
  });
  const close = (): void => {
    ending.abort();
    uploads.clear();
  };
  return { state, close };
};

/** One for everything on the page that looks at computes, for as long as something does. */
const shared = new WeakMap<Client, Followed & { users: number }>();

/** Follows the server's computes until it is closed; meanwhile images that are sent to them are shown as tasks. */
export const followComputes = (client: Client): Followed => {
  const one = shared.get(client) ?? { ...follow(client), users: 0 };
  shared.set(client, one);
  one.users += 1;
  let isOpen = true;
  return {
    state: one.state,
    close() {
      if (!isOpen) return;
      isOpen = false;
      one.users -= 1;
      if (one.users > 0) return;
      shared.delete(client);
      one.close();
    },
  };
};

const NOTHING = createStore(NO_COMPUTES);

/** The computes as they are, for as long as they are wanted. */
export const useComputes = (client: Client, isWanted = true): Store<ComputesState> => {
  const [store, setStore] = useState(NOTHING);
  useEffect(() => {
    if (!isWanted) return undefined;
    const { state, close } = followComputes(client);
    setStore(state);
    return () => {
      close();
      setStore(NOTHING);
    };
  }, [client, isWanted]);
  return store;
};
