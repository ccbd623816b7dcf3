import type { Handle, TimeLine } from '../time-line-state.ts';
import type { KeyboardEvent, ReactElement } from 'react';
import { useStore } from '../../store/use-store.ts';
import { t } from '../../words/words.ts';
import { timeIn } from '../controller.ts';
import { sayMoment } from '../../words/format.ts';
import { sentenceOf } from '../sentences/sentence.ts';

interface Props {
  readonly timeLine: TimeLine;
  readonly which: Handle;
  readonly width: number;
}

const labelOf = (which: Handle): string =>
  ({ cursor: t('Moment of the session'), from: t('Compare from'), to: t('Compare to') })[which];

/** Steps of a slider, for those who hear it. */
const STEPS_TOLD = 1000;

/** A handle of the bar, moved by dragging or by keys: arrows go from entry to entry. */
export const BarHandle = ({ timeLine, which, width }: Props): ReactElement | null => {
  const now = useStore(timeLine.state);
  const time = timeIn(now, which);
  const share = time === null ? 1 : now.scale.toPlace(time) / now.scale.length;
  const isOff = time !== null && now.zoomed !== null && (time < now.zoomed.from || time > now.zoomed.to);
  const here = which === 'cursor' && now.here !== null ? `, ${sentenceOf(now.here)}` : '';
  const text = time === null ? t('now') : `${sayMoment(time)}${here}`;
  return (
    <div
      className={`bar-handle ${which}${time === null ? ' live' : ''}${isOff ? ' off' : ''}`}
      style={{ left: share * width }}
      role="slider"
      tabIndex={0}
      aria-label={labelOf(which)}
      aria-valuemin={0}
      aria-valuemax={STEPS_TOLD}
      aria-valuenow={Math.round(share * STEPS_TOLD)}
      aria-valuetext={text}
      onKeyDown={(event) => steer(event, timeLine, which)}
    />
  );
};

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** One zoom by a key. */
export const ZOOM = 2;

const steer = (event: KeyboardEvent, timeLine: TimeLine, which: Handle): void => {
  const now = timeLine.state.get();
  const steps = STEPS[event.key];
  const { scale } = now;
  const time = timeIn(now, which);
  const share = time === null ? 1 : scale.toPlace(time) / scale.length;
  if (event.shiftKey && event.key === 'ArrowLeft') timeLine.pan(-0.25);
  else if (event.shiftKey && event.key === 'ArrowRight') timeLine.pan(0.25);
  else if (steps !== undefined) timeLine.step(steps, which);
  else if (event.key === 'Home') timeLine.place(which, now.overview?.first?.at ?? null);
  else if (event.key === 'End') timeLine.place(which, null);
  else if (event.key === 'Escape') timeLine.goTo(null);
  else if (event.key === '+' || event.key === '=') timeLine.zoom(1 / ZOOM, share);
  else if (event.key === '-') timeLine.zoom(ZOOM, share);
  else if (event.key === '0') timeLine.zoomTo(null);
  else if (event.key === ' ' && which === 'cursor') toggle(timeLine);
  else return;
  event.preventDefault();
  event.stopPropagation();
};

export const toggle = (timeLine: TimeLine): void => {
  if (timeLine.state.get().isPlaying) timeLine.pause();
  else timeLine.play();
};
