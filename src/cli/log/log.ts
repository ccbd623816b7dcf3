import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, invalid } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import type { LogEvent } from '../../events/event.ts';
import type { AnyEvent, DataOf } from '../../events/schemas.ts';
import { upcast } from '../../events/upcasters.ts';
import { command, LOG, LOG_HELP, parse, wrongUsage } from '../command.ts';
import { printableJson } from '../printable.ts';
import { type LogSource, openSource, type Place, placeOf } from '../source.ts';
import { layOut, paintFor, wantsColour } from '../table.ts';

const HELP = `topolog log PROJECT [--since TIME] [--follow] [--json] [--log URL --cell NAME] [--data-dir DIR]

Prints every event of a project, oldest first: position, time, who, what, of what, details, and the position of the event that
caused it. PROJECT is an id or a name. Works with and without a running server.

  --since TIME   only what happened since: an ISO time, or how long ago (90s, 10m, 2h, 3d)
  --follow       goes on with what happens, until it is interrupted; needs a running server, and waits for one that is restarted
  --json         the stored events, one a line
${LOG_HELP}`;

const OPTIONS = {
  ...LOG,
  json: { type: 'boolean' },
  follow: { type: 'boolean' },
  since: { type: 'string' },
} as const;

/** Pause between two queries for new events, or for a server that is away. Milliseconds. */
const LOOK_MS = 250;

/** `topolog log` */
export const logCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const [wanted, more] = positionals;
  if (wanted === undefined || more !== undefined) throw wrongUsage('log PROJECT');
  const since = values.since === undefined ? undefined : momentOf(values.since, Date.now());
  const place = placeOf(values);
  const source = await openSource(place);
  try {
    if (values.follow === true && !source.isLive)
      throw conflict(`--follow needs a running server, and none holds ${place.dataDir}`);
    const id = await source.projectId(wanted);
    const print = printer(values.json === true);
    if (since !== undefined) await readNames(source, id, since, print.learn);
    const query = { from: 1, ...(since === undefined ? {} : { since }) };
    if (values.follow === true) await follow(place, source, { id, query }, print.write);
    await printAll(source, id, query, print.write);
    return 0;
  } finally {
    await source.close();
  }
});

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** ISO time of `--since`. Throws `invalid_request`. */
export const momentOf = (given: string, now: number): string => {
  const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(given) ?? [];
  const time = count === '' ? Date.parse(given) : now - Number(count) * (UNITS[unit] ?? 0);
  // `Date.parse` returns NaN for anything but a date, and takes a bare number for a year.
  if (Number.isNaN(time) || (count === '' && !/^\d{4}-\d\d-\d\d/.test(given)))
    throw invalid(`--since must be an ISO time, or how long ago (90s, 10m, 2h, 3d), not ${given}`, { field: 'since' });
  return new Date(time).toISOString();
};

interface Printer {
  /** Reads names from events without printing them. */
  learn: (texts: string[]) => void;
  write: (texts: string[]) => void;
}

const printer = (json: boolean): Printer => {
  const names: Names = new Map();
  const widths: number[] = [];
  const isColoured = wantsColour(process.stdout, process.env);
  // Other outputs get the exact text that was hashed.
  const asShown = process.stdout.isTTY ? printableJson : (text: string) => text;
  const eventsOf = (texts: string[]) => texts.map((text) => upcast(JSON.parse(text) as LogEvent));
  return {
    learn: (texts) => eventsOf(texts).forEach((event) => timelineRow(names, event)),
    write(texts) {
      const events = json ? [] : eventsOf(texts);
      const rows = events.map((event) => timelineRow(names, event));
      const lines = json ? texts.map(asShown) : layOut(rows, widths, isColoured ? events.map(paintFor) : []);
      process.stdout.write(`${lines.join('\n')}\n`);
    },
  };
};

const positionOf = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : (JSON.parse(text) as LogEvent).position;

/** Passes all pages to `take`. */
const printAll = async (
  source: LogSource,
  id: string,
  query: Parameters<LogSource['page']>[1],
  take: (texts: string[]) => void,
): Promise<void> => {
  let { from } = query;
  for (;;) {
    const texts = await source.page(id, { ...query, from });
    if (texts.length === 0) return;
    take(texts);
    from = positionOf(texts.at(-1), from) + 1;
  }
};

/** Reads the names from events before the printed ones. */
const readNames = async (
  source: LogSource,
  id: string,
  until: string,
  learn: (texts: string[]) => void,
): Promise<void> => {
  await printAll(source, id, { from: 1, until, type: 'node.created,node.updated,link.created' }, learn);
};

/** Waits for the next server, or for the database to answer again. */
const sourceAgain = (place: Place): Promise<LogSource> => {
  const open = async (): Promise<LogSource | null> => {
    const source = await openSource(place).catch(() => null);
    if (source?.isLive === true) return source;
    await source?.close();
    return null;
  };
  return until(open, { every: LOOK_MS });
};

/** Prints new events until it is interrupted; never resolves. Waits for a server that goes away, also if it comes back elsewhere. */
const follow = async (
  place: Place,
  first: LogSource,
  { id, query }: { id: string; query: Parameters<LogSource['page']>[1] },
  take: (texts: string[]) => void,
): Promise<never> => {
  let source = first;
  let next = query.from;
  // The position is kept page by page, so that nothing is printed again after the server went away.
  const takeOnce = (texts: string[]): void => {
    take(texts);
    next = positionOf(texts.at(-1), next) + 1;
  };
  for (;;) {
    try {
      await printAll(source, id, { ...query, from: next }, takeOnce);
    } catch {
      const what = place.cell === null ? 'server' : 'database';
      process.stderr.write(`topolog: the ${what} is away; waiting for it\n`);
      await source.close();
      source = await sourceAgain(place);
    }
    await sleep(LOOK_MS);
  }
};

/** Names of nodes and links by id, from the events so far. */
type Names = Map<string, string>;

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

/** Object of an event, by name if that is known. */
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

/** Details of a step of the weather, or a verdict; undefined for other events. */
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

/** Details of events that belong to no project. */
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

/** Cells of an event: position, time, who, type, object, details, and the position of its cause. */
export const timelineRow = (names: Names, event: AnyEvent): string[] => {
  remember(names, event);
  const cause = event.cause === null ? '' : `(because of ${event.cause})`;
  return [String(event.position), event.at, who(event), event.type, subject(names, event), details(event), cause];
};
