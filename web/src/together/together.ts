import type { Shown } from 'topolog/client';
import type { Place } from '../map/actions/arrange.ts';
import type { Lab } from '../store/lab.ts';
import type { Records } from '../store/records.ts';
import { createStore, type Store } from '../store/store.ts';

/** Somebody else who looks at the lab, and what they show. */
export interface Other {
  /** Id of the connection: the same person can be there twice. */
  readonly id: number;
  readonly name: string;
  readonly shown: Shown;
}

export interface Together {
  readonly others: Store<readonly Other[]>;
  /** Whose view is followed. */
  readonly following: Store<number | null>;
  /** The own view, as others see it. */
  readonly mine: Store<Shown>;
  readonly show: (part: Partial<Shown>) => void;
  readonly follow: (id: number | null) => void;
  readonly close: () => void;
}

const NOTHING: Shown = { pointer: null, selected: [], moving: [], view: null, consoles: [], leads: false };

/** The server tells it this often, at most. Milliseconds. */
const EVERY_MS = 50;
/** Most objects that the server accepts. */
const MOST_OBJECTS = 200;
const MOST_CONSOLES = 20;

/** Runs something later; answers what prevents it. */
type Later = (run: () => void, ms: number) => () => void;
const afterwards: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Pixels of the map are fine enough, and short. */
const rounded = (place: { readonly x: number; readonly y: number }): { x: number; y: number } => ({
  x: Math.round(place.x),
  y: Math.round(place.y),
});

const withinBounds = ({ pointer, selected, moving, consoles, ...rest }: Shown): Shown => ({
  ...rest,
  pointer: pointer === null ? null : rounded(pointer),
  selected: selected.slice(0, MOST_OBJECTS),
  moving: moving.slice(0, MOST_OBJECTS).map((one) => ({ id: one.id, ...rounded(one) })),
  consoles: consoles.slice(0, MOST_CONSOLES),
});

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Other people who look at a lab and what they show, and what is shown to them. Nothing of it is kept anywhere. */
export const createTogether = (
  { state, listen, show: send }: Pick<Lab, 'state' | 'listen' | 'show'>,
  later: Later = afterwards,
): Together => {
  const shownBy = new Map<number, Shown>();
  const others = createStore<readonly Other[]>([]);
  const following = createStore<number | null>(null);
  const mine = createStore<Shown>(NOTHING);
  const speak = createSpeaking(() => {
    // A window without a map has nothing to show, and is nobody beside the one that it belongs to.
    if (mine.get() !== NOTHING) send(mine.get());
  }, later);
  const tell = (): void => {
    const { listeners } = state.get();
    const now = (listeners?.listeners ?? []).flatMap(({ id, name }): Other[] => {
      const shown = id === listeners?.you ? undefined : shownBy.get(id);
      return shown === undefined ? [] : [{ id, name, shown }];
    });
    if (!isSame(others.get(), now)) others.set(now);
    if (!now.some(({ id }) => id === following.get())) following.set(null);
  };
  const ends = [
    listen((frame) => {
      if (frame.action === 'listener.updated') {
        const { id, ...shown } = frame.event;
        shownBy.set(id, shown);
      } else if (frame.action === 'project.listeners') {
        // With its connection everything of somebody is gone.
        const there = new Set(frame.event.listeners.map(({ id }) => id));
        for (const id of shownBy.keys()) if (!there.has(id)) shownBy.delete(id);
        speak.want(frame.event.count > 1);
      } else return;
      tell();
    }),
    state.subscribe(() => {
      if (state.get().connection === 'lost' && shownBy.size > 0) {
        shownBy.clear();
        tell();
      }
    }),
  ];
  return {
    others,
    following,
    mine,
    show: (part) => {
      const next = withinBounds({ ...mine.get(), ...part });
      if (isSame(next, mine.get())) return;
      mine.set(next);
      speak.soon();
    },
    follow: (id) => following.set(id),
    close: () => {
      speak.end();
      for (const end of ends) end();
    },
  };
};

/** Says something not more often than it is heard, and only while somebody hears it. */
const createSpeaking = (speak: () => void, later: Later) => {
  let isWanted = false;
  let isDue = false;
  let cancel: (() => void) | null = null;
  const now = (): void => {
    cancel = null;
    if (!isDue || !isWanted) return;
    isDue = false;
    speak();
    cancel = later(now, EVERY_MS);
  };
  const soon = (): void => {
    isDue = true;
    if (cancel === null) now();
  };
  return {
    soon,
    want: (wanted: boolean): void => {
      const isNew = wanted && !isWanted;
      isWanted = wanted;
      if (isNew) soon();
    },
    end: (): void => cancel?.(),
  };
};

interface Doing {
  readonly see: (view: NonNullable<Shown['view']>) => void;
  readonly select: (ids: readonly string[]) => void;
  readonly openConsoles: (nodeIds: readonly string[]) => void;
}

/** Does what another one shows, each part when it has changed: what one does oneself meanwhile is not undone by a pointer that moves. */
export const createFollower = ({ see, select, openConsoles }: Doing): { take: (leader: Other | null) => void } => {
  let who: number | null = null;
  let last: Pick<Shown, 'view' | 'selected' | 'consoles'> = { view: null, selected: [], consoles: [] };
  const isNews = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  return {
    take(leader) {
      if (leader === null) {
        who = null;
        return;
      }
      const { view, selected, consoles } = leader.shown;
      const isOther = leader.id !== who;
      const before = last;
      who = leader.id;
      last = { view, selected, consoles };
      if (view !== null && (isOther || isNews(view, before.view))) see(view);
      if (isOther || isNews(selected, before.selected)) select(selected);
      if (consoles.length > 0 && (isOther || isNews(consoles, before.consoles))) openConsoles(consoles);
    },
  };
};

interface On {
  /** Puts things elsewhere on the screen only. */
  readonly place: (places: readonly Place[]) => void;
  /** Ids of the objects that oneself drags at the moment. */
  readonly held: () => ReadonlySet<string>;
  readonly records: () => Records;
  /** Runs something later; answers what prevents it. */
  readonly later?: Later;
}

/** The event that says where something is now comes soon after it was let go; or it was not moved at all. Milliseconds. */
const SETTLED_MS = 1_500;

/** Things that others drag move here as well; let go, or left behind, they are where their records say. */
export const createRemoteDrags = ({ place, held, records, later = afterwards }: On) => {
  const carried = new Map<string, string>();
  const settling = new Set<() => void>();
  const settle = (ids: readonly string[]): void => {
    const { nodes, drawings } = records();
    const mine = held();
    place(
      ids.flatMap((id): Place[] => {
        const record = nodes.get(id) ?? drawings.get(id);
        return record === undefined || carried.has(id) || mine.has(id) ? [] : [{ id, x: record.x, y: record.y }];
      }),
    );
  };
  return {
    take(others: readonly Other[]): void {
      const now = new Map(others.flatMap(({ shown }) => shown.moving.map((one) => [one.id, one] as const)));
      const mine = held();
      const moved = [...now.values()].filter((one) => !mine.has(one.id) && carried.get(one.id) !== `${one.x} ${one.y}`);
      const left = [...carried.keys()].filter((id) => !now.has(id));
      for (const id of left) carried.delete(id);
      for (const { id, x, y } of now.values()) carried.set(id, `${x} ${y}`);
      if (moved.length > 0) place(moved);
      if (left.length === 0) return;
      const cancel = later(() => {
        settling.delete(cancel);
        settle(left);
      }, SETTLED_MS);
      settling.add(cancel);
    },
    end(): void {
      for (const cancel of settling) cancel();
      settling.clear();
      const left = [...carried.keys()];
      carried.clear();
      if (left.length > 0) settle(left);
    },
  };
};
