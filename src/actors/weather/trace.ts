import { invalid } from '../../common/errors.ts';
import type { TracePoint } from '../../common/forms/weather.ts';

/** Columns of a trace, with the largest value of each. Seconds, kbit/s, milliseconds, percent. */
const COLUMNS = { time: 86_400, rate: 10_000_000, delay: 32_767, loss: 100 } as const;
type Column = keyof typeof COLUMNS;
const MOST_POINTS = 2_000;

/** Of a text of CSV: a line of names first, then a point a line; an empty place says nothing, and # begins a comment. */
export const parseTrace = (csv: string): TracePoint[] => {
  const lines = csv
    .split(/\r?\n/)
    .map((text, index) => ({ text: text.replace(/#.*/, '').trim(), number: index + 1 }))
    .filter(({ text }) => text !== '');
  const [head, ...rows] = lines;
  const names = (head?.text ?? '').split(',').map((name) => name.trim().toLowerCase());
  const wrong = names.find((name) => !Object.hasOwn(COLUMNS, name));
  if (head === undefined || wrong !== undefined || !names.includes('time'))
    throw refusal(`its first line must name columns among ${Object.keys(COLUMNS).join(', ')}, time among them`);
  return checkTrace(rows.map(({ text, number }) => pointOf(names as Column[], text, number)));
};

/** Throws where points are too many, or not in the order of their times. */
export const checkTrace = (points: TracePoint[]): TracePoint[] => {
  if (points.length === 0 || points.length > MOST_POINTS) throw refusal(`it must have 1 to ${MOST_POINTS} points`);
  points.forEach(({ time }, index) => {
    const before = points[index - 1];
    if (before !== undefined && time - before.time < 0.001)
      throw refusal(`point ${index + 1} must be at least 1 ms behind the one before it`);
  });
  return points;
};

const pointOf = (names: readonly Column[], line: string, number: number): TracePoint => {
  const cells = line.split(',').map((cell) => cell.trim());
  if (cells.length !== names.length) throw refusal(`line ${number} must have ${names.length} values`);
  const values = names.flatMap((name, index): [Column, number][] => {
    const cell = cells[index] ?? '';
    if (cell === '' && name !== 'time') return [];
    const value = Number(cell);
    if (cell !== '' && value >= 0 && value <= COLUMNS[name]) return [[name, value]];
    throw refusal(`line ${number}: ${name} must be a number from 0 to ${COLUMNS[name]}`);
  });
  return Object.fromEntries(values) as unknown as TracePoint;
};

const refusal = (what: string): Error => invalid(`trace: ${what}`, { field: 'trace' });
