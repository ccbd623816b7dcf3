import { invalid, TopologError } from '../../common/errors.ts';
import { suggestionsFor } from '../../common/forms/suggestions.ts';
import { isOneWay, partsOf, type Way } from '../../common/forms/filters.ts';
import type { CableFilters, CableSpec } from '../protocol.ts';
import { FILTER_DESCRIPTIONS, type FilterParameter, findFilter } from './filters.ts';

/** A link's filters as clients send and read them: name to values. */
export type Filters = Record<string, (number | string)[]>;

/** Names of filters in earlier releases. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['latency', 'delay']]);
const nameOf = (given: string): string => {
  const [plain, direction] = partsOf(given);
  return `${FORMER_NAMES.get(plain) ?? plain}${direction}`;
};

/** Filters of a link as people write them, in JSON Schema. */
export const filtersSchema = (): Record<string, unknown> => {
  const properties = FILTER_DESCRIPTIONS.flatMap(({ type, name, description, parameters }) => {
    const whole = findFilter(type)?.whole;
    const values = parameters.map((one, i) => valueSchema(one, whole?.includes(i) === true));
    const list = { type: 'array', prefixItems: values, items: false, maxItems: values.length };
    const schema = { title: name, description, anyOf: [values[0], list] };
    return (type === SEED ? [''] : ['', '>', '<']).map((way) => [`${type}${way}`, schema] as const);
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    patternProperties: {
      '^latency[<>]?$': { ...properties.find(([type]) => type === 'delay')?.[1], deprecated: true },
    },
    additionalProperties: false,
  };
};

/** One that is off is right for any; numbers can be texts. */
const valueSchema = (
  { name, type, unit, minimum, maximum }: FilterParameter,
  whole: boolean,
): Record<string, unknown> => {
  const title = { title: unit === undefined ? name : `${name} (${unit})` };
  if (type === 'text') return { ...title, anyOf: [{ type: 'string' }, { const: 0 }] };
  const number = { type: whole ? 'integer' : 'number', minimum, maximum };
  return { ...title, anyOf: [number, { type: 'string', pattern: String.raw`^\s*(?:-?\d+(?:\.\d+)?)?\s*$` }] };
};

/** Whether a value switches its filter off. */
const isOff = (value: number | string): boolean => value === 0 || value === '';

/**
 * Filters as they are stored: under their present names, numbers as numbers, texts trimmed. Leaves out filters that do nothing (no
 * values, or only 0 and empty ones), unless one of a single direction switches off that of both. Checks nothing.
 */
export function normaliseFilters(filters: Filters): Filters {
  const cleaned = Object.entries(filters).map(
    ([name, values]) => [nameOf(name), values.map((v) => normalise(name, v))] as const,
  );
  const on = new Set(cleaned.filter((filter) => !hasNoEffect(filter)).map(([name]) => name));
  const isStored = ([name, values]: (typeof cleaned)[number]): boolean =>
    on.has(name) || (values.length > 0 && isOneWay(name) && on.has(partsOf(name)[0]));
  return Object.fromEntries(cleaned.filter(isStored));
}

const hasNoEffect = ([name, values]: readonly [string, (number | string)[]]): boolean =>
  values.every(isOff) || (findFilter(partsOf(name)[0])?.byFirst === true && isOff(values[0] ?? 0));

const normalise = (name: string, value: number | string): number | string => {
  // Adding 0 makes minus zero zero.
  if (typeof value === 'number') return value + 0;
  const text = value.trim();
  return partsOf(name)[0] !== 'bpf' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) + 0 : text;
};

/** Checks filters and converts them for a cable. Throws TopologError that names the filter and its bounds. */
export async function toCableFilters(
  filters: Filters,
): Promise<Pick<CableSpec, 'filters' | 'one_way'> & { seed?: number }> {
  for (const [name, values] of Object.entries(filters)) check(name, values);
  const given = normaliseFilters(filters);
  for (const [name, values] of Object.entries(given)) check(name, values);
  const cable: Record<Way, CableFilters> = { '': {}, '>': {}, '<': {} };
  for (const [name, values] of Object.entries(given)) {
    const [plain, direction] = partsOf(name);
    Object.assign(cable[direction], await withField(name, async () => findFilter(plain)?.toCable(values)));
  }
  for (const direction of ['>', '<'] as const) {
    const { reorder, delay, jitter } = { ...cable[''], ...cable[direction] };
    const name = cable[direction].reorder === undefined ? 'reorder' : `reorder${direction}`;
    if (reorder !== undefined && delay === undefined && jitter === undefined)
      throw invalid(`filter ${name} needs a delay or jitter beside it`, { field: `filters.${name}` });
  }
  const hasDirection = Object.keys({ ...cable['>'], ...cable['<'] }).length > 0;
  const seed = given[SEED]?.[0];
  return {
    filters: cable[''],
    ...(hasDirection ? { one_way: [cable['>'], cable['<']] } : {}),
    ...(typeof seed === 'number' ? { seed } : {}),
  };
}

/** Not a filter of its own: the seed of the random sequences of the others, in both directions. */
const SEED = 'seed';

/** Sets the field of an error to the filter of this name. */
const withField = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
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
  if (filter === undefined) throw unknownFilter(plain, `filters.${name}`);
  if (plain === SEED && isOneWay(name))
    throw invalid('filter seed is of both directions', { field: `filters.${name}` });
  const { parameters } = filter.description;
  // Fewer values are fine: without values a filter is off, and a delay may lack its jitter.
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

const unknownFilter = (name: string, field: string): TopologError => {
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
