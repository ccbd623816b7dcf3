import { chainOf, entries, KEYS, type Store, type StoreOp } from '../events/database.ts';
import type { Fact } from '../events/fact.ts';
import { versionAtPosition } from '../events/history.ts';
import { upcast } from '../events/upcasters.ts';
import { fold, type RecordChange } from './fold.ts';
import type { RecordView } from './records.ts';
import { Records } from './store.ts';

/** Facts between two checkpoints of a project, at least; with many records fewer checkpoints are kept. */
const INTERVAL = 2_000;
const FACTS_PER_RECORD = 4;
const BLOCK = 1_000;
/** Moments kept in memory, so that one moment's nodes, links and drawings cost one fold. */
const KEPT = 8;

const pad = (n: number): string => String(n).padStart(16, '0');

/** Checkpoints are facts' folds only: they can be dropped at any time and are made again when needed. */
export const CHECKPOINTS = {
  key: (projectId: string, version: number): string => `c/${projectId}/${pad(version)}`,
  start: 'c/',
  end: 'c/~',
} as const;

/** The records of a project as they were: folded from the nearest checkpoint. */
export class Moments {
  readonly #store: () => Store;
  readonly #interval: number;
  readonly #kept = new Map<string, Promise<Records>>();

  /** `store` is asked anew each time, as the log may have reopened it. `interval`: facts between two checkpoints, at least. */
  constructor(store: () => Store, { interval = INTERVAL }: { interval?: number } = {}) {
    this.#store = store;
    this.#interval = interval;
  }

  /** Records of one project after everything up to a position had happened. */
  async at(projectId: string, position: number): Promise<RecordView> {
    const version = (await versionAtPosition(this.#store(), projectId, position + 1)) - 1;
    return (await this.#atVersion(projectId, version)).committed;
  }

  /** The same of any chain (null: the server's own), to be folded on. */
  async copyAt(projectId: string | null, position: number): Promise<Records> {
    const chain = chainOf(projectId);
    const version = (await versionAtPosition(this.#store(), chain, position + 1)) - 1;
    return (await this.#atVersion(chain, version)).copy();
  }

  /** Every project that has ever been, as it was then. */
  async all(position: number): Promise<RecordView[]> {
    const chains: string[] = [];
    for await (const [key] of entries(this.#store(), { gte: KEYS.headStart, lte: KEYS.headEnd }))
      if (key !== KEYS.head(chainOf(null))) chains.push(key.slice(KEYS.headStart.length));
    const views: RecordView[] = [];
    for (const chain of chains) views.push(await this.at(chain, position));
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
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return records;
  }

  async #fold(projectId: string, version: number): Promise<Records> {
    const store = this.#store();
    const { records, from } = await this.#checkpoint(projectId, version);
    let saved = from;
    let done = from;
    while (done < version) {
      const block = await readBlock(store, projectId, done + 1, Math.min(version, done + BLOCK));
      if (block.length === 0) throw new Error(`version ${done + 1} of project ${projectId} is missing`);
      for (const text of block) records.apply(fold(records.committed, upcast(JSON.parse(text) as Fact)));
      done += block.length;
      const size = [...records.all()].length;
      if (done - saved >= Math.max(this.#interval, size * FACTS_PER_RECORD)) {
        await this.#save(projectId, done, records);
        saved = done;
      }
    }
    return records;
  }

  async #checkpoint(projectId: string, version: number): Promise<{ records: Records; from: number }> {
    const records = new Records();
    const range = {
      gte: CHECKPOINTS.key(projectId, 0),
      lte: CHECKPOINTS.key(projectId, version),
      reverse: true,
      limit: 1,
    };
    for await (const [key, text] of entries(this.#store(), range, 1)) {
      records.restore(JSON.parse(text) as RecordChange[]);
      return { records, from: Number(key.slice(key.lastIndexOf('/') + 1)) };
    }
    return { records, from: 0 };
  }

  /** Not synced: a lost checkpoint is made again. */
  async #save(projectId: string, version: number, records: Records): Promise<void> {
    const changes = [...records.all()].map(([collection, id, record]) => ({ collection, id, record }));
    const op: StoreOp = { type: 'put', key: CHECKPOINTS.key(projectId, version), value: JSON.stringify(changes) };
    // A log that cannot be written can still be read.
    await this.#store()
      .batch([op], { sync: false })
      .catch(() => undefined);
  }
}

const readBlock = async (store: Store, projectId: string, from: number, to: number): Promise<string[]> => {
  const chain = chainOf(projectId);
  const keys: string[] = [];
  for await (const [, position] of entries(store, { gte: KEYS.chain(chain, from), lte: KEYS.chain(chain, to) }))
    keys.push(KEYS.fact(Number(position)));
  const texts = await store.getMany(keys);
  return texts.filter((text) => text !== undefined);
};

/** Takes every checkpoint away. */
export const dropCheckpoints = async (store: Store): Promise<number> => {
  const ops: StoreOp[] = [];
  for await (const [key] of entries(store, { gte: CHECKPOINTS.start, lte: CHECKPOINTS.end }))
    ops.push({ type: 'del', key });
  if (ops.length > 0) await store.batch(ops, { sync: true });
  return ops.length;
};
