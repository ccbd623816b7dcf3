import type { Step } from '../../projections/fold/change.ts';
import type { FeedKind, Frame } from './frame.ts';

type AnyEvent = Step['event'];
type EventOf<T extends AnyEvent['type']> = Extract<AnyEvent, { type: T }>;

interface LogMessage {
  level: 'error' | 'warning' | 'info';
  message: string;
}

/** Longest tail of what a program printed before it ended. */
const TAIL_LENGTH = 400;

/** Events that are told in words, beside what they do to records. `name`: of the first record they changed. */
const MESSAGES: { [T in AnyEvent['type']]?: (event: EventOf<T>, name: string) => LogMessage | null } = {
  'warning.raised': ({ data }) => ({ level: data.settled === true ? 'info' : 'warning', message: data.message }),
  'project.open_failed': ({ data }, name) => ({
    level: 'error',
    message: `${name} could not be opened: ${data.failure.message}`,
  }),
  'project.close_requested': ({ data: { reason } }, name) =>
    reason === undefined ? null : { level: 'info', message: `${name} is closed, as ${reason}` },
  'node.exited': ({ cause, data: { code, signal, output } }, name) => {
    // Only the weather ends a node because of something.
    if (cause !== null) return { level: 'warning', message: `The weather crashed ${name}` };
    if (code === 0) return null;
    const how = code === null ? `by signal ${signal ?? 'unknown'}` : `with code ${code}`;
    const tail = output.trim().slice(-TAIL_LENGTH);
    return { level: 'error', message: `${name} ended ${how}${tail === '' ? '' : `: ${tail}`}` };
  },
  'node.lost': ({ data }, name) => ({ level: 'warning', message: `${name} no longer runs: ${data.reason}` }),
  'capture.failed': ({ data }, name) => ({
    level: 'error',
    message: `the capture${name === '' ? '' : ` of ${name}`} failed: ${data.failure.message}`,
  }),
};

/** Those that everybody gets, not only listeners of the project. */
const FOR_ALL: ReadonlySet<string> = new Set(['project.open_failed', 'project.close_requested']);

export const logMessages = (feed: FeedKind, step: Step): Frame[] => {
  const { event } = step;
  if (feed === 'controller' && event.project_id !== null && !FOR_ALL.has(event.type)) return [];
  const say = MESSAGES[event.type] as ((event: AnyEvent, name: string) => LogMessage | null) | undefined;
  const message = say?.(event, nameIn(step));
  if (!message) return [];
  return [{ action: `log.${message.level}`, event: JSON.stringify({ message: message.message }) }];
};

/** The project is open again with a snapshot's records: clients that know this read them again. */
export const restored = (feed: FeedKind, { event, transitions: [first] }: Step): Frame[] => {
  if (feed === 'compute' || event.type !== 'project.opened' || first?.collection !== 'project') return [];
  const restore = first.before?.restore;
  if (restore === undefined || event.project_id === null) return [];
  const told = { project_id: event.project_id, snapshot_id: restore.snapshot_id };
  return [{ action: 'snapshot.restored', event: JSON.stringify(told) }];
};

/** What checks say, and when they begin and end. */
export const verdicts = (feed: FeedKind, { event }: Step): Frame[] => {
  if (feed !== 'project') return [];
  switch (event.type) {
    case 'run.begun':
    case 'run.ended':
    case 'check.met':
    case 'check.broken':
      return [{ action: event.type, event: JSON.stringify({ ...event.data, at: event.at }) }];
    default:
      return [];
  }
};

/** There is other weather, or it has come to something else: it is read again. */
export const weatherTold = (feed: FeedKind, { event }: Step): Frame[] => {
  const isChange = event.type === 'project.updated' || event.type === 'link.updated';
  const isIt = isChange ? 'weather' in event.data.changes : event.type.startsWith('weather.');
  if (feed !== 'project' || !isIt) return [];
  return [{ action: 'weather.updated', event: JSON.stringify({ project_id: event.project_id, at: event.at }) }];
};

const nameIn = ({ transitions: [first] }: Step): string => {
  const record = first?.record ?? first?.before;
  return record && 'name' in record ? record.name : '';
};
