import { invalid, TopologError } from '../../common/errors.ts';
import type { Lab, LabPlace, PlaceOf, ProblemAt } from './model.ts';

/**
 * Error at a place of a text. `line` and `column` count from 1. An error about the whole text has a sentence of its
 * own.
 */
export const errorAt = (place: LabPlace, what: string): TopologError => {
  const { line, column, field, file } = place;
  return invalid(sentenceAt(place, what), {
    field: field === '' ? 'text' : field,
    problem: field === '' ? `the text ${what}` : what,
    line,
    column,
    ...(file === undefined ? {} : { file }),
  });
};

export const sentenceAt = ({ line, column, field, file }: LabPlace, what: string): string =>
  `${file === undefined ? '' : `${file} `}line ${line}, column ${column}: ${field === '' ? 'the text' : field} ${what}`;

export const problemAmong =
  (placeOf: PlaceOf): ProblemAt =>
  (path, what) =>
    errorAt(placeOf(path), what);

/** Text of a path: `.name` and `[3]`, after `before`. */
export const fieldOf = (path: readonly PropertyKey[], before = ''): string =>
  path.reduce<string>(
    (field, key) => (typeof key === 'number' ? `${field}[${key}]` : `${field === '' ? '' : `${field}.`}${String(key)}`),
    before,
  );

/** Keys of nodes whose problems only the server can find. */
const OF_A_NODE = ['kind', 'template', 'was', 'compute', 'address', 'gateway', 'startup', 'symbol', 'console_type'];

/** Serialises the places of everything that the server checks: sorted lines of `<path as JSON>\t<place as JSON>`. */
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

/**
 * Looks up places in such a text by binary search, falling back to the nearest parent: a large lab has a hundred
 * thousand, too many to parse.
 */
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

/** Maximum of problems reported at once. */
export const MOST_PROBLEMS = 20;

/** Collects the problems of a text, to report them at once, in the order of the text. */
export class Problems {
  readonly #errors: TopologError[] = [];

  get isEmpty(): boolean {
    return this.#errors.length === 0;
  }

  /** Further problems would not be reported. */
  get isFull(): boolean {
    return this.#errors.length >= MOST_PROBLEMS;
  }

  /** Rethrows other errors. */
  add(error: unknown): void {
    if (!(error instanceof TopologError)) throw error;
    this.#errors.push(error);
  }

  /** In the order of the text, without duplicates. */
  get all(): TopologError[] {
    const different = [...new Map(this.#errors.map((error) => [error.message, error])).values()];
    return different.toSorted(
      (a, b) => numberIn(a, 'line') - numberIn(b, 'line') || numberIn(a, 'column') - numberIn(b, 'column'),
    );
  }

  /** Throws one error for all: the first one, with all of them in `errors`. */
  refuse(): void {
    const { all } = this;
    const [first] = all;
    if (first === undefined) return;
    const errors = all.slice(0, MOST_PROBLEMS).map(toldOf);
    throw TopologError.saying(first.code, first.message, { ...first.details, errors });
  }
}

const numberIn = ({ details }: TopologError, key: 'line' | 'column'): number => Number(details[key] ?? 0);

const toldOf = ({
  message,
  details: { field, problem, line, column, file },
}: TopologError): Record<string, unknown> => ({
  field,
  problem: typeof problem === 'string' ? problem.replace(/^: /, '') : message,
  line,
  column,
  ...(file === undefined ? {} : { file }),
});
