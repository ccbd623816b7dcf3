import type { Kind, Mark } from './marks.ts';
import type { Scale } from './scale.ts';

/** How marks of a lane look; told apart by shape, place and label, not by colour alone. */
export type Shape = 'start' | 'stop' | 'failure' | 'tick';

export interface Lane {
  readonly key: string;
  readonly label: string;
  readonly shape: Shape;
  readonly marks: readonly Mark[];
}

/** So many people have a lane of their own; the others share one. */
const PEOPLE = 3;
const OWN: Readonly<Partial<Record<Kind, Shape>>> = { start: 'start', stop: 'stop', failure: 'failure' };
const LABELS = { start: 'Starts', stop: 'Stops', failure: 'Failures' } as const;

/** Starts, stops and failures, then the changes of each person, those with most of them first. */
export const lanesOf = (marks: readonly Mark[]): Lane[] => {
  const own = { start: [] as Mark[], stop: [] as Mark[], failure: [] as Mark[] };
  const people = new Map<string, Mark[]>();
  for (const mark of marks) {
    const { kind } = mark;
    if (kind === 'start' || kind === 'stop' || kind === 'failure') own[kind].push(mark);
    else {
      const before = people.get(mark.who);
      if (before === undefined) people.set(mark.who, [mark]);
      else before.push(mark);
    }
  }
  const byCount = [...people].sort(([, a], [, b]) => b.length - a.length);
  const rest = byCount.slice(PEOPLE).flatMap(([, of]) => of);
  return [
    ...(['start', 'stop', 'failure'] as const).map((kind) => ({
      key: kind,
      label: LABELS[kind],
      shape: OWN[kind] ?? 'tick',
      marks: own[kind],
    })),
    ...byCount
      .slice(0, PEOPLE)
      .map(([who, of]) => ({ key: `by ${who}`, label: who, shape: 'tick' as const, marks: of })),
    ...(rest.length === 0 ? [] : [{ key: 'others', label: 'Others', shape: 'tick' as const, marks: rest }]),
  ];
};

/** Pixels between two marks that are drawn both. */
const STEP = 3;

/** Where marks are drawn, in pixels from the left, each place once: a bar has only so many. */
export const columnsOf = (marks: readonly Mark[], scale: Scale, width: number): number[] => {
  const columns = new Set<number>();
  const factor = scale.length === 0 ? 0 : width / scale.length;
  for (const { at } of marks) columns.add(Math.round((scale.toPlace(at) * factor) / STEP) * STEP);
  return [...columns];
};

/** SVG path of one mark, in a lane of 10 pixels that begins at `y`. */
const SHAPES: Readonly<Record<Shape, (x: number, y: number) => string>> = {
  start: (x, y) => `M${x - 3} ${y + 1}l6 4l-6 4z`,
  stop: (x, y) => `M${x - 3} ${y + 2}h6v6h-6z`,
  failure: (x, y) => `M${x} ${y}l5 9h-10z`,
  tick: (x, y) => `M${x - 1} ${y + 1}h2v8h-2z`,
};

export const LANE_HEIGHT = 12;

export const pathOf = (shape: Shape, columns: readonly number[], lane: number): string =>
  columns.map((x) => SHAPES[shape](x, lane * LANE_HEIGHT + 1)).join('');
