import { type ReactElement, useMemo } from 'react';
import { t } from '../../words/words.ts';
import { useMapPointer } from '../map-pointer.ts';
import type { Lane, Mark } from '../server.ts';
import type { TimeLineState } from '../time-line-state.ts';
import type { Scale } from './scale.ts';

/** How marks of a lane look; told apart by shape, place and label, not by colour alone. */
type Shape = 'start' | 'stop' | 'failure' | 'warning' | 'met' | 'broken' | 'weather' | 'tick';

const shapeOf = ({ lane }: Pick<Lane, 'lane'>): Shape => (lane === 'person' || lane === 'people' ? 'tick' : lane);

const labelOf = ({ lane, person }: Lane): string => {
  const labels = {
    start: t('Starts'),
    stop: t('Stops'),
    failure: t('Failures'),
    warning: t('Warnings'),
    met: t('Checks met'),
    broken: t('Checks broken'),
    weather: t('Weather'),
    people: t('Others'),
    person: person === 'system' ? t('Server') : person === 'anonymous' ? t('anonymous') : (person ?? ''),
  };
  return labels[lane];
};

/** Lanes in which nothing happened are left out, so that few have the room. */
export const lanesIn = (lanes: readonly Lane[]): readonly Lane[] =>
  lanes.filter(({ counts }) => counts.some((count) => count > 0));

const LANE_HEIGHT = 15;
const INSET = 2;

/** SVG path of one mark, in a lane that begins at `y`. */
const SHAPES: Readonly<Record<Shape, (x: number, y: number) => string>> = {
  start: (x, y) => `M${x - 3.5} ${y + 2}l8 5.500l-8 5.500z`,
  stop: (x, y) => `M${x - 4} ${y + 3}h8v8h-8z`,
  failure: (x, y) => `M${x} ${y + 1}l6 11h-12z`,
  warning: (x, y) => `M${x} ${y + 1}l5.500 6l-5.500 6l-5.500-6z`,
  met: (x, y) => `M${x - 5} ${y + 7}l1.500-1.500l2.500 2.500l5-5.500l1.500 1.500l-6.500 7z`,
  broken: (x, y) => `M${x - 5} ${y + 3}l2-2l3 3l3-3l2 2l-3 3.500l3 3.500l-2 2l-3-3l-3 3l-2-2l3-3.500z`,
  weather: (x, y) => `M${x + 1} ${y + 1}l-5 7h3.500l-1.500 5l6-7h-3.500z`,
  tick: (x, y) => `M${x - 1} ${y + 2}h2.500v10h-2.500z`,
};

const isIn = (lane: Lane, { kind, person }: Mark, named: ReadonlySet<string>): boolean => {
  if (lane.lane === 'person' || lane.lane === 'people') {
    if (Object.hasOwn(SHAPES, kind)) return false;
    return lane.lane === 'person' ? person === lane.person : !named.has(person);
  }
  return lane.lane === kind;
};

/** One by one, where there are few. */
export const marksPath = (lane: Lane, marks: readonly Mark[], where: LaneArea): string => {
  const named = new Set(where.lanes.map(({ person }) => person ?? ''));
  const places = new Set<number>();
  for (const mark of marks)
    if (isIn(lane, mark, named))
      places.add(Math.round((where.scale.toPlace(mark.at) / where.scale.length) * where.width * 2) / 2);
  return [...places].map((x) => SHAPES[shapeOf(lane)](x, where.y)).join('');
};

interface LaneArea {
  readonly lanes: readonly Lane[];
  readonly scale: Scale;
  readonly width: number;
  readonly y: number;
}

/** How much happened when, as heights; a single event can be seen beside thousands. */
export const densityPath = (
  { counts }: Pick<Lane, 'counts'>,
  { width, y }: Pick<LaneArea, 'width' | 'y'>,
  height = LANE_HEIGHT,
): string => {
  const most = Math.max(1, ...counts);
  const step = width / Math.max(1, counts.length);
  const room = height - 2 * INSET;
  return counts
    .map((count, n) => {
      if (count === 0) return '';
      const tall = Math.max(2, Math.round((Math.log2(1 + count) / Math.log2(1 + most)) * room * 2) / 2);
      return `M${Math.round(n * step * 10) / 10} ${y + height - INSET - tall}h${Math.round(Math.max(1, step) * 10) / 10}v${tall}h-${Math.round(Math.max(1, step) * 10) / 10}z`;
    })
    .join('');
};

/** All lanes as one, for the closed strip. */
export const together = (lanes: readonly Lane[]): number[] => {
  const [first] = lanes;
  return (first?.counts ?? []).map((_, n) => lanes.reduce((sum, { counts }) => sum + (counts[n] ?? 0), 0));
};

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

/** Marks of the entries where there is room, and else how many there are. */
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
