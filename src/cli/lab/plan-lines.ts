import type { Schemas } from '../../client/index.ts';
import { lessonLine } from '../../files/lab/yaml/write.ts';
import { printable } from '../printable.ts';
import { wantsColour } from '../timeline.ts';

type Plan = Schemas['LabPlan'];
type Change = Plan['changes'][number];

const SIGNS = { add: '+', change: '~', remove: '-' } as const;
const COLOURS = { add: 32, change: 33, remove: 31 } as const;

/** As many characters of a value are printed, and of one of a list, which has a line of its own. */
const MOST = 100;
const MOST_OF_LIST = 300;

const valueText = (value: unknown, most = MOST): string => {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  const line = printable(text);
  return line.length <= most ? line : `${line.slice(0, most - 3)}...`;
};

/** Fields that are told as a text of a lab has them. */
const LESSONS = new Set(['checks', 'weather', 'stages']);

/** Lines of a text, or of a list whose members are long; null: the value stands in one line. */
const linesOf = (field: string, value: unknown): string[] | null => {
  if (typeof value === 'string') return value.includes('\n') ? value.split('\n').filter((line) => line !== '') : null;
  const isLong = Array.isArray(value) && value.some((one) => typeof one === 'object');
  return isLong
    ? (value as unknown[]).map((one) => (LESSONS.has(field) ? lessonLine(field, one) : JSON.stringify(one)))
    : null;
};

const oneLine = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);

const fieldLines = ({ field, from, to }: Change['fields'][number]): string[] => {
  const [before, after] = [linesOf(field, from), linesOf(field, to)];
  if (before === null && after === null) return [`      ${printable(field)}: ${valueText(from)} → ${valueText(to)}`];
  const [was, is] = [before ?? oneLine(from), after ?? oneLine(to)];
  return [
    `      ${printable(field)}:`,
    ...was.filter((line) => !is.includes(line)).map((line) => `        - ${valueText(line, MOST_OF_LIST)}`),
    ...is.filter((line) => !was.includes(line)).map((line) => `        + ${valueText(line, MOST_OF_LIST)}`),
  ];
};

/** What people call computes, by id; `local` is this server. */
export type Computes = ReadonlyMap<string, string>;

/** Where a node is, or will be: said where there is more than one place. */
const placeOf = (computes: Computes, id: string | null): string =>
  id === null || computes.size < 2 ? '' : ` on ${printable(computes.get(id) ?? id)}`;

const withNames = (computes: Computes, one: Change['fields'][number]): Change['fields'][number] => {
  const name = (id: unknown): unknown => computes.get(String(id)) ?? id;
  return one.field === 'compute' ? { ...one, from: name(one.from), to: name(one.to) } : one;
};

interface Failed {
  name: string;
  message: string;
}

/** What was done beside the changes. */
interface Done {
  /** Nodes that were to start and did not. */
  failed: readonly Failed[];
  /** Names of those that started because all were to. */
  started: readonly string[];
}

/** `done` null: nothing has been done yet. */
export const planLines = (plan: Plan, computes: Computes, done: Done | null): string => {
  const isColoured = wantsColour(process.stdout, process.env);
  const painted = ({ action }: Change, text: string): string =>
    isColoured ? `\u001b[${COLOURS[action]}m${text}\u001b[0m` : text;
  const lines = plan.changes.flatMap((change) => {
    const where = change.type === 'node' ? placeOf(computes, change.compute_id ?? 'local') : '';
    const restart = change.restart ? ', stopped for it and started again' : '';
    const what = `${change.type} ${printable(change.name)}${where}${restart}`;
    return [
      `  ${painted(change, SIGNS[change.action])} ${what}`,
      ...change.fields.map((one) => withNames(computes, one)).flatMap(fieldLines),
    ];
  });
  const notes = plan.notes.map((note) => `note: ${printable(note)}`);
  const failed = failedLines(done?.failed ?? []);
  return [...lines, ...(lines.length === 0 ? [] : ['']), ...notes, ...failed, summary(plan, done), ''].join('\n');
};

/** So many nodes are named for one cause. */
const MOST_NAMED = 10;

/** Each cause once, with the nodes that it keeps from starting. */
const failedLines = (failed: readonly Failed[]): string[] => {
  const alike = new Map<string, Failed[]>();
  for (const one of failed) alike.set(causeOf(one), [...(alike.get(causeOf(one)) ?? []), one]);
  return [...alike].map(([cause, all]) => {
    const names = all.slice(0, MOST_NAMED).map(({ name }) => printable(name));
    const more = all.length - names.length;
    const who = `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
    return `${who} did not start: ${printable(all.length === 1 ? (all[0]?.message ?? '') : cause)}`;
  });
};

/** What was said of one node, as it can be said of several. */
const causeOf = ({ name, message }: Failed): string => {
  if (message.startsWith(`${name}: `)) return message.slice(name.length + 2);
  return message.startsWith(`${name} `) ? `each${message.slice(name.length)}` : message;
};

const summary = ({ name, changes }: Plan, done: Done | null): string => {
  const started = done === null || done.started.length === 0 ? '' : startedText(done.started);
  if (changes.length === 0) return `${printable(name)} is as the text says: ${started || 'nothing to do'}.`;
  const count = (action: Change['action']): number => changes.filter((change) => change.action === action).length;
  const restarts = changes.filter(({ restart }) => restart).length;
  const [add, change, remove] = [count('add'), count('change'), count('remove')];
  return done !== null
    ? `${printable(name)}: ${[`${add} added, ${change} changed, ${remove} removed, ${restarts} restarted`, started].filter(Boolean).join(', ')}.`
    : `Plan for ${printable(name)}: ${add} to add, ${change} to change, ${remove} to remove, ${restarts} to restart.`;
};

const startedText = (names: readonly string[]): string => {
  const more = names.length - MOST_NAMED;
  const named = names.slice(0, MOST_NAMED).map(printable).join(', ');
  return `${names.length} started (${named}${more > 0 ? ` and ${more} more` : ''})`;
};
