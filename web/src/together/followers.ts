import type { Shown } from 'topolog/client';
import type { Place } from '../map/actions/arrange.ts';
import type { Records } from '../store/records.ts';
import type { Other } from './together.ts';

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
  /** What oneself drags at the moment. */
  readonly held: () => ReadonlySet<string>;
  readonly records: () => Records;
  /** Runs something later; answers what prevents it. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** The event that says where something is now comes soon after it was let go; or it was not moved at all. Milliseconds. */
const SETTLED_MS = 1_500;

const afterwards = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

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
