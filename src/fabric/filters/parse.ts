import { invalid, TopologError } from '../../common/errors.ts';
import { suggestionsFor } from '../../common/forms/suggestions.ts';
import { isOneWay, partsOf, type Way } from '../../common/forms/filters.ts';
import type { CableFilters, CableSpec } from '../protocol.ts';
import { FILTER_DESCRIPTIONS, type FilterParameter, findFilter } from './filters.ts';

/** A link's filters as clients send and read them: name to values. */
export type Filters = Record<string, (number | string)[]>;

/** Names that older servers gave to filters. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['latency', 'delay']]);
const nameOf = (given: string): string => {
  const [plain, way] = partsOf(given);
  return `${FORMER_NAMES.get(plain) ?? plain}${way}`;
};

/** Whether a value switches its filter off. */
const isOff = (value: number | string): boolean => value === 0 || value === '';

/**
 * The filters as they are kept: under the names of today, numbers as numbers, texts trimmed, and those that do nothing (no values, or
 * only 0 and empty ones) left out; but one of a single direction says that the filter of both is off there. Checks nothing.
 */
export function normaliseFilters(filters: Filters): Filters {
  const cleaned = Object.entries(filters).map(
    ([name, values]) => [nameOf(name), values.map((v) => normalise(name, v))] as const,
  );
  const on = new Set(cleaned.filter((filter) => !isNothing(filter)).map(([name]) => name));
  const says = ([name, values]: (typeof cleaned)[number]): boolean =>
    on.has(name) || (values.length > 0 && isOneWay(name) && on.has(partsOf(name)[0]));
  return Object.fromEntries(cleaned.filter(says));
}

const isNothing = ([name, values]: readonly [string, (number | string)[]]): boolean =>
  values.every(isOff) || (findFilter(partsOf(name)[0])?.byFirst === true && isOff(values[0] ?? 0));

const normalise = (name: string, value: number | string): number | string => {
  // Minus zero becomes zero.
  if (typeof value === 'number') return value + 0;
  const text = value.trim();
  return partsOf(name)[0] !== 'bpf' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) + 0 : text;
};

/** Checks filters and makes them what a cable takes. Throws TopologError that names the filter and its bounds. */
export async function toCableFilters(
  filters: Filters,
): Promise<Pick<CableSpec, 'filters' | 'one_way'> & { seed?: number }> {
  for (const [name, values] of Object.entries(filters)) check(name, values);
  const given = normaliseFilters(filters);
  for (const [name, values] of Object.entries(given)) check(name, values);
  const cable: Record<Way, CableFilters> = { '': {}, '>': {}, '<': {} };
  for (const [name, values] of Object.entries(given)) {
    const [plain, way] = partsOf(name);
    Object.assign(cable[way], await named(name, async () => findFilter(plain)?.toCable(values)));
  }
  for (const way of ['>', '<'] as const) {
    const { reorder, delay, jitter } = { ...cable[''], ...cable[way] };
    const name = cable[way].reorder === undefined ? 'reorder' : `reorder${way}`;
    if (reorder !== undefined && delay === undefined && jitter === undefined)
      throw invalid(`filter ${name} needs a delay or jitter beside it`, { field: `filters.${name}` });
  }
  const hasWay = Object.keys({ ...cable['>'], ...cable['<'] }).length > 0;
  const seed = given[SEED]?.[0];
  return {
    filters: cable[''],
    ...(hasWay ? { one_way: [cable['>'], cable['<']] } : {}),
    ...(typeof seed === 'number' ? { seed } : {}),
  };
}

/** No filter by itself: where the sequences of the others begin, in both directions. */
const SEED = 'seed';

/** What is wrong is wrong with the filter of this name. */
const named = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TopologError) || error.details['field'] === undefined) throw error;
    throw TopologError.saying(error.code, error.message, { ...error.details, field: `filters.${name}` });
  }
};

function check(given: string, values: (number | string)[]): void {
  const name = nameOf(given);
  const [plain] = partsOf(name);
  const filter = findFilter(plain);
  if (filter === undefined) throw unknown(plain, `filters.${name}`);
  if (plain === SEED && isOneWay(name))
    throw invalid('filter seed is of both directions', { field: `filters.${name}` });
  const { parameters } = filter.description;
  // No values: the filter is off. A delay without its jitter has none.
  if (values.length > parameters.length)
    throw invalid(
      `filter ${name} takes ${parameters.length} value${parameters.length > 1 ? 's' : ''}, not ${values.length}`,
      { field: `filters.${name}` },
    );
  values.forEach((value, index) => {
    const parameter = parameters[index];
    if (parameter !== undefined)
      checkValue({ ...parameter, whole: filter.whole?.includes(index) === true }, name, normalise(name, value));
  });
}

const unknown = (name: string, field: string): TopologError => {
  const names = FILTER_DESCRIPTIONS.map(({ type }) => type);
  const [meant] = suggestionsFor(name, names);
  if (meant !== undefined) return invalid(`there is no filter ${name}; did you mean ${meant}?`, { field });
  return invalid(`there is no filter ${name}; possible: ${names.join(', ')}`, { field });
};

function checkValue(parameter: FilterParameter & { whole: boolean }, name: string, value: number | string): void {
  if (isOff(value)) return;
  const { type, whole, minimum = -Infinity, maximum = Infinity } = parameter;
  const field = `filters.${name}`;
  if (type === 'text') {
    if (typeof value !== 'string') throw invalid(`filter ${name} takes a text`, { field });
    return;
  }
  if (typeof value === 'number' && value >= minimum && value <= maximum && (!whole || Number.isInteger(value))) return;
  const what = parameter.name.replace(/ \(.*/, '').toLowerCase();
  const number = whole ? 'a whole number' : 'a number';
  throw invalid(`filter ${name}: ${what} must be ${number} from ${minimum} to ${maximum}`, { field });
}
