import { invalid, type TopologError } from '../../common/errors.ts';
import type { Lab, LabPlace, PlaceOf, ProblemAt } from './model.ts';

/** An error at a place of a text. `line` and `column` count from 1. What is wrong with all of it is a sentence of its own. */
export const errorAt = ({ line, column, field }: LabPlace, what: string): TopologError =>
  invalid(`line ${line}, column ${column}: ${field === '' ? 'the text' : field} ${what}`, {
    field: field === '' ? 'text' : field,
    problem: field === '' ? `the text ${what}` : what,
    line,
    column,
  });

export const problemAmong =
  (placeOf: PlaceOf): ProblemAt =>
  (path, what) =>
    errorAt(placeOf(path), what);

/** A path behind a field: `.name` and `[3]`. */
export const fieldOf = (path: readonly PropertyKey[], before = ''): string =>
  path.reduce<string>(
    (field, key) => (typeof key === 'number' ? `${field}[${key}]` : `${field === '' ? '' : `${field}.`}${String(key)}`),
    before,
  );

/** Keys of a node of which something may be wrong that only the lab tells. */
const OF_A_NODE = ['kind', 'template', 'was', 'compute', 'address', 'gateway', 'startup', 'symbol', 'console_type'];

/** Places of all that a lab is held against: lines of `<path as JSON>\t<place as JSON>`, in order. */
export const writePlaces = (lab: Lab, placeOf: PlaceOf): string => {
  const paths: PropertyKey[][] = [
    [],
    ...Object.keys(lab.settings).map((key) => ['settings', key]),
    ...lab.nodes.flatMap(({ name, properties, files = {} }) => [
      ['nodes', name],
      ...OF_A_NODE.map((key) => ['nodes', name, key]),
      ...Object.keys(properties).map((key) => ['nodes', name, 'properties', key]),
      ...Object.keys(files).map((key) => ['nodes', name, 'files', key]),
    ]),
    ...(['links', 'drawings', 'checks', 'weather', 'stages'] as const).flatMap((list) =>
      [...(lab[list] ?? []).keys()].map((i) => [list, i]),
    ),
  ];
  return paths
    .map((path) => `${JSON.stringify(path)}\t${JSON.stringify(placeOf(path))}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('\n');
};

/** Finds places in such a text without taking it apart, or the nearest ones above: a large lab has a hundred thousand. */
export const placesIn =
  (text: string): PlaceOf =>
  (path) => {
    for (let length = path.length; length >= 0; length--) {
      const place = placeIn(text, `${JSON.stringify(path.slice(0, length))}\t`);
      if (place !== null) return { ...place, field: fieldOf(path.slice(length), place.field) };
    }
    return { line: 1, column: 1, field: fieldOf(path) };
  };

const placeIn = (text: string, key: string): LabPlace | null => {
  let [from, to] = [0, text.length];
  while (from < to) {
    const start = text.lastIndexOf('\n', ((from + to) >> 1) - 1) + 1;
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, end);
    if (line.startsWith(key)) return JSON.parse(line.slice(key.length)) as LabPlace;
    if (line < key) from = end + 1;
    else to = start;
  }
  return null;
};
