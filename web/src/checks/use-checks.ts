import { useEffect } from 'react';
import { useScope } from '../app/lab-context.tsx';
import type { FollowedState } from '../store/following/followed.ts';
import { type Highlight, highlight } from '../store/workbench.ts';
import { useStore } from '../store/use-store.ts';
import { brokenIn, type Check, type ChecksNow, checksOf, objectsOf } from './checks.ts';

/** The checks of the lab that is shown, followed as long as they are wanted. */
export const useChecks = (isWanted = true): FollowedState<ChecksNow> => {
  const { lab } = useScope();
  const checks = checksOf(lab);
  useEffect(() => (isWanted ? checks.follow() : undefined), [checks, isWanted]);
  return useStore(checks.state);
};

/** What broken checks are about has a badge on the map. */
export const useBrokenLights = (checks: readonly Check[]): void => {
  const { workbench } = useScope();
  useEffect(() => workbench.update(highlight('checks', brokenIn(checks))), [workbench, checks]);
};

/** What a check is about lights up on the map; null: none. */
export const useCheckLight = (check: Check | null): void => {
  const { workbench } = useScope();
  useEffect(() => {
    if (check === null) return undefined;
    const lights = new Map(objectsOf(check).map((id): [string, Highlight] => [id, 'shown']));
    workbench.update(highlight('check', lights));
    return () => workbench.update(highlight('check', new Map()));
  }, [workbench, check]);
};
