import { invalid } from '../../common/errors.ts';
import { checkOfSentence } from '../../common/forms/check.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { bisect, type BisectReport, type Tried } from '../../replay/bisect.ts';
import type { SessionContent } from '../../replay/read-session.ts';
import { eventSentence, weatherName } from '../../why/event-text.ts';
import { createLogger } from '../logger.ts';
import { printable } from '../printable.ts';
import { command, LOG_AND_FILES, LOG_AND_FILES_HELP, parse, wrongUsage } from '../command.ts';
import { placeOf } from '../source.ts';
import { openReplayServer } from './host.ts';
import { openSession } from '../verify/export-session.ts';

const HELP = `topolog bisect SESSION-FILE|PROJECT --expect SENTENCE [flags]

Finds the first event after which an expectation fails. Makes the lab as it was at a moment as a project of its own, starts what ran then, looks
whether the expectation holds, and takes it away again; by halves, so that a thousand events take some twenty looks. Moves and drawings are
left out. Uses the server that runs on the data directory, or else one of its own.

  --expect SENTENCE    'PC1 reaches PC2', 'PC1 does not reach 10.0.9.1'
  --from N, --to N     first and last position of the log that are looked at
  --patience SECONDS   how long a lab may take until it holds (3)
  --json               print the report as JSON
  --data-dir DIR       where the server's data are
${LOG_AND_FILES_HELP}
Exit code 0 if the event was found, 1 if there is none, 2 for a wrong flag.
`;

const OPTIONS = {
  ...LOG_AND_FILES,
  expect: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  patience: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** `topolog bisect` */
export const bisectCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const [wanted, more] = positionals;
  if (wanted === undefined || more !== undefined) throw wrongUsage('bisect SESSION-FILE|PROJECT --expect SENTENCE');
  const expect = checkOfSentence(values.expect ?? '');
  if (expect === null) throw invalid("--expect takes a sentence such as 'PC1 reaches PC2'");
  const patience = Number(values.patience ?? 3);
  if (!(patience > 0 && patience <= 600)) throw invalid('--patience must be a number of seconds up to 600');
  const place = placeOf(values);
  const session = await openSession(wanted, place);
  if (session === null) return 1;
  const server = await openReplayServer(place.dataDir, false, createLogger());
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const isQuiet = values.json === true;
  try {
    const from = positionOf('--from', values.from, 0);
    const options = { expect, from, patienceMs: patience * 1000 };
    const report = await bisect(server.host, upTo(session, positionOf('--to', values.to, Infinity)), options, {
      signal: abort.signal,
      tried: (one, left) => void (isQuiet || process.stdout.write(triedText(one, left))),
    });
    process.stdout.write(isQuiet ? `${JSON.stringify(report, null, 2)}\n` : reportText(session, report));
    return 0;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await server.close();
  }
});

const upTo = (session: SessionContent, last: number): SessionContent => ({
  ...session,
  events: session.events.filter(({ position }) => position <= last),
});

const positionOf = (flag: string, text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalid(`${flag} takes a position of the log, not ${text}`);
  return Number(text);
};

const triedText = ({ position, holds, text }: Tried, left: number): string =>
  `after event ${position}: ${holds ? 'holds' : 'fails'} (${printable(text)})${left > 0 ? `, about ${left} to go` : ''}\n`;

const reportText = (session: SessionContent, { event, good, events, tried }: BisectReport): string => {
  const step = session.events.find(({ position }) => position === event.cause);
  const who = step?.type === 'weather.stepped' ? weatherName(step.data.storms) : event.by.principal;
  return [
    `${printable(eventSentence(event, { who, name: nameOf(session, event) }))} at ${event.at} (event ${event.position}): the first event after which it fails.`,
    `It held after event ${good}. ${tried.length} looks at ${events} events that may matter.`,
    '',
  ].join('\n');
};

/** Name of an event's object at that time. */
const nameOf = (session: SessionContent, { data, position }: AnyEvent): string => {
  const names = new Map<string, string>();
  const add = (id: string, name: string): void => void names.set(id, name);
  const ends = (nodes: readonly { node_id: string }[]): string =>
    nodes.map(({ node_id }) => names.get(node_id) ?? '?').join(' – ');
  for (const one of session.base?.nodes ?? []) add(one.node_id, one.name);
  for (const one of session.base?.links ?? []) add(one.link_id, ends(one.nodes));
  for (const one of session.events) {
    if (one.position > position) break;
    if (one.type === 'node.created') add(one.data.node_id, one.data.name);
    if (one.type === 'node.updated' && one.data.changes.name !== undefined)
      add(one.data.node_id, one.data.changes.name);
    if (one.type === 'link.created') add(one.data.link_id, ends(one.data.nodes));
  }
  const about = data as { link_id?: string | null; node_id?: string | null };
  return names.get(about.link_id ?? about.node_id ?? '') ?? '';
};
