import type { AnyFact } from '../events/facts.ts';
import { printable } from './printable.ts';

/** Names of nodes and other things as the facts so far have told them; a timeline says `PC1`, not an id. */
export type Names = Map<string, string>;

const remember = (names: Names, fact: AnyFact): void => {
  if (fact.type === 'node.created' || fact.type === 'node.updated') {
    const name = fact.type === 'node.created' ? fact.data.name : fact.data.changes.name;
    if (name !== undefined) names.set(fact.data.node_id, name);
  }
  if (fact.type === 'link.created')
    names.set(fact.data.link_id, fact.data.nodes.map((n) => names.get(n.node_id) ?? n.node_id).join(' – '));
};

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

const changesIn = (changes: object): string =>
  Object.entries(changes)
    .map(([key, value]) => `${key} = ${short(value)}`)
    .join(', ');

/** What the fact is about, by name where one is known. */
const subject = (names: Names, { data }: AnyFact): string => {
  const d = data as Record<string, unknown>;
  const id = [d['link_id'], d['node_id'], d['drawing_id']].find((x): x is string => typeof x === 'string');
  return id === undefined ? '' : (names.get(id) ?? id);
};

const details = (fact: AnyFact): string => {
  switch (fact.type) {
    case 'project.created':
    case 'project.replaced':
      return `${fact.data.name} in ${fact.data.path}`;
    case 'project.updated':
    case 'node.updated':
    case 'link.updated':
    case 'drawing.updated':
      return changesIn(fact.data.changes);
    case 'project.nodes_requested':
      return `${fact.data.action} all nodes`;
    case 'project.nodes_finished':
      return `${fact.data.action}: ${fact.data.done} done, ${fact.data.failed.length} failed`;
    case 'node.created':
      return fact.data.kind;
    case 'node.started':
    case 'node.reloaded':
    case 'node.adopted':
      return `${fact.data.engine}${fact.data.console === null ? '' : `, console ${fact.data.console}`}`;
    case 'node.start_failed':
    case 'node.stop_failed':
    case 'node.suspend_failed':
    case 'node.resume_failed':
    case 'node.reload_failed':
    case 'project.open_failed':
    case 'capture.failed':
      return fact.data.failure.message;
    case 'node.exited':
      return `code ${fact.data.code ?? 'none'}: ${short(fact.data.output)}`;
    case 'node.lost':
      return fact.data.reason;
    case 'node.nio_added':
    case 'node.nio_updated':
      return short(fact.data.nio);
    case 'node.recording_started':
    case 'node.recording_stopped':
      return fact.data.file;
    case 'node.trace_finished':
      return `${fact.data.destination}${fact.data.reached ? '' : ' not'} reached, ${fact.data.hops.length} hops`;
    case 'project.close_requested':
      return fact.data.reason === undefined ? '' : `as ${fact.data.reason}`;
    case 'capture.start_requested':
      return fact.data.path;
    case 'link.created':
      return fact.data.link_type;
    case 'request.refused':
      return `${fact.data.method} ${fact.data.path}: ${fact.data.status} ${fact.data.reason}${fact.data.count > 1 ? ` (${fact.data.count} times)` : ''}`;
    case 'request.keyed':
      return `${fact.data.method} ${fact.data.path} under key ${fact.data.key}`;
    case 'request.answered':
      return String(fact.data.status);
    case 'warning.raised':
      return fact.data.message;
    case 'server.stopped':
      return fact.data.reason;
    default:
      return '';
  }
};

const who = ({ by }: AnyFact): string => (by.address === null ? by.principal : `${by.principal}@${by.address}`);

/** One line: version, time, who, what, of what, how; and the version that caused it. */
export const timelineRow = (names: Names, fact: AnyFact): string[] => {
  remember(names, fact);
  const cause = fact.cause === null ? '' : `(because of ${fact.cause})`;
  return [String(fact.position), fact.at, who(fact), fact.type, subject(names, fact), details(fact), cause];
};

/** Colours a padded cell; `column` counts from 0. */
export type Paint = (cell: string, column: number) => string;

const COLUMNS = 5;
const WIDEST = 40;

/** Rows with their first columns aligned, a line each. `widths` keeps how wide they are for the rows that follow. */
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

/** Of the type: what went wrong, what came about, and what was only asked for. */
const colourOf = (type: string): keyof typeof SGR | null => {
  if (/_failed$|\.(lost|exited|refused)$/.test(type)) return 'red';
  if (/^warning\./.test(type)) return 'yellow';
  if (/_requested$/.test(type)) return 'dim';
  return /\.(started|adopted|opened|resumed)$/.test(type) ? 'green' : null;
};

const COLUMN_COLOURS: Partial<Record<number, keyof typeof SGR>> = { 0: 'dim', 1: 'dim', 2: 'cyan', 6: 'dim' };

/** ECMA-48 SGR sequences for the row of a fact. */
export const paintFor = ({ type }: Pick<AnyFact, 'type'>): Paint => {
  const own = colourOf(type);
  return (cell, column) => {
    return painted(cell, column === 3 ? own : COLUMN_COLOURS[column]);
  };
};

const painted = (cell: string, colour: keyof typeof SGR | null | undefined): string =>
  colour == null || cell.trim() === '' ? cell : `\u001b[${SGR[colour]}m${cell}\u001b[0m`;

const STATE_COLOURS: Readonly<Record<string, keyof typeof SGR>> = {
  ...{ opened: 'green', started: 'green', ready: 'green', capturing: 'cyan' },
  ...{ suspended: 'yellow', missing: 'yellow', 'left over': 'yellow', stopped: 'dim', closed: 'dim', deleted: 'dim' },
};

/** Names come first, so that none of them passes for a state. */
const paintState: Paint = (cell, column) => painted(cell, column === 0 ? null : STATE_COLOURS[cell.trim()]);

/** Prints things, a row each, with their states coloured. */
export const printRows = (rows: string[][]): void => {
  const paints = wantsColour(process.stdout, process.env) ? rows.map(() => paintState) : [];
  for (const line of layOut(rows, [], paints)) process.stdout.write(`${line}\n`);
};

/** Whether to colour what is printed: on a terminal, unless NO_COLOR (no-color.org) asks for none. */
export const wantsColour = (stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
