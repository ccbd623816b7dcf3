import type { Schemas } from '../../client/index.ts';
import { printable } from '../printable.ts';
import { wantsColour } from '../timeline.ts';

type Plan = Schemas['LabPlan'];
type Change = Plan['changes'][number];

const SIGNS = { add: '+', change: '~', remove: '-' } as const;
const COLOURS = { add: 32, change: 33, remove: 31 } as const;

/** As many characters of a value are printed. */
const MOST = 100;

const valueText = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  const line = printable(text);
  return line.length <= MOST ? line : `${line.slice(0, MOST - 3)}...`;
};

const isLines = (value: unknown): value is string => typeof value === 'string' && value.includes('\n');

const fieldLines = ({ field, from, to }: Change['fields'][number]): string[] => {
  if (!isLines(from) && !isLines(to)) return [`      ${printable(field)}: ${valueText(from)} → ${valueText(to)}`];
  const [before, after] = [from, to].map((value) => (typeof value === 'string' ? value.split('\n') : []));
  return [
    `      ${printable(field)}:`,
    ...(before ?? [])
      .filter((line) => line !== '' && after?.includes(line) !== true)
      .map((line) => `        - ${valueText(line)}`),
    ...(after ?? [])
      .filter((line) => line !== '' && before?.includes(line) !== true)
      .map((line) => `        + ${valueText(line)}`),
  ];
};

/** `done`: nodes that were to start and did not; null: nothing has been done yet. */
export const planLines = (plan: Plan, done: readonly { name: string; message: string }[] | null): string => {
  const isColoured = wantsColour(process.stdout, process.env);
  const painted = ({ action }: Change, text: string): string =>
    isColoured ? `\u001b[${COLOURS[action]}m${text}\u001b[0m` : text;
  const lines = plan.changes.flatMap((change) => {
    const where =
      change.compute_id === null || change.compute_id === 'local' ? '' : ` on ${printable(change.compute_id)}`;
    const restart = change.restart ? ', stopped for it and started again' : '';
    const what = `${change.type} ${printable(change.name)}${where}${restart}`;
    return [`  ${painted(change, SIGNS[change.action])} ${what}`, ...change.fields.flatMap(fieldLines)];
  });
  const notes = plan.notes.map((note) => `note: ${printable(note)}`);
  const failed = (done ?? []).map(({ name, message }) => `${printable(name)} did not start: ${printable(message)}`);
  return [...lines, ...(lines.length === 0 ? [] : ['']), ...notes, ...failed, summary(plan, done !== null), ''].join(
    '\n',
  );
};

const summary = ({ name, changes }: Plan, isDone: boolean): string => {
  if (changes.length === 0) return `${printable(name)} is as the text says: nothing to do.`;
  const count = (action: Change['action']): number => changes.filter((change) => change.action === action).length;
  const restarts = changes.filter(({ restart }) => restart).length;
  const [add, change, remove] = [count('add'), count('change'), count('remove')];
  return isDone
    ? `${printable(name)}: ${add} added, ${change} changed, ${remove} removed, ${restarts} restarted.`
    : `Plan for ${printable(name)}: ${add} to add, ${change} to change, ${remove} to remove, ${restarts} to restart.`;
};
