import { invalid } from '../../common/errors.ts';
import { compileBpf } from '../bpf/compile.ts';
import type { CableFilters } from '../protocol.ts';
import { FILTER_DESCRIPTIONS, type FilterParameter } from './descriptions.ts';

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
  const [frequency, loss, corrupt, delay, bpf] = [
    given['frequency_drop'],
    given['packet_loss'],
    given['corrupt'],
    given['delay'],
    given['bpf'],
  ];
  return {
    ...(frequency === undefined ? {} : { frequency_drop: Number(frequency[0]) }),
    ...(loss === undefined ? {} : { packet_loss: Number(loss[0]) }),
    ...(corrupt === undefined ? {} : { corrupt: Number(corrupt[0]) }),
    ...(delay === undefined ? {} : { delay: { latency_ms: Number(delay[0]), jitter_ms: Number(delay[1] ?? 0) } }),
    ...(bpf === undefined ? {} : { bpf: await Promise.all(expressions(String(bpf[0])).map((e) => compileBpf(e))) }),
  };
}

const expressions = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function check(given: string, values: (number | string)[]): void {
  const name = nameOf(given);
  const description = FILTER_DESCRIPTIONS.find(({ type }) => type === name);
  if (description === undefined)
    throw invalid(`there is no filter ${name}; possible: ${FILTER_DESCRIPTIONS.map(({ type }) => type).join(', ')}`);
  const { parameters } = description;
  // No values: the filter is off. A delay without its jitter has none.
  if (values.length > parameters.length)
    throw invalid(
      `filter ${name} takes ${parameters.length} value${parameters.length > 1 ? 's' : ''}, not ${values.length}`,
    );
  values.forEach((value, index) => {
    const parameter = parameters[index];
    if (parameter !== undefined) checkValue(name, parameter, normalise(name, value));
  });
}

/** Filters that count frames. */
const WHOLE = new Set(['frequency_drop']);

function checkValue(filter: string, parameter: FilterParameter, value: number | string): void {
  if (isOff(value)) return;
  if (parameter.type === 'text') {
    if (typeof value !== 'string') throw invalid(`filter ${filter} takes a text`);
    return;
  }
  const { minimum = -Infinity, maximum = Infinity } = parameter;
  const isWhole = WHOLE.has(filter);
  if (typeof value === 'number' && value >= minimum && value <= maximum && (!isWhole || Number.isInteger(value)))
    return;
  const number = isWhole ? 'a whole number' : 'a number';
  throw invalid(`filter ${filter}: ${parameter.name.toLowerCase()} must be ${number} from ${minimum} to ${maximum}`);
}
