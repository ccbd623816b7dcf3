import type { Kinds } from '../../emulators/registry.ts';
import type { Step, Transition } from '../../projections/fold/change.ts';
import type { DrawingRecord, NodeRecord, ProjectRecord, TemplateRecord } from '../../projections/records.ts';
import type { RecordJson } from '../api.ts';
import { drawingToJson } from '../v2/drawings.ts';
import { omit } from '../v2/schema.ts';
import type { FeedKind, Frame, Framer } from './frame.ts';

/** How the records of a collection appear on feeds. */
interface Row<R> {
  feeds: readonly FeedKind[];
  /** First half of the action. */
  noun: string;
  /** Record as JSON text on that feed; null: it is not shown there. */
  text(record: R, feed: FeedKind): string | null;
  /** Second half of the action where it is more than created, updated, deleted; null: nothing is said. */
  verb?(before: R | null, record: R | null, feed: FeedKind): string | null;
  /** JSON that is sent instead of the whole record when it was changed. */
  changed?(before: R, record: R): string;
}

type Rows = { [T in Transition as T['collection']]: Row<NonNullable<T['record']>> };

export const createFramer = ({ json, kinds }: { json: RecordJson; kinds: Kinds }): Framer => {
  const rows: Rows = {
    project: { feeds: ['controller', 'project'], noun: 'project', text: json.project, verb: projectVerb },
    node: { feeds: ['project', 'compute'], noun: 'node', text: nodeText(json, kinds), verb: nodeVerb },
    link: { feeds: ['project'], noun: 'link', text: json.link },
    drawing: { feeds: ['project'], noun: 'drawing', text: json.drawing, changed: drawingChanged(json) },
    // Existing clients are told of restores only.
    snapshot: { feeds: [], noun: 'snapshot', text: (record) => JSON.stringify(record) },
    // Its events are told one by one.
    run: { feeds: [], noun: 'run', text: (record) => JSON.stringify(record) },
    claim: { feeds: [], noun: 'claim', text: (record) => JSON.stringify(record) },
    template: { feeds: ['controller'], noun: 'template', text: json.template, verb: templateVerb },
    compute: { feeds: ['controller'], noun: 'compute', text: json.compute },
  };
  return (feed, step) => [
    ...shown(step.transitions).flatMap((transition) => {
      // Row and transition are of one collection.
      const row = rows[transition.collection] as Row<unknown>;
      return frameOf(row, feed, transition.before, transition.record);
    }),
    ...logMessages(feed, step),
    ...restored(feed, step),
    ...verdicts(feed, step),
    ...weatherChanges(feed, step),
  ];
};

/** Leaves out what goes with a deleted project, which is told once. */
const shown = (transitions: readonly Transition[]): readonly Transition[] => {
  const deleted = transitions.filter(({ collection, record }) => collection === 'project' && record === null);
  return deleted.length > 0 ? deleted : transitions;
};

const frameOf = <R>(row: Row<R>, feed: FeedKind, before: R | null, record: R | null): Frame[] => {
  if (!row.feeds.includes(feed)) return [];
  const was = before === null ? null : row.text(before, feed);
  const is = record === null ? null : row.text(record, feed);
  if (was === is) return [];
  const verb = row.verb ? row.verb(before, record, feed) : plainVerb(before, record);
  const short = before !== null && record !== null ? row.changed?.(before, record) : undefined;
  const event = short ?? is ?? was;
  return verb === null || event === null ? [] : [{ action: `${row.noun}.${verb}`, event }];
};

const plainVerb = (before: unknown, record: unknown): string => {
  if (before === null) return 'created';
  return record === null ? 'deleted' : 'updated';
};

const isOpen = ({ state }: ProjectRecord): boolean => state === 'opened' || state === 'closing';

const projectVerb = (before: ProjectRecord | null, record: ProjectRecord | null): string => {
  if (before === null || record === null || isOpen(before) === isOpen(record)) return plainVerb(before, record);
  return isOpen(record) ? 'opened' : 'closed';
};

/** A record of a built-in template is made by its first change. */
const templateVerb = (before: TemplateRecord | null, record: TemplateRecord | null): string =>
  before === null && record?.builtin === true ? 'updated' : plainVerb(before, record);

/** The compute feed has no word for a new node. */
const nodeVerb = (before: NodeRecord | null, record: NodeRecord | null, feed: FeedKind): string | null => {
  const verb = plainVerb(before, record);
  return feed === 'compute' && verb === 'created' ? null : verb;
};

const nodeText =
  (json: RecordJson, kinds: Kinds) =>
  (record: NodeRecord, feed: FeedKind): string | null => {
    if (feed !== 'compute') return json.node(record);
    const kind = kinds.get(record.kind);
    return kind ? json.computeNode(kind, record) : null;
  };

/** An embedded image can be large and is sent when it changes, not with every step of a drag. */
const drawingChanged =
  (json: RecordJson) =>
  (before: DrawingRecord, record: DrawingRecord): string =>
    before.svg === record.svg ? JSON.stringify(omit(drawingToJson(record), ['svg'])) : json.drawing(record);

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

/** Types of events whose log messages everybody gets, not only listeners of the project. */
const FOR_ALL: ReadonlySet<string> = new Set(['project.open_failed', 'project.close_requested']);

const logMessages = (feed: FeedKind, step: Step): Frame[] => {
  const { event } = step;
  if (feed === 'controller' && event.project_id !== null && !FOR_ALL.has(event.type)) return [];
  const say = MESSAGES[event.type] as ((event: AnyEvent, name: string) => LogMessage | null) | undefined;
  const message = say?.(event, nameIn(step));
  if (!message) return [];
  return [{ action: `log.${message.level}`, event: JSON.stringify({ message: message.message }) }];
};

/** The project is open again with a snapshot's records: clients that know this read them again. */
const restored = (feed: FeedKind, { event, transitions: [first] }: Step): Frame[] => {
  if (feed === 'compute' || event.type !== 'project.opened' || first?.collection !== 'project') return [];
  const restore = first.before?.restore;
  if (restore === undefined || event.project_id === null) return [];
  const told = { project_id: event.project_id, snapshot_id: restore.snapshot_id };
  return [{ action: 'snapshot.restored', event: JSON.stringify(told) }];
};

/** Verdicts of checks, and begin and end of a run. */
const verdicts = (feed: FeedKind, { event }: Step): Frame[] => {
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

/** Tells that the weather has changed, which clients then read again. */
const weatherChanges = (feed: FeedKind, { event }: Step): Frame[] => {
  const isChange = event.type === 'project.updated' || event.type === 'link.updated';
  const isIt = isChange ? 'weather' in event.data.changes : event.type.startsWith('weather.');
  if (feed !== 'project' || !isIt) return [];
  return [{ action: 'weather.updated', event: JSON.stringify({ project_id: event.project_id, at: event.at }) }];
};

const nameIn = ({ transitions: [first] }: Step): string => {
  const record = first?.record ?? first?.before;
  return record && 'name' in record ? record.name : '';
};
