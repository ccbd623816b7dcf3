import type { KeyboardEvent, ReactElement } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { t, told } from '../../words/words.ts';
import type { ControlProps } from './controls.tsx';
import { type Spec, specOf } from './spec.ts';
import { PAIR, type Row } from './values.ts';

const pairColumns = (): Spec[] =>
  PAIR.map((key) => specOf(key, { type: 'string', title: key === 'name' ? t('Name') : t('Value') }, key === 'name'));

/** Rows with a field for each column; they are applied together. */
export const TableControl = ({ id, describedBy, place: { spec }, editing }: ControlProps): ReactElement => {
  const { draft, agreed, isReadOnly, change } = editing;
  const isPairs = spec.widget === 'pairs' || spec.widget === 'map';
  const columns = isPairs ? pairColumns() : spec.columns;
  const rows = Array.isArray(draft) ? (draft as readonly Row[]) : [];
  const isOne = spec.widget === 'row';
  return (
    <div className="form-table" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {agreed.isMixed && !editing.isDirty && <p className="note">{t('mixed')}</p>}
      {rows.length > 0 && (
        <Rows {...{ spec, columns, rows, change }} isFixed={isOne || isReadOnly} isReadOnly={isReadOnly} />
      )}
      {!isOne && !isReadOnly && (
        <Button icon="add" onClick={() => change([...rows, rowAfter(columns, rows)])}>
          {t('Add a row')}
        </Button>
      )}
    </div>
  );
};

interface RowsProps {
  readonly spec: Spec;
  readonly columns: readonly Spec[];
  readonly rows: readonly Row[];
  /** None comes or goes. */
  readonly isFixed: boolean;
  readonly isReadOnly: boolean;
  readonly change: (rows: readonly Row[]) => void;
}

const Rows = ({ spec, columns, rows, isFixed, isReadOnly, change }: RowsProps): ReactElement => (
  <div className="form-scroll">
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" title={told(column.help)}>
              {told(column.title)}
              {column.unit === '' ? '' : ` (${column.unit})`}
            </th>
          ))}
          {!isFixed && (
            <th scope="col" className="row-end">
              <span className="visually-hidden">{t('Remove')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // Rows have no identity but their place.
          <tr key={index}>
            {columns.map((column) => (
              <td key={column.key}>
                <Cell
                  {...{ column, row, index, isReadOnly }}
                  isUsed={spec.variants[row['type'] ?? '']?.includes(column.key) ?? true}
                  onChange={(text) => change(withCell(rows, index, column.key, text))}
                  onFillDown={() => change(filledDown(rows, index, column))}
                />
              </td>
            ))}
            {!isFixed && (
              <td className="row-end">
                <IconButton
                  icon="delete"
                  label={t('Remove row {number}', { number: index + 1 })}
                  onClick={() => change(withoutRow(rows, index))}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

interface CellProps {
  readonly column: Spec;
  readonly row: Row;
  readonly index: number;
  /** Rows of this type have the column. */
  readonly isUsed: boolean;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onFillDown: () => void;
}

const Cell = ({ column, row, index, isUsed, isReadOnly, onChange, onFillDown }: CellProps): ReactElement => {
  const value = row[column.key] ?? '';
  const label = t('{title}, row {number}', { title: told(column.title), number: index + 1 });
  const common = {
    value,
    'aria-label': label,
    'aria-keyshortcuts': 'Control+D',
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'd' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!isReadOnly) onFillDown();
    },
  };
  if (!isUsed) return <span className="visually-hidden">{t('nothing')}</span>;
  return column.widget === 'select' ? (
    <select {...common} disabled={isReadOnly} onChange={({ target }) => onChange(target.value)}>
      {!column.options.some((option) => option.value === value) && <option value={value}>{value}</option>}
      {column.options.map((option) => (
        <option key={option.value} value={option.value}>
          {told(option.text)}
        </option>
      ))}
    </select>
  ) : (
    <input
      {...common}
      type="text"
      autoComplete="off"
      spellCheck={false}
      inputMode={column.widget === 'number' ? 'numeric' : undefined}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};

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

const withCell = (rows: readonly Row[], index: number, key: string, text: string): readonly Row[] =>
  rows.with(index, { ...rows[index], [key]: text });

const withoutRow = (rows: readonly Row[], index: number): readonly Row[] => rows.toSpliced(index, 1);

/** The value of a cell goes to all rows below it, counted up where each is there once. */
export const filledDown = (rows: readonly Row[], index: number, column: Spec): readonly Row[] => {
  let value = rows[index]?.[column.key] ?? '';
  return rows.map((row, at) => {
    if (at <= index) return row;
    if (isCounted(column)) value = following(value);
    return { ...row, [column.key]: value };
  });
};
