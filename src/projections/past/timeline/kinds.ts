import type { LogEvent } from '../../../events/event.ts';

/**
 * Category of an event for readers. `warning`: succeeded, but not as requested; `move`: changes only the place on the
 * map; `met` and `broken`: results of checks; `other`: requests under way and internal notes of the server.
 */
export const ENTRY_KINDS = [
  'start',
  'stop',
  'failure',
  'warning',
  'met',
  'broken',
  'weather',
  'add',
  'change',
  'move',
  'remove',
  'capture',
  'other',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Category by the last word of a type, so that new types have one as well. */
const BY_VERB: Readonly<Record<string, EntryKind>> = {
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
  raised: 'warning',
  met: 'met',
  broken: 'broken',
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

type TypedData = Pick<LogEvent, 'type' | 'data'>;
type Data = Readonly<Record<string, unknown>>;

export const asData = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});

const hasFailed = ({ failed, failure }: Data): boolean =>
  (Array.isArray(failed) && failed.length > 0) || (typeof failure === 'object' && failure !== null);

const PLACE = new Set(['x', 'y', 'z']);
/** Effect of the weather on a link; the weather has entries of its own. */
const WEATHER = new Set(['weather']);
const isOnly = ({ changes }: Data, wanted: ReadonlySet<string>): boolean => {
  const keys = Object.keys(asData(changes));
  return keys.length > 0 && keys.every((key) => wanted.has(key));
};

export const kindOf = ({ type, data: given }: TypedData): EntryKind => {
  const data = asData(given);
  const [noun = '', verb = ''] = type.split('.');
  // A node that was read broken from a file is created with its failure.
  const isRecord = verb === 'created' || verb === 'restored' || verb === 'updated';
  if (verb.endsWith('_failed') || (!isRecord && hasFailed(data))) return 'failure';
  if (verb.endsWith('_requested')) return 'other';
  if (noun === 'capture') return verb === 'failed' ? 'failure' : 'capture';
  if (verb === 'exited' && data['code'] !== 0) return 'failure';
  if (noun === 'weather') return 'weather';
  if (verb === 'updated' && isOnly(data, PLACE)) return 'move';
  if (verb === 'updated' && isOnly(data, WEATHER)) return 'other';
  return BY_VERB[verb] ?? 'other';
};
