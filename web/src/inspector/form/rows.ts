import type { Spec } from './spec.ts';
import type { Row } from './values.ts';

/** What one does with the rows of a table. */

/** A name or a number that goes on from the last one: Ethernet7 → Ethernet8. */
const following = (text: string): string =>
  text.replace(/(?<!\d)\d+(?=\D*$)/, (digits) => String(Number(digits) + 1).padStart(digits.length, '0'));

/** Columns whose values are there once each. */
const isCounted = ({ key }: Spec): boolean => /name$|number$|^lport$|^rport$/.test(key);

/** A row like the last one, counted up; an empty table begins with the first values there are. */
export const rowAfter = (columns: readonly Spec[], rows: readonly Row[]): Row => {
  const last = rows.at(-1);
  return Object.fromEntries(
    columns.map((column) => {
      const before = last?.[column.key];
      if (before !== undefined) return [column.key, isCounted(column) ? following(before) : before];
      const first = column.isRequired ? (column.options[0]?.value ?? (column.widget === 'number' ? '0' : '')) : '';
      return [column.key, first];
    }),
  );
};

export const withCell = (rows: readonly Row[], index: number, key: string, text: string): readonly Row[] =>
  rows.with(index, { ...rows[index], [key]: text });

export const withoutRow = (rows: readonly Row[], index: number): readonly Row[] => rows.toSpliced(index, 1);

/** The value of a cell goes to all rows below it, counted up where each is there once. */
export const filledDown = (rows: readonly Row[], index: number, column: Spec): readonly Row[] => {
  let value = rows[index]?.[column.key] ?? '';
  return rows.map((row, at) => {
    if (at <= index) return row;
    if (isCounted(column)) value = following(value);
    return { ...row, [column.key]: value };
  });
};
