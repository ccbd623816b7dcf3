import { type ReactElement, useMemo } from 'react';
import type { TimeLineState } from '../time-line-state.ts';
import { ticksOf } from './ticks.ts';

/** Times below the bar; a wave marks where idle time was left out. */
export const Axis = ({ now: { scale, overview }, width }: { now: TimeLineState; width: number }): ReactElement => {
  const ticks = useMemo(() => ticksOf(scale, width, overview?.gaps ?? []), [scale, width, overview]);
  return (
    <div className="axis" aria-hidden="true">
      {overview?.first != null &&
        ticks.map(({ x, text, isAfterGap }) => (
          <span key={x} className={isAfterGap ? 'tick gap' : 'tick'} style={{ left: x }}>
            {text}
          </span>
        ))}
    </div>
  );
};
