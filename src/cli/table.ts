import type { AnyEvent } from '../events/schemas.ts';
import { printable } from './printable.ts';

/** Colours a padded cell; `column` counts from 0. */
export type Paint = (cell: string, column: number) => string;

const COLUMNS = 5;
const WIDEST = 40;

/** Lines of rows with their first columns aligned. `widths` keeps the widths for following rows. */
export const layOut = (given: string[][], widths: number[] = [], paints: Paint[] = []): string[] => {
  const rows = given.map((row) => row.map(printable));
  for (let i = 0; i < COLUMNS; i++)
    widths[i] = Math.min(WIDEST, Math.max(widths[i] ?? 0, ...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row, index) => {
    const last = row.findLastIndex((cell) => cell !== '');
    const paint = paints[index] ?? ((cell: string) => cell);
    return row
      .slice(0, last + 1)
      .map((cell, i) => paint(i === last ? cell : cell.padEnd(widths[i] ?? 0), i))
      .join('  ');
  });
};

const SGR = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colour of an event's type: failures, warnings, requests and successes. */
const colourOf = (type: string): keyof typeof SGR | null => {
  if (/_failed$|\.(lost|exited|refused|broken)$/.test(type)) return 'red';
  if (/^warning\./.test(type)) return 'yellow';
  if (/_requested$/.test(type)) return 'dim';
  return /\.(started|adopted|opened|resumed|met)$/.test(type) ? 'green' : null;
};

const COLUMN_COLOURS: Partial<Record<number, keyof typeof SGR>> = { 0: 'dim', 1: 'dim', 2: 'cyan', 6: 'dim' };

/** ECMA-48 SGR sequences for the row of an event. */
export const paintFor = ({ type }: Pick<AnyEvent, 'type'>): Paint => {
  const own = colourOf(type);
  return (cell, column) => {
    return painted(cell, column === 3 ? own : COLUMN_COLOURS[column]);
  };
};

const painted = (cell: string, colour: keyof typeof SGR | null | undefined): string =>
  colour == null || cell.trim() === '' ? cell : `\u001b[${SGR[colour]}m${cell}\u001b[0m`;

const STATE_COLOURS: Readonly<Record<string, keyof typeof SGR>> = {
  opened: 'green',
  connected: 'green',
  moved: 'green',
  started: 'green',
  ready: 'green',
  capturing: 'cyan',
  suspended: 'yellow',
  away: 'yellow',
  left: 'yellow',
  missing: 'yellow',
  'left over': 'yellow',
  stopped: 'dim',
  closed: 'dim',
  deleted: 'dim',
};

/** Colours states. Names are in the first column, so that none is taken for a state. */
const paintState: Paint = (cell, column) => painted(cell, column === 0 ? null : STATE_COLOURS[cell.trim()]);

/** Prints rows with their states coloured. */
export const printRows = (rows: string[][]): void => {
  const paints = wantsColour(process.stdout, process.env) ? rows.map(() => paintState) : [];
  for (const line of layOut(rows, [], paints)) process.stdout.write(`${line}\n`);
};

/** Whether to colour what is printed: on a terminal, unless NO_COLOR (no-color.org) asks for none. */
export const wantsColour = (stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
