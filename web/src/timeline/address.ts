import { useEffect } from 'react';
import { momentOf, routeOf, timeOf, wishOf, withMoment, withWish } from '../app/router.ts';
import { type Beside, openBeside, type Place, type WorkbenchStore } from '../store/workbench.ts';
import type { TimeLine } from './time-line-state.ts';
import type { Side } from './beside/side.ts';

const SIDES = ['left', 'right'] as const;
const NOW = 'now';
const PLACE = /^([^@]+)(?:@([0-9a-f-]{36}))?$/i;

/** `now` or a time, and the project where it is not the one of the page. */
const placeOf = (text: string | null, projectId: string): Place | null => {
  const [, when, project = projectId] = PLACE.exec(text ?? '') ?? [];
  if (when === undefined) return null;
  const at = when === NOW ? null : timeOf(when);
  return at === null && when !== NOW ? null : { projectId: project.toLowerCase(), at };
};

const textOf = ({ projectId, at }: Place, ownId: string): string =>
  `${at === null ? NOW : new Date(Math.round(at)).toISOString()}${projectId === ownId ? '' : `@${projectId}`}`;

/** The address can be that of another page already. */
const isOf = (hash: string, projectId: string): boolean => {
  const route = routeOf(hash);
  return route.view === 'lab' && route.projectId === projectId;
};

/** The two sides that an address names; null: none. `projectId`: of the page. */
export const besideOf = (hash: string, projectId: string): Beside | null => {
  if (!isOf(hash, projectId)) return null;
  const [left, right] = SIDES.map((side) => placeOf(wishOf(hash, side), projectId));
  return left == null || right == null ? null : { left, right };
};

export const withBeside = (hash: string, projectId: string, beside: Beside | null): string =>
  SIDES.reduce((now, side) => withWish(now, side, beside === null ? null : textOf(beside[side], projectId)), hash);

const tell = (projectId: string, beside: Beside | null): void => {
  if (!isOf(location.hash, projectId)) return;
  const hash = withBeside(location.hash, projectId, beside);
  if (hash !== location.hash) history.replaceState(history.state, '', hash);
};

/** Keeps the two sides in the address: other people who open it see the same, and once they are closed it is there no longer. */
export const useBesideAddress = (workbench: WorkbenchStore, projectId: string): void => {
  useEffect(() => {
    const take = (): void => {
      const wanted = besideOf(location.hash, projectId);
      if (wanted !== null || workbench.get().beside !== null) workbench.update(openBeside(wanted));
    };
    const clear = (): void => {
      if (workbench.get().beside === null) tell(projectId, null);
    };
    take();
    const stop = workbench.subscribe(clear);
    addEventListener('hashchange', take);
    return () => {
      stop();
      removeEventListener('hashchange', take);
    };
  }, [workbench, projectId]);
};

/** Tells the address which moments of which projects both sides show, whenever one of them has gone elsewhere. */
export const useWriteBeside = (projectId: string, left: Side | null, right: Side | null): void => {
  useEffect(() => {
    if (left === null || right === null) return;
    const both = [left.timeLine.state, right.timeLine.state];
    const placed = ({ lab, timeLine }: Side): Place => ({ projectId: lab.projectId, at: timeLine.state.get().cursor });
    const look = (): void => {
      // Not at every turn of playing: browsers refuse more than a few changes a second.
      if (!both.some((state) => state.get().isPlaying)) tell(projectId, { left: placed(left), right: placed(right) });
    };
    look();
    const ends = both.map((state) => state.subscribe(look));
    return () => ends.forEach((end) => end());
  }, [projectId, left, right]);
};

/** The moment that is shown stands in the address, so that it can be sent to somebody; who opens that address sees it. */
export const useMomentAddress = (timeLine: TimeLine): void => {
  useEffect(() => {
    let told: number | null = null;
    const take = (): void => {
      const wanted = momentOf(location.hash);
      if (wanted === told) return;
      told = wanted;
      timeLine.goTo(wanted);
    };
    const tell = (): void => {
      const { cursor, isPlaying } = timeLine.state.get();
      const time = cursor === null ? null : Math.round(cursor);
      // Not at every turn of playing: browsers refuse more than a few changes a second.
      if (time === told || isPlaying) return;
      told = time;
      history.replaceState(history.state, '', withMoment(location.hash, time));
    };
    take();
    const stop = timeLine.state.subscribe(tell);
    addEventListener('hashchange', take);
    return () => {
      stop();
      removeEventListener('hashchange', take);
    };
  }, [timeLine]);
};
