import type { KeyboardEvent, ReactElement } from 'react';
import { useStore } from '../../store/use-store.ts';
import type { TimeLine } from '../controller.ts';
import { sayMark } from './marks.ts';
import { markAt, stepFrom, type TimeLineState } from '../time-line-state.ts';
import { sayMoment } from '../panes/words.ts';

type Which = 'cursor' | 'from' | 'to';

interface Props {
  readonly timeLine: TimeLine;
  readonly which: Which;
  readonly width: number;
}

const LABELS: Readonly<Record<Which, string>> = {
  cursor: 'Moment of the session',
  from: 'Compare from',
  to: 'Compare to',
};

const timeIn = ({ cursor, comparison }: TimeLineState, which: Which): number | null =>
  which === 'cursor' || comparison === null ? cursor : comparison[which];

/** What is dragged, and moved by keys: arrows go from mark to mark. */
export const BarHandle = ({ timeLine, which, width }: Props): ReactElement => {
  const now = useStore(timeLine.state);
  const time = timeIn(now, which);
  const { scale, marks } = now;
  const x = time === null || scale.length === 0 ? width : (scale.toPlace(time) / scale.length) * width;
  const mark = time === null ? null : markAt(now, time);
  const text = time === null ? 'now' : `${sayMoment(time)}${mark === null ? '' : `, ${sayMark(mark)}`}`;
  return (
    <div
      className={`bar-handle ${which}${time === null ? ' live' : ''}`}
      style={{ left: x }}
      role="slider"
      tabIndex={0}
      aria-label={LABELS[which]}
      aria-valuemin={0}
      aria-valuemax={marks.length}
      aria-valuenow={time === null ? marks.length : marks.indexOf(mark ?? (marks[0] as never)) + 1}
      aria-valuetext={text}
      title={text}
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

const steer = (event: KeyboardEvent, timeLine: TimeLine, which: Which): void => {
  const now = timeLine.state.get();
  const steps = STEPS[event.key];
  const first = now.marks[0]?.at ?? null;
  if (steps !== undefined) place(timeLine, which, stepFrom({ ...now, cursor: timeIn(now, which) }, steps));
  else if (event.key === 'Home') place(timeLine, which, first);
  else if (event.key === 'End') place(timeLine, which, null);
  else if (event.key === 'Escape') timeLine.goTo(null);
  else if (event.key === ' ' && which === 'cursor') toggle(timeLine);
  else return;
  event.preventDefault();
  event.stopPropagation();
};

const place = (timeLine: TimeLine, which: Which, time: number | null): void => {
  const { comparison, marks } = timeLine.state.get();
  if (comparison === null || which === 'cursor') {
    timeLine.pause();
    timeLine.goTo(time);
  } else timeLine.compare({ ...comparison, [which]: time ?? marks.at(-1)?.at ?? comparison.to });
};

export const toggle = (timeLine: TimeLine): void => {
  if (timeLine.state.get().isPlaying) timeLine.pause();
  else timeLine.play();
};
