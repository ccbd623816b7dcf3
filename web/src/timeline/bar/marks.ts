import type { Schemas } from '../../store/api.ts';

export type Event = Schemas['Fact'];

/** What an event is to somebody who looks for it. `other`: requests under way and what the server writes down for itself. */
export type Kind = 'start' | 'stop' | 'failure' | 'add' | 'change' | 'remove' | 'capture' | 'other';

export const KINDS: readonly { readonly kind: Kind; readonly text: string }[] = [
  { kind: 'start', text: 'Starts' },
  { kind: 'stop', text: 'Stops' },
  { kind: 'failure', text: 'Failures' },
  { kind: 'add', text: 'Added' },
  { kind: 'change', text: 'Changed' },
  { kind: 'remove', text: 'Removed' },
  { kind: 'capture', text: 'Captures' },
  { kind: 'other', text: 'Requests and the rest' },
];

export type Collection = 'node' | 'link' | 'drawing';

export interface ObjectRef {
  readonly collection: Collection;
  readonly id: string;
}

/** An event as the time line keeps it: little, as there may be many. */
export interface Mark {
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: string;
  readonly kind: Kind;
  /** Who asked for it; `system` where nobody did. */
  readonly who: string;
  /** What it is about; null: the project. */
  readonly object: ObjectRef | null;
  /** Its name at that time. */
  readonly subject: string;
  readonly details: string;
  /** Position of the event that led to it; null: a request did. */
  readonly cause: number | null;
}

type Data = Readonly<Record<string, unknown>>;

const BY_VERB: Readonly<Record<string, Kind>> = {
  started: 'start',
  resumed: 'start',
  reloaded: 'start',
  adopted: 'start',
  opened: 'start',
  stopped: 'stop',
  suspended: 'stop',
  closed: 'stop',
  exited: 'stop',
  lost: 'failure',
  refused: 'failure',
  unreachable: 'failure',
  raised: 'failure',
  created: 'add',
  restored: 'add',
  nio_added: 'add',
  updated: 'change',
  nio_updated: 'change',
  replaced: 'change',
  written: 'change',
  deleted: 'remove',
  nio_removed: 'remove',
};

export const kindOf = ({ type, data }: Pick<Event, 'type' | 'data'>): Kind => {
  const [noun = '', verb = ''] = type.split('.');
  if (verb.endsWith('_failed') || hasFailed(data)) return 'failure';
  if (verb.endsWith('_requested')) return 'other';
  if (noun === 'capture') return 'capture';
  if (verb === 'exited' && data['code'] !== 0) return 'failure';
  return BY_VERB[verb] ?? 'other';
};

const hasFailed = (data: Data): boolean => {
  const { failed, failure } = data;
  return (Array.isArray(failed) && failed.length > 0) || (typeof failure === 'object' && failure !== null);
};

/** What the events so far have told. */
export interface Known {
  /** Names of objects. */
  readonly names: Map<string, string>;
  /** Who asked for what led to an event, by its position. */
  readonly people: Map<number, string>;
}

export const nothingKnown = (): Known => ({ names: new Map(), people: new Map() });

const isText = (value: unknown): value is string => typeof value === 'string';
const asData = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});

const rememberName = ({ names }: Known, { type, data }: Event): void => {
  const given = type === 'node.updated' ? asData(data['changes'])['name'] : data['name'];
  const { node_id: nodeId, link_id: linkId } = data;
  if (/^node\.(created|updated|restored)$/.test(type) && isText(nodeId) && isText(given)) names.set(nodeId, given);
  if (/^link\.(created|restored)$/.test(type) && isText(linkId) && Array.isArray(data['nodes'])) {
    const ends = data['nodes'].map((end) => asData(end)['node_id']).filter(isText);
    names.set(linkId, ends.map((id) => names.get(id) ?? 'a node').join(' – '));
  }
};

const objectOf = ({ data }: Event): ObjectRef | null => {
  const { link_id: link, node_id: node, drawing_id: drawing } = data;
  if (isText(link)) return { collection: 'link', id: link };
  if (isText(node)) return { collection: 'node', id: node };
  return isText(drawing) ? { collection: 'drawing', id: drawing } : null;
};

const LONGEST = 80;

/** A value in one short line. */
export const brief = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
};

/** What an event says besides that it happened, whatever its type: types that are not known here lose nothing but their details. */
export const detailsOf = ({ data }: Pick<Event, 'data'>): string => {
  const { changes, failure, failed, message, reason, output, code, status, path, method, action, filename, file } =
    data;
  const reasons = Array.isArray(failed) ? failed.map(failureIn) : [];
  const told = [
    ...(isText(action) ? [action] : []),
    ...Object.entries(asData(changes)).map(([key, value]) => `${key} = ${brief(value)}`),
    ...(isText(method) && isText(path) ? [`${method} ${brief(path)}`] : []),
    ...(typeof status === 'number' ? [String(status)] : []),
    ...(typeof code === 'number' ? [`code ${code}`] : []),
    ...(failure === undefined || failure === null ? [] : [brief(asData(failure)['message'])]),
    ...reasons,
    ...[message, reason, output, filename, file].filter(isText).filter((text) => text !== ''),
  ];
  return told.map((text) => brief(text)).join(', ');
};

const failureIn = (one: unknown): string => {
  const { name, failure } = asData(one);
  return `${brief(name)}: ${brief(asData(failure)['message'])}`;
};

/** What the server does for somebody is theirs. */
const personOf = ({ people }: Known, { by, cause, position }: Event): string => {
  const asked = cause === null ? undefined : people.get(cause);
  const person = by.principal === 'system' ? (asked ?? by.principal) : by.principal;
  people.set(position, person);
  return person;
};

/** The mark of an event; events come in the order of the log, as they tell the names of what follows. */
export const markOf = (known: Known, event: Event): Mark => {
  rememberName(known, event);
  const object = objectOf(event);
  return {
    position: event.position,
    at: Date.parse(event.at),
    type: event.type,
    kind: kindOf(event),
    who: personOf(known, event),
    object,
    subject: object === null ? nounOf(event.type) : (known.names.get(object.id) ?? capital(object.collection)),
    details: detailsOf(event),
    cause: event.cause,
  };
};

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const nounOf = (type: string): string => capital(type.split('.')[0] ?? '');

/** What happened, in words: `PC1: start failed`. */
export const sayMark = ({ subject, type, object }: Mark): string => {
  const [noun = '', verb = ''] = type.split('.');
  const isOwn = object === null || object.collection === noun;
  return `${brief(subject)}: ${isOwn ? '' : `${noun} `}${verb.replaceAll('_', ' ')}`;
};

/** Index of the last mark at or before a time; -1 for none. */
export const indexAt = (marks: readonly Mark[], time: number): number => {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle]?.at ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};
