import { setImmediate as pause } from 'node:timers/promises';
import { streamOf, entries, type Store } from '../../events/store/store.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { type CollectionName, type RecordView, SERVER_COLLECTIONS, serverId } from '../records.ts';

/** Minimum of events between two checkpoints of a stream; grows with the number of records. */
const INTERVAL = 2_000;
const EVENTS_PER_RECORD = 4;
/** Separates the records of a checkpoint; JSON texts do not contain it. */
export const BETWEEN = ',\n';
/** Records serialised in one slice of the event loop. */
const SLICE = 200;

const pad = (n: number): string => String(n).padStart(16, '0');

/**
 * Keys of checkpoints, which are caches of folded events: they can be deleted at any time, and are made again when
 * needed.
 */
export const CHECKPOINTS = {
  key: (stream: string, version: number): string => `c/${stream}/${pad(version)}`,
  start: 'c/',
  end: 'c/~',
} as const;

/** Minimum of events between two checkpoints of a stream with that many records. */
export const distance = (records: number, interval = INTERVAL): number =>
  Math.max(interval, records * EVENTS_PER_RECORD);

type Stored = [collection: CollectionName, id: string, record: unknown];

/**
 * Stores the records of a stream after a version. Synced, as unsynced data in a journal before synced data would look
 * like damage after a power cut.
 */
export const saveCheckpoint = async (
  store: () => Store,
  stream: string,
  version: number,
  records: readonly Stored[],
): Promise<void> => {
  const parts: string[] = [];
  for (let i = 0; i < records.length; i += SLICE) {
    if (i > 0) await pause();
    const slice = records.slice(i, i + SLICE);
    parts.push(...slice.map(([collection, id, record]) => JSON.stringify({ collection, id, record })));
  }
  const value = `[${parts.join(BETWEEN)}]`;
  await store().batch([{ type: 'put', key: CHECKPOINTS.key(stream, version), value }], { sync: true });
};

interface Log {
  readonly store: Store;
  onCommitted(listener: (events: AnyEvent[]) => void): void;
}

/** Checkpoint state of a stream. */
interface Stream {
  /** Version of the last checkpoint; null: not looked up yet. */
  saved: number | null;
  /** Version from which the records are counted again. */
  next: number;
}

/**
 * Makes checkpoints of growing streams out of the present records, so that no earlier moment is far from one. One at
 * a time; a stream that has to wait is considered again with its next events.
 */
export const keepCheckpoints = (log: Log, committed: RecordView, { interval = INTERVAL } = {}): void => {
  const streams = new Map<string, Stream>();
  let busy = false;
  const alone = (work: () => Promise<void>): void => {
    busy = true;
    // Retried later when the log cannot be written or is being closed.
    void work()
      .catch(() => undefined)
      .finally(() => (busy = false));
  };
  const look = (projectId: string | null, version: number): void => {
    const name = streamOf(projectId);
    let stream = streams.get(name);
    if (stream === undefined) streams.set(name, (stream = { saved: null, next: interval }));
    if (version < stream.next) return;
    const known = stream;
    if (stream.saved === null) {
      alone(async () => void (known.saved = await lastCheckpoint(log.store, name)));
      return;
    }
    stream.next = stream.saved + distance(countOf(committed, projectId), interval);
    if (version < stream.next) return;
    const records = recordsOf(committed, projectId);
    alone(async () => {
      await saveCheckpoint(() => log.store, name, version, records);
      known.saved = version;
      known.next = version + interval;
    });
  };
  log.onCommitted((events) => {
    const versions = new Map<string | null, number>();
    for (const { project_id, version } of events) versions.set(project_id, version);
    for (const [projectId, version] of versions) if (!busy) look(projectId, version);
  });
};

const lastCheckpoint = async (store: Store, stream: string): Promise<number> => {
  const range = { gte: CHECKPOINTS.key(stream, 0), lte: `c/${stream}/~`, reverse: true, damaged: () => undefined };
  for await (const [key] of entries(store, range, 1)) return Number(key.slice(key.lastIndexOf('/') + 1));
  return 0;
};

const countOf = (view: RecordView, projectId: string | null): number =>
  projectId === null
    ? SERVER_COLLECTIONS.reduce((sum, collection) => sum + view.ofServer(collection).length, 0)
    : INSIDE.reduce((sum, collection) => sum + view.count(collection, projectId), 1);
const INSIDE = ['node', 'link', 'drawing', 'snapshot', 'run'] as const;

const recordsOf = (view: RecordView, projectId: string | null): Stored[] => {
  if (projectId === null)
    return SERVER_COLLECTIONS.flatMap((c) => view.ofServer(c).map((r): Stored => [c, serverId(r), r]));
  const project = view.get('project', projectId);
  return [
    ...(project === undefined ? [] : [['project', projectId, project] satisfies Stored]),
    ...view.ofProject('node', projectId).map((r): Stored => ['node', r.node_id, r]),
    ...view.ofProject('link', projectId).map((r): Stored => ['link', r.link_id, r]),
    ...view.ofProject('drawing', projectId).map((r): Stored => ['drawing', r.drawing_id, r]),
    ...view.ofProject('snapshot', projectId).map((r): Stored => ['snapshot', r.snapshot_id, r]),
    ...view.ofProject('run', projectId).map((r): Stored => ['run', r.project_id, r]),
  ];
};
