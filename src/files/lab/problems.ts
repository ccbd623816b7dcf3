import { TopologError } from '../../common/errors.ts';

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
      (a, b) => placeIn(a, 'line') - placeIn(b, 'line') || placeIn(a, 'column') - placeIn(b, 'column'),
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

const placeIn = ({ details }: TopologError, key: 'line' | 'column'): number => Number(details[key] ?? 0);

const toldOf = ({ message, details: { field, problem, line, column } }: TopologError): Record<string, unknown> => ({
  field,
  problem: typeof problem === 'string' ? problem.replace(/^: /, '') : message,
  line,
  column,
});
