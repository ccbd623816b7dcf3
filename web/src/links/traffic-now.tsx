import type { ReactElement } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { t } from '../words/words.ts';
import { ratesOf, sayRate, trafficOf } from './traffic.ts';

/** What passes at the moment in both directions, beside what changes it. */
export const TrafficNow = ({ linkId }: { linkId: string }): ReactElement => {
  const { lab } = useScope();
  const { frames, dropped } = useStore(trafficOf(lab), (now) => ratesOf(now, linkId));
  return (
    <span className="note traffic-now">
      {t('Now: {frames} frames/s, {lost} lost/s', {
        frames: sayRate(frames[0] + frames[1]),
        lost: sayRate(dropped[0] + dropped[1]),
      })}
    </span>
  );
};
