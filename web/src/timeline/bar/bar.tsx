import { type PointerEvent, type ReactElement, useMemo, useRef } from 'react';
import { useStore } from '../../store/use-store.ts';
import type { TimeLine } from '../controller.ts';
import { BarHandle } from './bar-handle.tsx';
import { columnsOf, LANE_HEIGHT, lanesOf, pathOf } from './lanes.ts';
import { sayMark } from './marks.ts';
import { markAt, type TimeLineState } from '../time-line-state.ts';
import { useWidth } from './use-width.ts';
import { sayMoment } from '../panes/words.ts';

/** So near to a mark, in pixels, the pointer means the mark. */
const SNAP = 5;

/** The session as a bar: lanes of marks, and one handle, or two when moments are compared. */
export const Bar = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const now = useStore(timeLine.state);
  const held = useRef<'cursor' | 'from' | 'to' | null>(null);
  const timeAt = (clientX: number): number | null => {
    const left = ref.current?.getBoundingClientRect().left ?? 0;
    return timeOf(now, clientX - left, width);
  };
  const move = (clientX: number): void => {
    const time = timeAt(clientX);
    const { comparison } = now;
    if (comparison === null || held.current === null || held.current === 'cursor') {
      timeLine.goTo(time);
      return;
    }
    const last = now.marks.at(-1)?.at ?? comparison.to;
    timeLine.compare({ ...comparison, [held.current]: time ?? last });
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0 || now.marks.length === 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = nearestHandle(now, timeAt(event.clientX));
    move(event.clientX);
  };
  return (
    <div className="bar-row">
      <LaneLabels now={now} />
      <div
        ref={ref}
        className="bar"
        onPointerDown={press}
        onPointerMove={(event) => {
          if (held.current !== null) move(event.clientX);
          else event.currentTarget.title = wordsAt(now, timeAt(event.clientX));
        }}
        onPointerUp={() => (held.current = null)}
        onPointerCancel={() => (held.current = null)}
      >
        <Lanes now={now} width={width} />
        {now.comparison === null ? (
          <BarHandle timeLine={timeLine} which="cursor" width={width} />
        ) : (
          <>
            <BarHandle timeLine={timeLine} which="from" width={width} />
            <BarHandle timeLine={timeLine} which="to" width={width} />
          </>
        )}
      </div>
    </div>
  );
};

const nearestHandle = ({ comparison }: TimeLineState, time: number | null): 'cursor' | 'from' | 'to' => {
  if (comparison === null) return 'cursor';
  if (time === null) return 'to';
  return Math.abs(time - comparison.from) < Math.abs(time - comparison.to) ? 'from' : 'to';
};

/** The time at a place, or of a mark beside it; null at the end, which is the present. */
const timeOf = ({ scale, shown }: TimeLineState, x: number, width: number): number | null => {
  const place = (Math.max(0, Math.min(width, x)) / Math.max(1, width)) * scale.length;
  if (x >= width - 1) return null;
  const reach = (SNAP / Math.max(1, width)) * scale.length;
  let nearest: number | null = null;
  for (const { at } of shown) {
    const distance = Math.abs(scale.toPlace(at) - place);
    if (distance <= reach && (nearest === null || distance < Math.abs(scale.toPlace(nearest) - place))) nearest = at;
  }
  return nearest ?? scale.toTime(place);
};

/** What happened where the pointer is. */
const wordsAt = (now: TimeLineState, time: number | null): string => {
  const mark = time === null ? null : markAt(now, time);
  return time === null || mark === null ? '' : `${sayMoment(time)}: ${sayMark(mark)}`;
};

const LaneLabels = ({ now: { shown } }: { now: TimeLineState }): ReactElement => {
  const lanes = useMemo(() => lanesOf(shown), [shown]);
  return (
    <div className="lane-labels">
      {lanes.map(({ key, label, marks }) => (
        <span key={key} title={`${label}: ${marks.length}`} style={{ height: LANE_HEIGHT }}>
          {label}
        </span>
      ))}
    </div>
  );
};

const Lanes = ({ now: { shown, scale }, width }: { now: TimeLineState; width: number }): ReactElement => {
  const lanes = useMemo(
    () =>
      lanesOf(shown).map(({ key, shape, marks }, index) => ({
        key,
        shape,
        d: pathOf(shape, columnsOf(marks, scale, width), index),
      })),
    [shown, scale, width],
  );
  const breaks = scale.length === 0 ? [] : scale.breaks.map((place) => (place / scale.length) * width);
  const height = Math.max(4, lanes.length) * LANE_HEIGHT;
  return (
    <svg className="lanes" width={width} height={height} aria-hidden="true">
      <path className="idle" d={breaks.map((x) => `M${x} 0v${height}`).join('')} />
      {lanes.map(({ key, shape, d }) => (
        <path key={key} className={`lane ${shape}`} d={d} />
      ))}
    </svg>
  );
};
