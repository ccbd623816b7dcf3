import { type ReactElement, useMemo } from 'react';
import { useMapPointer } from '../map-pointer.ts';
import type { TimeLineState } from '../time-line-state.ts';
import { densityPath, labelOf, LANE_HEIGHT, lanesIn, marksPath, shapeOf, together } from './lanes.ts';

/** Height of the one lane of the closed strip, in pixels. */
const STRIP = 22;

interface Props {
  readonly now: TimeLineState;
  readonly width: number;
  readonly isOpen: boolean;
}

export const LaneLabels = ({ now: { overview } }: { now: TimeLineState }): ReactElement => (
  <div className="lane-labels">
    {lanesIn(overview?.lanes ?? []).map((lane) => (
      <span key={`${lane.lane} ${lane.person}`} style={{ height: LANE_HEIGHT }}>
        {labelOf(lane)}
      </span>
    ))}
  </div>
);

/** What happened: each mark where there is room, and else how much. */
export const Lanes = ({ now, width, isOpen }: Props): ReactElement => {
  const { overview, scale, here } = now;
  useMapPointer(here === null ? null : (here.object?.id ?? null));
  const lanes = useMemo(() => lanesIn(overview?.lanes ?? []), [overview]);
  const paths = useMemo(() => {
    if (!isOpen) {
      const failures = lanes.filter(({ lane }) => lane === 'failure');
      return [
        { key: 'all', shape: 'tick', d: densityPath({ counts: together(lanes) }, { width, y: 0 }, STRIP) },
        { key: 'failures', shape: 'failure', d: densityPath({ counts: together(failures) }, { width, y: 0 }, STRIP) },
      ];
    }
    return lanes.map((lane, index) => {
      const y = index * LANE_HEIGHT;
      const marks = overview?.marks ?? null;
      const d = marks === null ? densityPath(lane, { width, y }) : marksPath(lane, marks, { lanes, scale, width, y });
      return { key: `${lane.lane} ${lane.person}`, shape: shapeOf(lane), d };
    });
  }, [isOpen, lanes, overview, scale, width]);
  const gaps = (overview?.gaps ?? []).map(({ from, to }) => scale.toPlace(from) / 2 + scale.toPlace(to) / 2);
  const height = isOpen ? Math.max(1, lanes.length) * LANE_HEIGHT : STRIP;
  return (
    <svg className="lanes" width={width} height={height} aria-hidden="true">
      <path
        className="idle"
        d={gaps.map((place) => `M${Math.round((place / scale.length) * width)} 0v${height}`).join('')}
      />
      {paths.map(({ key, shape, d }) => (
        <path key={key} className={`lane ${shape}`} d={d} />
      ))}
    </svg>
  );
};
