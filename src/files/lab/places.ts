import { invalid, type TopologError } from '../../common/errors.ts';
import type { Lab, LabReading } from './model.ts';

/** Where a text says something of a lab. `field`: as errors name it; empty: the text itself. */
export interface LabPlace {
  line: number;
  column: number;
  field: string;
}

/** An error at a place of a text. `line` and `column` count from 1. What is wrong with all of it is a sentence of its own. */
export const errorAt = ({ line, column, field }: LabPlace, what: string): TopologError =>
  invalid(`line ${line}, column ${column}: ${field === '' ? 'the text' : field} ${what}`, {
    field: field === '' ? 'text' : field,
    problem: field === '' ? `the text ${what}` : what,
    line,
    column,
  });

/** A path behind a field: `.name` and `[3]`. */
export const fieldOf = (path: readonly PropertyKey[], before = ''): string =>
  path.reduce<string>(
    (field, key) => (typeof key === 'number' ? `${field}[${key}]` : `${field === '' ? '' : `${field}.`}${String(key)}`),
    before,
  );

/** Keys of a node of which something may be wrong that only the lab tells. */
const OF_A_NODE = ['kind', 'template', 'was', 'compute', 'address', 'gateway', 'startup', 'symbol', 'console_type'];

/** The places of all that a lab is held against, by their paths. */
export const placesIn = (lab: Lab, problemAt: LabReading['problemAt']): Record<string, LabPlace> => {
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
  return Object.fromEntries(
    paths.map((path): [string, LabPlace] => {
      const { line, column, field } = problemAt(path, '').details as unknown as LabPlace;
      return [JSON.stringify(path), { line, column, field: path.length === 0 ? '' : field }];
    }),
  );
};

/** Errors at these places, or at the nearest one above. */
export const problemAmong =
  (places: () => Readonly<Record<string, LabPlace>>): LabReading['problemAt'] =>
  (path, what) => {
    const known = places();
    for (let length = path.length; length >= 0; length--) {
      const place = known[JSON.stringify(path.slice(0, length))];
      if (place !== undefined) return errorAt({ ...place, field: fieldOf(path.slice(length), place.field) }, what);
    }
    return errorAt({ line: 1, column: 1, field: fieldOf(path) }, what);
  };
