import { useEffect } from 'react';
import { momentOf, withMoment } from '../app/router.ts';
import type { TimeLine } from './control/controller.ts';

/** The moment that is shown stands in the address, so that it can be sent to somebody; who opens that address sees it. */
export const useMomentInHash = (timeLine: TimeLine): void => {
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
