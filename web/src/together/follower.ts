import type { Shown } from '../store/api.ts';
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
