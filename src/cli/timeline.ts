import type { AnyEvent, DataOf } from '../events/schemas.ts';
import { printable } from './printable.ts';

/** Names of nodes and other things as the events so far have told them; a timeline says `PC1`, not an id. */
export type Names = Map<string, string>;

const remember = (names: Names, event: AnyEvent): void => {
  if (event.type === 'node.created' || event.type === 'node.updated') {
    const name = event.type === 'node.created' ? event.data.name : event.data.changes.name;
    if (name !== undefined) names.set(event.data.node_id, name);
  }
  if (event.type === 'link.created')
    names.set(event.data.link_id, event.data.nodes.map((n) => names.get(n.node_id) ?? n.node_id).join(' – '));
};

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

const changesIn = (changes: object): string =>
  Object.entries(changes)
    .map(([key, value]) => `${key} = ${short(value)}`)
    .join(', ');

/** What the event is about, by name where one is known. */
const subject = (names: Names, event: AnyEvent): string => {
  if (event.type === 'check.met' || event.type === 'check.broken') return event.data.name;
  const d = event.data as Record<string, unknown>;
  const id = [d['link_id'], d['node_id'], d['drawing_id']].find((x): x is string => typeof x === 'string');
  return id === undefined ? '' : (names.get(id) ?? id);
};

const endOf = ({ failed, failure }: DataOf<'project.apply_finished'>): string =>
  failure === undefined
    ? failed.map(({ name, message }) => `${name}: ${message}`).join('; ')
    : `the lab is as it was: ${failure.message}`;

const details = (event: AnyEvent): string => {
  switch (event.type) {
    case 'project.created':
    case 'project.replaced':
      return `${event.data.name} in ${event.data.path}`;
    case 'project.updated':
    case 'node.updated':
    case 'link.updated':
    case 'drawing.updated':
      return changesIn(event.data.changes);
    case 'project.nodes_requested':
      return `${event.data.action} all nodes`;
    case 'project.nodes_finished':
      return `${event.data.action}: ${event.data.done} done, ${event.data.failed.length} failed`;
    case 'project.apply_requested': {
      const { added, changed, removed, format } = event.data;
      return `${format}: ${added} to add, ${changed} to change, ${removed} to remove`;
    }
    case 'project.apply_finished':
      return endOf(event.data);
    case 'node.created':
      return event.data.kind;
    case 'node.started':
    case 'node.reloaded':
    case 'node.adopted':
      return `${event.data.engine}${event.data.console === null ? '' : `, console ${event.data.console}`}`;
    case 'node.start_failed':
    case 'node.stop_failed':
    case 'node.suspend_failed':
    case 'node.resume_failed':
    case 'node.reload_failed':
    case 'project.open_failed':
    case 'capture.failed':
      return event.data.failure.message;
    case 'node.exited':
      return exitIn(event.data);
    case 'node.lost':
      return event.data.reason;
    case 'node.nio_added':
    case 'node.nio_updated':
      return short(event.data.nio);
    case 'node.recording_started':
    case 'node.recording_stopped':
      return event.data.file;
    case 'node.config_collected':
      return event.data.files.map(({ name }) => name).join(', ');
    case 'node.trace_finished':
      return `${event.data.destination}${event.data.reached ? '' : ' not'} reached, ${event.data.hops.length} hops`;
    case 'project.close_requested':
      return event.data.reason === undefined ? '' : `as ${event.data.reason}`;
    case 'capture.start_requested':
      return event.data.path;
    case 'link.created':
      return event.data.link_type;
    case 'warning.raised':
      return event.data.message;
    default:
      return detailsOfRun(event) ?? detailsOfServer(event);
  }
};

const exitIn = ({ code, signal, output }: DataOf<'node.exited'>): string => {
  const how = code === null ? `signal ${signal ?? 'unknown'}` : `code ${code}`;
  return output === '' ? how : `${how}: ${short(output)}`;
};

/** Of a step of the weather, or a verdict; undefined for what is none. */
const detailsOfRun = (event: AnyEvent): string | undefined => {
  switch (event.type) {
    case 'weather.started':
      return `seed ${event.data.seed}`;
    case 'weather.stepped':
      return `at ${event.data.at / 1000} s${event.data.storms.length === 0 ? '' : `: ${event.data.storms.join(', ')}`}`;
    case 'weather.paused':
    case 'weather.resumed':
    case 'weather.ended':
      return `at ${event.data.at / 1000} s`;
    case 'check.met':
    case 'check.broken':
      return event.data.text;
    default:
      return undefined;
  }
};

/** Of what belongs to no project. */
const detailsOfServer = (event: AnyEvent): string => {
  switch (event.type) {
    case 'request.refused':
      return `${event.data.method} ${event.data.path}: ${event.data.status} ${event.data.reason}${event.data.count > 1 ? ` (${event.data.count} times)` : ''}`;
    case 'request.keyed':
      return `${event.data.method} ${event.data.path} under key ${event.data.key}`;
    case 'request.answered':
      return String(event.data.status);
    case 'server.took_over':
      return event.data.name;
    case 'server.stopped':
      return event.data.reason;
    case 'compute.claimed':
      return `by ${event.data.name}, epoch ${event.data.epoch}`;
    default:
      return '';
  }
};

const who = ({ by }: AnyEvent): string => (by.address === null ? by.principal : `${by.principal}@${by.address}`);

/** One line: version, time, who, what, of what, how; and the version that caused it. */
export const timelineRow = (names: Names, event: AnyEvent): string[] => {
  remember(names, event);
  const cause = event.cause === null ? '' : `(because of ${event.cause})`;
  return [String(event.position), event.at, who(event), event.type, subject(names, event), details(event), cause];
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
  ...{ opened: 'green', connected: 'green', moved: 'green', started: 'green', ready: 'green', capturing: 'cyan' },
  ...{
    suspended: 'yellow',
    away: 'yellow',
    left: 'yellow',
    missing: 'yellow',
    'left over': 'yellow',
    stopped: 'dim',
    closed: 'dim',
    deleted: 'dim',
  },
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
