import { messageOf, TopologError } from '../../common/errors.ts';
import type { Damage, Damages } from './damage.ts';
import type { LogEvent } from '../event.ts';

/** Keys from `gte` (or after `gt`) to `lte`, ascending unless `reverse`. */
export interface Range {
  gt?: string;
  gte?: string;
  lte: string;
  reverse?: boolean;
  limit?: number;
  /** Maximum of octets that the store returns at once; its default is a few dozen events. */
  highWaterMarkBytes?: number;
  /** Gets damaged entries, which are skipped; without it they make the read fail. */
  damaged?: (damage: Damage) => void;
}

/** End of a log, as noted outside of it. */
export interface Sighting {
  position: number;
  /** Hash of that event. */
  hash: string;
}

/** Notes the end of the log outside of it, so that a lost end is detected. May lag behind, is never ahead. */
export interface Witness {
  /** The note when the store was opened; null: none that can be read. */
  readonly seen: Sighting | null;
  /** Why the note is damaged; null when all is well. */
  readonly problem: string | null;
  /** Begins noting; the note is on disk when it resolves. */
  begin(at: Sighting): Promise<void>;
  note(at: Sighting): void;
  sync(): Promise<void>;
}

/** Store of a log: LevelDB or PostgreSQL in the product, memory and a failing one in tests. */
export interface Store {
  /** All or nothing, on disk (fsync) when it resolves. Takes ownership of the array, and may change it. */
  batch(ops: StoreOp[], options: { sync: boolean }): Promise<void>;
  get(key: string): Promise<string | undefined>;
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  iterator(range: Range): { nextv(size: number): Promise<[string, string][]>; close(): Promise<void> };
  close(): Promise<void>;
  /** Damage found by reads. */
  readonly damages?: Damages;
  readonly witness?: Witness;
  /** Description of incomplete writes that were dropped by opening; null: none. */
  readonly cut?: string | null;
  /** Verifies once everything whose damage a read would not notice; adds what it finds to the list. */
  check?(): Promise<void>;
  /** Throws `DamagedLog` when entries of the range may be missing without leaving a visible gap. */
  sure?(gte: string, lte: string): Promise<void>;
  /** The store as it is now, where an iterator is no snapshot by itself; closing it ends the moment. */
  moment?(): Promise<Store>;
  /** Moves entries out of the journal, where damage could remove them. */
  settle?(): Promise<void>;
}
export type StoreOp = { type: 'put'; key: string; value: string } | { type: 'del'; key: string };

/** Opens a store; called again after a failed write has poisoned the open one. */
export interface OpenStore {
  (): Promise<Store>;
  /** Rejects while the place accepts no writes: the open store is kept until then, so that reads go on. */
  ready?(): Promise<void>;
}

/** Entries of a range, read in blocks; the iterator is closed when the loop ends in any way. */
export async function* entries(store: Store, range: Range, block = 1000): AsyncGenerator<[string, string]> {
  const iterator = store.iterator(range);
  try {
    for (;;) {
      const rows = await iterator.nextv(block);
      if (rows.length === 0) return;
      yield* rows;
    }
  } finally {
    await iterator.close();
  }
}

/** Large enough to make the overhead of a block small, small enough to hold two of them. Octets. */
const BLOCK_OCTETS = 512 * 1024;

/**
 * Entries of a long range in blocks; the next block is read while one is processed. The iterator is closed when the
 * loop ends in any way.
 */
export async function* blocks(
  store: Pick<Store, 'iterator'>,
  range: Range,
  block = 2000,
): AsyncGenerator<[string, string][]> {
  const iterator = store.iterator({ ...range, highWaterMarkBytes: BLOCK_OCTETS });
  let ahead = handled(iterator.nextv(block));
  try {
    for (let rows = await ahead; rows.length > 0; rows = await ahead) {
      ahead = handled(iterator.nextv(block));
      yield rows;
    }
  } finally {
    await ahead.catch(() => undefined);
    await iterator.close();
  }
}

/** Marks a promise that is awaited later, or never, so that its rejection does not count as unhandled. */
export const handled = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => undefined);
  return promise;
};

const POSITION_DIGITS = 16;
const pad = (n: number): string => String(n).padStart(POSITION_DIGITS, '0');

/** Keys of the store. They sort as strings, so numbers are zero-padded. */
export const KEYS = {
  event: (position: number): string => `f/${pad(position)}`,
  eventEnd: 'f/~',
  /** Index of a stream: value is the event's position. */
  stream: (stream: string, version: number): string => `p/${stream}/${pad(version)}`,
  streamEnd: (stream: string): string => `p/${stream}/~`,
  /** Index of an object (node, link, drawing, snapshot) or of an idempotency key: the events that name it; the value is empty. */
  object: (id: string, position: number): string => `o/${id}/${pad(position)}`,
  objectEnd: (id: string): string => `o/${id}/~`,
  head: (stream: string): string => `h/${stream}`,
  headStart: 'h/',
  headEnd: 'h/~',
  record: (collection: string, id: string): string => `r/${collection}/${id}`,
  recordStart: 'r/',
  recordEnd: 'r/~',
  /** Number of records and sum of the positions that changed them last. Sorts right before the records. */
  recordSum: 'r.',
  /** Position up to which the whole log has been checked. */
  checked: 'm/checked',
  /** Only in an unfinished copy: hash of the first event of the original. */
  copying: 'm/copying',
  /** Absent in a log whose values have no checksums yet. */
  format: 'm/format',
} as const;

/** Name of the server's own stream, which has no project. */
export const SERVER_STREAM = '-';
export const streamOf = (projectId: string | null): string => projectId ?? SERVER_STREAM;

export const positionOf = (key: string): number => Number(key.slice(2));

/** Index entries of an event: of its stream, and of the objects that it names. */
export const indexOps = (event: Pick<LogEvent, 'project_id' | 'version' | 'position' | 'data'>): StoreOp[] => {
  const data = event.data as Record<string, unknown>;
  const named = [data['node_id'], data['link_id'], data['drawing_id'], data['snapshot_id'], data['idempotency_id']];
  const ids = new Set(named.filter((id) => typeof id === 'string'));
  return [
    { type: 'put', key: KEYS.stream(streamOf(event.project_id), event.version), value: String(event.position) },
    ...[...ids].map((id): StoreOp => ({ type: 'put', key: KEYS.object(id, event.position), value: '' })),
  ];
};

/** Deletes an event and its index entries. */
export const cutOps = (event: Pick<LogEvent, 'project_id' | 'version' | 'position' | 'data'>): StoreOp[] => [
  { type: 'del', key: KEYS.event(event.position) },
  ...indexOps(event).map(({ key }): StoreOp => ({ type: 'del', key })),
];

/** Whether an error means a full disk, however the store words it. */
export const isDiskFull = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause)
    if (/no space left|ENOSPC|disk quota|EDQUOT|^53100/i.test(`${(e as { code?: string }).code ?? ''} ${e.message}`))
      return true;
  return false;
};

/** Error of an append for a failure of the store. */
export const refusalOf = (error: unknown): TopologError =>
  error instanceof TopologError && error.code === 'lease_lost'
    ? error
    : isDiskFull(error)
      ? new TopologError('disk_full', {}, { cause: error })
      : new TopologError('log_read_only', { reason: messageOf(error) }, { cause: error });
