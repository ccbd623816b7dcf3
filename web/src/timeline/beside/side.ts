import type { TimeLine } from '../time-line-state.ts';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { type Lab, openLab, type Past } from '../../store/lab.ts';
import type { Records } from '../../store/records.ts';
import { createStore } from '../../store/store.ts';
import type { Place } from '../../store/workbench.ts';
import { timeLineOf } from '../controller.ts';

/** One of the two: a lab that shows a moment of its own. */
export interface Side {
  readonly lab: Lab;
  readonly timeLine: TimeLine;
}

const nothing = (): void => undefined;

/** This lab is followed already; another one is for as long as it is looked at. */
const labOf = (main: Lab, projectId: string): Lab =>
  projectId === main.projectId
    ? { ...main, past: createStore<Past | null>(null), show: nothing, close: nothing }
    : openLab(main.client, projectId);

/** Opens a side, at a moment or now; and again for another place, also for one that says the same. */
export const useSide = (main: Lab, place: Place): Side | null => {
  const [side, setSide] = useState<Side | null>(null);
  useEffect(() => {
    const { projectId, at } = place;
    const lab = labOf(main, projectId);
    const timeLine = timeLineOf(lab);
    const stop = timeLine.start();
    if (at !== null) timeLine.goTo(at);
    setSide({ lab, timeLine });
    return () => {
      stop();
      lab.close();
      setSide(null);
    };
  }, [main, place]);
  return side;
};

/** Records that a side shows; null: not there yet. */
export const useShown = (side: Side | null): Records | null => {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (side === null) return nothing;
      const ends = [side.lab.past, side.lab.state, side.timeLine.state].map((store) => store.subscribe(listener));
      return () => ends.forEach((end) => end());
    },
    [side],
  );
  return useSyncExternalStore(subscribe, () => (side === null ? null : shownBy(side)));
};

const shownBy = ({ lab, timeLine }: Side): Records | null => {
  const past = lab.past.get();
  if (past !== null) return past.records;
  const { isLoaded, records } = lab.state.get();
  // A moment that was asked for and is not there yet is not the present.
  return isLoaded && timeLine.state.get().cursor === null ? records : null;
};
