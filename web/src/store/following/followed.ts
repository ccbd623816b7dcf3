import { latestOnly } from './latest.ts';
import type { Lab } from '../lab.ts';
import { sentenceOf } from '../notices.ts';
import type { Frame } from '../records.ts';
import { createStore, type Store } from '../store.ts';

export interface FollowedState<T> {
  readonly value: T;
  readonly isLoaded: boolean;
  /** Why it cannot be read. */
  readonly problem: string | null;
}

/** Something of a lab that the feed tells of without saying what it is now: it is read again, as it is at the moment that is shown. */
export interface Followed<T> {
  readonly state: Store<FollowedState<T>>;
  /** Begins to follow it, unless somebody does already; answers what ends that. */
  readonly follow: () => () => void;
}

interface Parts<T> {
  /** Value until it was read. */
  readonly none: T;
  /** Null: as it is now. */
  readonly read: (lab: Lab, at: string | null) => Promise<T>;
  /** Frames after which it may be something else. */
  readonly told: ReadonlySet<Frame['action']>;
}

/** There is one of it for each lab. */
export const followedOf = <T>(parts: Parts<T>): ((lab: Lab) => Followed<T>) => {
  const known = new WeakMap<Lab, Followed<T>>();
  return (lab) => {
    const made = known.get(lab) ?? createFollowed(lab, parts);
    known.set(lab, made);
    return made;
  };
};

const createFollowed = <T>(lab: Lab, { none, read, told }: Parts<T>): Followed<T> => {
  const state = createStore<FollowedState<T>>({ value: none, isLoaded: false, problem: null });
  const readAt = latestOnly(async (at: string | null) => {
    try {
      state.set({ value: await read(lab, at), isLoaded: true, problem: null });
    } catch (problem) {
      state.update((now) => ({ ...now, problem: sentenceOf(problem) }));
    }
  });
  const readShown = (): void => {
    const at = lab.past.get()?.moment.at;
    readAt(at === undefined ? null : String(at));
  };
  let followers = 0;
  let stop = (): void => undefined;
  const start = (): void => {
    const ends = [
      lab.past.subscribe(readShown),
      lab.listen(({ action }) => {
        if (told.has(action) && lab.past.get() === null) readShown();
      }),
    ];
    stop = () => ends.forEach((end) => end());
    readShown();
  };
  return {
    state,
    follow: () => {
      followers += 1;
      if (followers === 1) start();
      return () => {
        followers -= 1;
        if (followers === 0) stop();
      };
    },
  };
};
