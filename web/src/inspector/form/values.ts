import type { Spec } from './spec.ts';
import { DraftProblem } from '../../store/notices.ts';
import { t } from '../../words/words.ts';

/** Value of a field while it is edited: a text, a switch, or the rows of a table by column. */
export type Row = Readonly<Record<string, string>>;
export type Draft = string | boolean | readonly Row[];

export interface Agreed {
  /** They differ. */
  readonly isMixed: boolean;
  readonly value: unknown;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
export const isSame = same;

/** The common value of several records. */
export const agreedOf = (values: readonly unknown[]): Agreed => {
  const [first, ...others] = values;
  return others.every((value) => same(value, first))
    ? { isMixed: false, value: first }
    : { isMixed: true, value: undefined };
};

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : `${value as string | number}`;

const rowOf = (columns: readonly Spec[], value: unknown): Row => {
  const record = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(columns.map(({ key }) => [key, textOf(record[key])]));
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The two columns of pairs and maps. */
export const PAIR = ['name', 'value'] as const;

const pairsOf = (text: string, separator: string): Row[] =>
  linesOf(text).map((line) => {
    const at = line.indexOf(separator);
    return at < 0 ? { name: line, value: '' } : { name: line.slice(0, at), value: line.slice(at + separator.length) };
  });

/** A value of a record as it is edited. */
export const draftOf = (spec: Spec, value: unknown): Draft => {
  switch (spec.widget) {
    case 'switch':
      return value === true;
    case 'table':
      return Array.isArray(value) ? value.map((one) => rowOf(spec.columns, one)) : [];
    case 'row':
      return [rowOf(spec.columns, value)];
    case 'map':
      return Object.entries((value ?? {}) as Record<string, unknown>).map(([name, of]) => ({
        name,
        value: textOf(of),
      }));
    case 'pairs':
      return pairsOf(textOf(value), spec.separator);
    case 'lines':
      return Array.isArray(value) ? value.map(textOf).join('\n') : '';
    default:
      return textOf(value);
  }
};

const numberOf = ({ minimum, maximum, isDecimal }: Spec, text: string): number => {
  const number = Number(text.trim());
  if (isDecimal && !/^-?\d+(\.\d+)?$/.test(text.trim())) throw new DraftProblem('Must be a number');
  if (!isDecimal && !/^-?\d+$/.test(text.trim())) throw new DraftProblem('Must be a whole number');
  if (number >= minimum && number <= maximum) return number;
  if (maximum === Infinity) throw new DraftProblem('Must be {minimum} or more', { minimum });
  throw new DraftProblem('Must be {minimum} to {maximum}', { minimum, maximum });
};

const checked = ({ maxLength, pattern, isNullable }: Spec, text: string): string => {
  if (text.length > maxLength) throw new DraftProblem('Must have at most {maxLength} characters', { maxLength });
  if (pattern !== null && !isNullable && !new RegExp(pattern).test(text))
    throw new DraftProblem('This is not of the right form');
  return text;
};

const cellOf = (spec: Spec, text: string): unknown => {
  if (spec.widget === 'number') return numberOf(spec, text);
  if (spec.widget === 'switch') return text === 'true';
  return checked(spec, text);
};

const objectOf = (spec: Spec, row: Row): Record<string, unknown> => {
  const keys = spec.variants[row['type'] ?? ''];
  const cells = spec.columns.filter(({ key }) => keys === undefined || keys.includes(key));
  return Object.fromEntries(
    cells.flatMap((column) => {
      const text = row[column.key] ?? '';
      if (text !== '') return [[column.key, cellIn(column, text)]];
      if (!column.isRequired) return [];
      throw new DraftProblem('{title} is missing', { title: column.title });
    }),
  );
};

const cellIn = (column: Spec, text: string): unknown => {
  try {
    return cellOf(column, text);
  } catch (problem) {
    if (problem instanceof Error)
      throw new DraftProblem('{title}: {problem}', { title: column.title, problem: problem.message });
    throw problem;
  }
};

const filled = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => (row['name'] ?? '').trim() !== '');

const tableValue = (spec: Spec, rows: readonly Row[]): unknown => {
  if (spec.widget === 'table') return rows.map((row) => objectOf(spec, row));
  if (spec.widget === 'map')
    return Object.fromEntries(filled(rows).map(({ name = '', value = '' }) => [name.trim(), value]));
  if (spec.widget === 'pairs')
    return filled(rows)
      .map(({ name = '', value = '' }) => `${name.trim()}${spec.separator}${value}`)
      .join('\n');
  const value = objectOf(spec, rows[0] ?? {});
  return Object.keys(value).length === 0 && spec.isNullable ? null : value;
};

/** A draft as the server takes it. Throws DraftProblem. */
export const valueOf = (spec: Spec, draft: Draft): unknown => {
  if (typeof draft === 'boolean') return draft;
  if (typeof draft !== 'string') return tableValue(spec, draft);
  if (spec.widget === 'lines') return linesOf(draft).map((line) => (spec.isNumeric ? numberOf(spec, line) : line));
  if (draft.trim() === '' && spec.isNullable && spec.file === null) return null;
  if (spec.widget === 'number') return numberOf(spec, draft);
  return checked(spec, draft);
};

/** As a person reads it in a history or beside a field. */
export const sayValue = (spec: Spec, value: unknown): string => {
  if (value === null || value === undefined || value === '') return t('nothing');
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  if (Array.isArray(value) && spec.widget === 'table')
    return t('{count, plural, one {# row} other {# rows}}', { count: value.length });
  const text = spec.options.find((option) => option.value === value)?.text ?? textOf(value);
  return spec.unit === '' ? text : `${text} ${spec.unit}`;
};
