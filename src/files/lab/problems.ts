import { invalid, TopologError } from '../../common/errors.ts';
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

/** Told at once. */
export const MOST_PROBLEMS = 20;

/** What is wrong with a text. It is gathered and told at once, in the order of the text. */
export class Problems {
  readonly #errors: TopologError[] = [];

  get isEmpty(): boolean {
    return this.#errors.length === 0;
  }

  /** More would not be told. */
  get isFull(): boolean {
    return this.#errors.length >= MOST_PROBLEMS;
  }

  /** What is no refusal is thrown on. */
  add(error: unknown): void {
    if (!(error instanceof TopologError)) throw error;
    this.#errors.push(error);
  }

  /** In the order of the text, each once. */
  get all(): TopologError[] {
    const different = [...new Map(this.#errors.map((error) => [error.message, error])).values()];
    return different.toSorted(
      (a, b) => numberIn(a, 'line') - numberIn(b, 'line') || numberIn(a, 'column') - numberIn(b, 'column'),
    );
  }

  /** One error for all: the first one, and in `errors` each of them. */
  refuse(): void {
    const { all } = this;
    const [first] = all;
    if (first === undefined) return;
    const errors = all.slice(0, MOST_PROBLEMS).map(toldOf);
    throw TopologError.saying(first.code, first.message, { ...first.details, errors });
  }
}

const numberIn = ({ details }: TopologError, key: 'line' | 'column'): number => Number(details[key] ?? 0);

const toldOf = ({ message, details: { field, problem, line, column } }: TopologError): Record<string, unknown> => ({
  field,
  problem: typeof problem === 'string' ? problem.replace(/^: /, '') : message,
  line,
  column,
});
