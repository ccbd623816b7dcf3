import { invalid } from '../../common/errors.ts';
import type { CableFilters } from '../protocol.ts';
import { FILTER_DESCRIPTIONS, type Filter, type FilterParameter, findFilter } from './filters.ts';

/** A link's filters as clients send and read them: name to values. */
export type Filters = Record<string, (number | string)[]>;

/** Names that older servers gave to filters. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['latency', 'delay']]);
const nameOf = (given: string): string => FORMER_NAMES.get(given) ?? given;

/** Whether a value switches its filter off. */
const isOff = (value: number | string): boolean => value === 0 || value === '';

/**
 * The filters as they are kept: under the names of today, numbers as numbers, texts trimmed, and those that do nothing (no values, or
 * only 0 and empty ones) left out. Checks nothing.
 */
export function normaliseFilters(filters: Filters): Filters {
  const cleaned = Object.entries(filters).map(
    ([name, values]) => [nameOf(name), values.map((v) => normalise(name, v))] as const,
  );
  return Object.fromEntries(cleaned.filter(([, values]) => !values.every(isOff)));
}

const normalise = (name: string, value: number | string): number | string => {
  // Minus zero becomes zero.
  if (typeof value === 'number') return value + 0;
  const text = value.trim();
  return name !== 'bpf' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) + 0 : text;
};

/** Checks filters and makes them what a cable takes. Throws TopologError that names the filter and its bounds. */
export async function toCableFilters(filters: Filters): Promise<CableFilters> {
  for (const [name, values] of Object.entries(filters)) check(name, values);
  const given = normaliseFilters(filters);
  for (const [name, values] of Object.entries(given)) check(name, values);
  const cable: CableFilters = {};
  for (const [name, values] of Object.entries(given)) Object.assign(cable, await findFilter(name)?.toCable(values));
  return cable;
}

function check(given: string, values: (number | string)[]): void {
  const name = nameOf(given);
  const filter = findFilter(name);
  if (filter === undefined)
    throw invalid(`there is no filter ${name}; possible: ${FILTER_DESCRIPTIONS.map(({ type }) => type).join(', ')}`);
  const { parameters } = filter.description;
  // No values: the filter is off. A delay without its jitter has none.
  if (values.length > parameters.length)
    throw invalid(
      `filter ${name} takes ${parameters.length} value${parameters.length > 1 ? 's' : ''}, not ${values.length}`,
      { field: `filters.${name}` },
    );
  values.forEach((value, index) => {
    const parameter = parameters[index];
    if (parameter !== undefined) checkValue(filter, parameter, normalise(name, value));
  });
}

function checkValue({ description, whole }: Filter, parameter: FilterParameter, value: number | string): void {
  if (isOff(value)) return;
  if (parameter.type === 'text') {
    if (typeof value !== 'string')
      throw invalid(`filter ${description.type} takes a text`, { field: `filters.${description.type}` });
    return;
  }
  const { minimum = -Infinity, maximum = Infinity } = parameter;
  if (typeof value === 'number' && value >= minimum && value <= maximum && (whole !== true || Number.isInteger(value)))
    return;
  const what = parameter.name.replace(/ \(.*/, '').toLowerCase();
  const number = whole === true ? 'a whole number' : 'a number';
  throw invalid(`filter ${description.type}: ${what} must be ${number} from ${minimum} to ${maximum}`, {
    field: `filters.${description.type}`,
  });
}
