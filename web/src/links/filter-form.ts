import type { Schemas } from 'topolog/client';
import { t } from '../words/words.ts';

export type FilterDescription = Schemas['FilterDescription'];
type Parameter = FilterDescription['parameters'][number];
export type Filters = Schemas['Filters'];

/** Values in the fields of one filter. */
export interface Draft {
  readonly isOn: boolean;
  readonly values: readonly string[];
}
/** By type of filter, with its direction. */
export type Drafts = Readonly<Record<string, Draft>>;

/** Both directions of a link, from its first end to the second, and back: what the names of filters end with. */
export const WAYS = ['', '>', '<'] as const;
export type Way = (typeof WAYS)[number];

const firstValue = ({ type, minimum = 0 }: Parameter): string => (type === 'text' ? '' : String(Math.max(0, minimum)));

export const draftsOf = (descriptions: readonly FilterDescription[], filters: Filters): Drafts =>
  Object.fromEntries(
    WAYS.flatMap((way) =>
      descriptions.map(({ type, parameters }) => {
        const set = filters[`${type}${way}`];
        const values = parameters.map((parameter, index) => String(set?.[index] ?? firstValue(parameter)));
        return [`${type}${way}`, { isOn: set !== undefined, values }];
      }),
    ),
  );

/** How many filters are on that act on this direction alone, or on both. */
export const countOf = (drafts: Drafts, way: Way): number =>
  Object.entries(drafts).filter(([name, { isOn }]) => isOn && (/[<>]$/.exec(name)?.[0] ?? '') === way).length;

/** Says in words what a field accepts. */
export const rangeOf = ({ type, minimum, maximum, unit = '' }: Parameter): string => {
  if (type === 'text') return '';
  const isOpen = minimum === undefined || maximum === undefined;
  const between = isOpen ? t('A whole number') : t('{from} to {to}', { from: String(minimum), to: String(maximum) });
  return unit === '' ? between : `${between} ${unit}`;
};

/** Shares and times; what counts frames is whole. */
const takesDecimals = ({ unit }: Parameter): boolean => unit === '%' || unit === 'ms' || unit === 'kbit/s';

/** Problem with a value; null: none. `isOnly`: its filter has no other parameter. */
export const problemOf = (parameter: Parameter, value: string, isOnly = true): string | null => {
  if (parameter.type === 'text') return value.trim() === '' && isOnly ? t('Write an expression') : null;
  const { minimum = -Infinity, maximum = Infinity } = parameter;
  const number = Number(value);
  const isDecimal = takesDecimals(parameter);
  const shape = isDecimal ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  if (shape.test(value.trim()) && number >= minimum && number <= maximum) return null;
  const range = rangeOf(parameter);
  return isDecimal ? t('Must be a number, {range}', { range }) : t('Must be a whole number, {range}', { range });
};

/** Filters for the server, read from the fields; null while one of them is invalid. */
export const filtersOf = (descriptions: readonly FilterDescription[], drafts: Drafts): Filters | null => {
  const filters: Filters = {};
  for (const way of WAYS)
    for (const { type, parameters } of descriptions) {
      const draft = drafts[`${type}${way}`];
      if (draft?.isOn !== true) continue;
      if (
        parameters.some(
          (parameter, index) => problemOf(parameter, draft.values[index] ?? '', parameters.length === 1) !== null,
        )
      )
        return null;
      filters[`${type}${way}`] = parameters.map((parameter, index) => {
        const value = (draft.values[index] ?? '').trim();
        return parameter.type === 'text' ? value : Number(value);
      });
    }
  return filters;
};

export const withValue = (drafts: Drafts, name: string, index: number, value: string): Drafts => {
  const draft = drafts[name] ?? { isOn: false, values: [] };
  return { ...drafts, [name]: { isOn: true, values: draft.values.with(index, value) } };
};

export const withSwitch = (drafts: Drafts, name: string, isOn: boolean): Drafts => {
  const draft = drafts[name] ?? { isOn: false, values: [] };
  return { ...drafts, [name]: { ...draft, isOn } };
};
