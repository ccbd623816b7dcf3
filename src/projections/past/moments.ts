import { streamOf, entries, handled, KEYS, type Store, type StoreOp } from '../../events/store/store.ts';
import { versionAtPosition } from '../../events/history.ts';
import { positionOfVersion, streamPositions, textsAt } from '../../events/read.ts';
import { StoredEvent } from '../../events/encoding.ts';
import { upcast } from '../../events/upcasters.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { BETWEEN, CHECKPOINTS, distance, saveCheckpoint } from './checkpoints.ts';
import { fold } from '../fold/fold.ts';
import type { RecordChange } from '../fold/change.ts';
import { unresolvedPaths, type PathResolver } from './record-paths.ts';
import type { CollectionName, RecordView } from '../records.ts';
import { Records } from '../store.ts';

const BLOCK = 250;
/** Moments cached in memory, so that nodes, links and drawings of one moment cost one fold. */
const CACHED = 8;

/** Records of a project at an earlier moment, folded from the nearest checkpoint. */
export class Moments {
  readonly #store: () => Store;
  readonly #interval: number | undefined;
  readonly #kept = new Map<string, Promise<Records>>();
  readonly paths: PathResolver;

  /**
   * `store` is called each time, as the log may have reopened it. `interval`: minimum of events between two
   * checkpoints.
   */
  constructor(
    store: () => Store,
    { interval, paths = unresolvedPaths }: { interval?: number; paths?: PathResolver } = {},
  ) {
    this.#store = store;
    this.paths = paths;
    this.#interval = interval;
  }

  /** Records of a project after a position. */
  async at(projectId: string, position: number): Promise<RecordView> {
    return this.paths.view(await this.storedAt(projectId, position));
  }

  /** The same with paths as they are stored. */
  async storedAt(projectId: string, position: number): Promise<RecordView> {
    const version = (await versionAtPosition(this.#store(), projectId, position + 1)) - 1;
    return (await this.#atVersion(projectId, version)).committed;
  }

  /** A copy of the records of any stream (null: the server's own) after a position, for further folding. */
  async copyAt(projectId: string | null, position: number): Promise<Records> {
    const stream = streamOf(projectId);
    const version = (await versionAtPosition(this.#store(), stream, position + 1)) - 1;
    return inSlices((await this.#atVersion(stream, version)).copying());
  }

  /**
   * Position of the first of the last `events` events of a project up to a position; 1: there are no earlier ones.
   */
  async firstOf(projectId: string, events: number, position: number): Promise<number> {
    const last = (await versionAtPosition(this.#store(), projectId, position + 1)) - 1;
    return last <= events ? 1 : positionOfVersion(this.#store(), streamOf(projectId), last - events + 1);
  }

  /** Records of every project that ever existed, at a position. */
  async all(position: number): Promise<RecordView[]> {
    const streams: string[] = [];
    for await (const [key] of entries(this.#store(), { gte: KEYS.headStart, lte: KEYS.headEnd }))
      if (key !== KEYS.head(streamOf(null))) streams.push(key.slice(KEYS.headStart.length));
    const views: RecordView[] = [];
    for (const stream of streams) views.push(await this.at(stream, position));
    return views;
  }

  #atVersion(projectId: string, version: number): Promise<Records> {
    const key = `${projectId}@${version}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const records = this.#fold(projectId, version);
    records.catch(() => this.#kept.delete(key));
    this.#kept.set(key, records);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= CACHED) break;
      this.#kept.delete(oldest);
    }
    return records;
  }

  async #fold(projectId: string, version: number): Promise<Records> {
    const store = this.#store();
    const { records, from } = await this.#checkpoint(projectId, version);
    let saved = from;
    let done = from;
    let ahead = handled(readBlock(store, projectId, done + 1, version));
    while (done < version) {
      const block = await ahead;
      if (block.length === 0) throw new Error(`version ${done + 1} of project ${projectId} is missing`);
      // The next block is read while this one is folded.
      ahead = handled(readBlock(store, projectId, done + block.length + 1, version));
      await inSlices(folding(records, block));
      done += block.length;
      if (done - saved >= distance(0, this.#interval)) {
        const all = await inSlices(listed(records));
        if (done - saved < distance(all.length, this.#interval)) continue;
        // Reading works even when the log cannot be written.
        await saveCheckpoint(this.#store, projectId, done, all).catch(() => undefined);
        saved = done;
      }
    }
    await ahead;
    return records;
  }

  async #checkpoint(projectId: string, version: number): Promise<{ records: Records; from: number }> {
    const records = new Records();
    const range = {
      gte: CHECKPOINTS.key(projectId, 0),
      lte: CHECKPOINTS.key(projectId, version),
      reverse: true,
      // A damaged checkpoint is added to the store's list; an earlier one is used instead.
      damaged: () => undefined,
    };
    for await (const [key, text] of entries(this.#store(), range, 1)) {
      await inSlices(records.restoring(await inSlices(parsed(text))));
      return { records, from: Number(key.slice(key.lastIndexOf('/') + 1)) };
    }
    return { records, from: 0 };
  }
}

/** Every record. The records must not change meanwhile. */
function* listed(records: Records): Steps<[CollectionName, string, unknown][]> {
  const all: [CollectionName, string, unknown][] = [];
  for (const one of records.all()) {
    all.push(one);
    yield;
  }
  return all;
}

function* folding(records: Records, texts: readonly string[]): Steps<void> {
  for (const text of texts) {
    records.apply(fold(records.committed, upcast(new StoredEvent(text))));
    yield;
  }
}

/** A checkpoint has one record per line; older versions wrote all records in one line. */
function* parsed(text: string): Steps<RecordChange[]> {
  const lines = text.slice(1, -1).split(BETWEEN);
  const changes: RecordChange[] = [];
  for (const line of lines) {
    changes.push(...(JSON.parse(`[${line}]`) as RecordChange[]));
    yield;
  }
  return changes;
}

/** A block of versions of a stream from `from` up to `to`; empty after `to`. */
const readBlock = async (store: Store, stream: string, from: number, to: number): Promise<string[]> => {
  if (from > to) return [];
  const positions: number[] = [];
  for await (const block of streamPositions(store, stream, from, Math.min(to, from + BLOCK - 1)))
    positions.push(...block);
  return textsAt(store, positions);
};

/** Deletes every checkpoint and returns their number. */
export const dropCheckpoints = async (store: Store): Promise<number> => {
  const ops: StoreOp[] = [];
  for await (const [key] of entries(store, { gte: CHECKPOINTS.start, lte: CHECKPOINTS.end }))
    ops.push({ type: 'del', key });
  const found = ops.length;
  if (found > 0) await store.batch(ops, { sync: true });
  return found;
};
