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
  /** Most octets that the store hands over at once; its own default is a few dozen events. */
  highWaterMarkBytes?: number;
  /** Gets the keys of damaged entries, which are left out; without it they make the read fail. */
  damaged?: (damage: Damage) => void;
}

/** Where a log ends, as noted beside it. */
export interface Sighting {
  position: number;
  /** Of the event there. */
  hash: string;
}

/** Says where the log ends without being part of it, so that a lost end is noticed. May lag behind, is never ahead. */
export interface Witness {
  /** What was noted when the store was opened; null: nothing that can be read. */
  readonly seen: Sighting | null;
  /** Why `seen` is less than it ought to be; null when all is well. */
  readonly problem: string | null;
  /** Begins to note; on disk when it resolves. */
  begin(at: Sighting): Promise<void>;
  note(at: Sighting): void;
  sync(): Promise<void>;
}

/** All that the log needs of a store: LevelDB in the product, an in-memory level and a failing one in tests. */
export interface Store {
  /** All or nothing, on disk (fsync) when it resolves. Takes the array over: it may change it. */
  batch(ops: StoreOp[], options: { sync: boolean }): Promise<void>;
  get(key: string): Promise<string | undefined>;
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  iterator(range: Range): { nextv(size: number): Promise<[string, string][]>; close(): Promise<void> };
  close(): Promise<void>;
  /** What was found damaged while it was read. */
  readonly damages?: Damages;
  readonly witness?: Witness;
  /** What was never completely written and has been left out when it was opened; null: nothing. */
  readonly cut?: string | null;
  /** Looks at everything once that is stored and can be damaged without a read noticing it; what it finds is on the list. */
  check?(): Promise<void>;
  /** Throws `DamagedLog` when entries of a range may be gone of which nothing else tells: it has no gaps that show. */
  sure?(gte: string, lte: string): Promise<void>;
  /** The store as it is now, where an iterator does not see it so; closing it ends the moment. */
  moment?(): Promise<Store>;
  /** Takes what lies in a journal alone to where damage of a journal does not reach. */
  settle?(): Promise<void>;
}
export type StoreOp = { type: 'put'; key: string; value: string } | { type: 'del'; key: string };

/** Opens a store; called again after a failed write has poisoned the open one. */
export interface OpenStore {
  (): Promise<Store>;
  /** Rejects while the place of the store takes no writes: until then the open one is kept, so that reads go on. */
  ready?(): Promise<void>;
}

/** Entries of a range, read in blocks; the iterator is closed when the loop ends, however it ends. */
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

/** Large enough that handing over costs little beside what is handed over; small enough to hold two of them. Octets. */
const BLOCK_OCTETS = 512 * 1024;

/**
 * The entries of a long range, block by block: while one is worked on, the next one is read. The iterator is closed when the loop
 * ends, however it ends.
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

/** Something that is waited for later, or never: until then its failure is nobody's defect. */
export const handled = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => undefined);
  return promise;
};

const POSITION_DIGITS = 16;
const pad = (n: number): string => String(n).padStart(POSITION_DIGITS, '0');

/** Keys sort as strings, so numbers are zero-padded. */
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
  /** How many records there are, and the sum of the positions that changed them last. Sorts right before them. */
  recordSum: 'r.',
  /** Position up to which the whole log has been checked. */
  checked: 'm/checked',
  /** Only in a copy that is not finished: hash of the first event of what it is a copy of. */
  copying: 'm/copying',
  /** Absent in a log whose values have no checksums yet. */
  format: 'm/format',
} as const;

/** The server's own stream has no project. */
export const SERVER_STREAM = '-';
export const streamOf = (projectId: string | null): string => projectId ?? SERVER_STREAM;

export const positionOf = (key: string): number => Number(key.slice(2));

/** Every key of an event beside its own: of its stream, and of the objects that it names. */
export const indexOps = (event: Pick<LogEvent, 'project_id' | 'version' | 'position' | 'data'>): StoreOp[] => {
  const data = event.data as Record<string, unknown>;
  const named = [data['node_id'], data['link_id'], data['drawing_id'], data['snapshot_id'], data['idempotency_id']];
  const ids = new Set(named.filter((id) => typeof id === 'string'));
  return [
    { type: 'put', key: KEYS.stream(streamOf(event.project_id), event.version), value: String(event.position) },
    ...[...ids].map((id): StoreOp => ({ type: 'put', key: KEYS.object(id, event.position), value: '' })),
  ];
};

/** Takes an event and its index entries away. */
export const cutOps = (event: Pick<LogEvent, 'project_id' | 'version' | 'position' | 'data'>): StoreOp[] => [
  { type: 'del', key: KEYS.event(event.position) },
  ...indexOps(event).map(({ key }): StoreOp => ({ type: 'del', key })),
];

/** True for the errors of a disk without space, however the store words them. */
export const isDiskFull = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause)
    if (/no space left|ENOSPC|disk quota|EDQUOT|^53100/i.test(`${(e as { code?: string }).code ?? ''} ${e.message}`))
      return true;
  return false;
};

/** What a store that failed makes of an append. */
export const refusalOf = (error: unknown): TopologError =>
  error instanceof TopologError && error.code === 'lease_lost'
    ? error
    : isDiskFull(error)
      ? new TopologError('disk_full', {}, { cause: error })
      : new TopologError('log_read_only', { reason: messageOf(error) }, { cause: error });
