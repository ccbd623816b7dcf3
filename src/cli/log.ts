import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, invalid } from '../common/errors.ts';
import type { LogEvent } from '../events/event.ts';
import { upcast } from '../events/upcasters.ts';
import { printableJson } from './printable.ts';
import {
  command,
  LOG,
  LOG_HELP,
  type LogSource,
  openSource,
  parse,
  type Place,
  placeOf,
  wrongUsage,
} from './source.ts';
import { layOut, type Names, paintFor, timelineRow, wantsColour } from './timeline.ts';

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

/** Pause between two looks for new events, and for a server that is away. Milliseconds. */
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
  // Anything but a date makes NaN; a bare number would be taken for a year.
  if (Number.isNaN(time) || (count === '' && !/^\d{4}-\d\d-\d\d/.test(given)))
    throw invalid(`--since must be an ISO time, or how long ago (90s, 10m, 2h, 3d), not ${given}`, { field: 'since' });
  return new Date(time).toISOString();
};

interface Printer {
  /** Takes names out of events without printing them. */
  learn: (texts: string[]) => void;
  write: (texts: string[]) => void;
}

const printer = (json: boolean): Printer => {
  const names: Names = new Map();
  const widths: number[] = [];
  const isColoured = wantsColour(process.stdout, process.env);
  // Elsewhere the very text that was hashed.
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

/** Hands page after page to `take`. */
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

/** What happened before is not printed, but it named what is. */
const readNames = async (
  source: LogSource,
  id: string,
  until: string,
  learn: (texts: string[]) => void,
): Promise<void> => {
  await printAll(source, id, { from: 1, until, type: 'node.created,node.updated,link.created' }, learn);
};

/** That of the next server, or of the database when it answers again. */
const sourceAgain = async (place: Place): Promise<LogSource> => {
  for (;;) {
    const source = await openSource(place).catch(() => null);
    if (source?.isLive === true) return source;
    await source?.close();
    await sleep(LOOK_MS);
  }
};

/** Never resolves: until it is interrupted. A server that goes away is waited for, wherever it comes back. */
const follow = async (
  place: Place,
  first: LogSource,
  { id, query }: { id: string; query: Parameters<LogSource['page']>[1] },
  take: (texts: string[]) => void,
): Promise<never> => {
  let source = first;
  let next = query.from;
  // Noted page by page: what was printed before the server went is not printed again.
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
