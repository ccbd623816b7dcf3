import path from 'node:path';
import { disk as files, ROOT } from './disk.ts';
import { world } from './world.ts';

type Operation = { key: string; value: string | null };

interface Written {
  operations: Operation[];
  synced: boolean;
}

/** Milliseconds that a write takes with and without waiting for the disk, and a read. */
const SYNC_MS = 3;
const WRITE_MS = 0.05;
const READ_MS = 0.05;

/** What of a LevelDB is on a machine's disk: it outlives the process that has it open. */
export class LevelDisk {
  /** What the process that has it open reads. */
  readonly seen = new Map<string, string>();
  /** What a power cut leaves. */
  readonly synced = new Map<string, string>();
  /** What was written since the last sync, in its order. */
  #waiting: Written[] = [];
  /** Sorted; made again after a change. */
  #keys: string[] | null = null;
  /** Failed writes that lie in the journal and are there when it is opened again. */
  #failed: Operation[][] = [];
  /** A write has failed since it was opened: every other one fails as well. */
  poisoned = false;
  /** Why writes fail at the moment; null: they do not. */
  failure: string | null = null;
  /** How often it was written. */
  writes = 0;
  /** Synced writes that are under way. */
  syncing = 0;
  /** How many writes have failed. */
  failures = 0;
  /** Events of the batch that was synced last, each by its position, its type and what it is about. */
  lastSynced: readonly string[] = [];
  /** Somebody has it open. */
  holder: object | null = null;

  write(operations: Operation[], sync: boolean): void {
    apply(this.seen, operations);
    this.writes++;
    this.#keys = null;
    this.#waiting.push({ operations, synced: sync });
    if (sync) this.#sync();
  }

  #sync(): void {
    for (const { operations } of this.#waiting.splice(0)) {
      apply(this.synced, operations);
    }
  }

  fail(operations: Operation[], there: boolean): void {
    this.poisoned = true;
    this.failures++;
    if (there) this.#failed.push(operations);
  }

  open(holder: object): void {
    this.holder = holder;
    this.poisoned = false;
    for (const operations of this.#failed.splice(0)) this.write(operations, true);
  }

  /** Power is cut: `kept` says how many of the unsynced writes have reached the disk. */
  cut(kept: (waiting: number) => number): void {
    const left = this.#waiting.splice(0);
    const count = kept(left.length + 1);
    for (const { operations } of left.slice(0, count)) {
      apply(this.synced, operations);
    }
    this.#failed = [];
    this.seen.clear();
    for (const [key, value] of this.synced) this.seen.set(key, value);
    this.#keys = null;
    this.crash();
  }

  copy(): LevelDisk {
    const copy = new LevelDisk();
    for (const [key, value] of this.seen) copy.seen.set(key, value);
    return copy;
  }

  /** The process that had it open is dead. */
  crash(): void {
    this.holder = null;
    this.poisoned = false;
    this.syncing = 0;
  }

  rows(range: Bounds): [string, string][] {
    this.#keys ??= [...this.seen.keys()].sort();
    const from = range.gt ?? range.gte ?? '';
    const rows: [string, string][] = [];
    for (let at = firstAt(this.#keys, from); at < this.#keys.length; at++) {
      const key = this.#keys[at] as string;
      if (range.gt !== undefined && key === range.gt) continue;
      if (range.lte !== undefined && key > range.lte) break;
      if (range.lt !== undefined && key >= range.lt) break;
      rows.push([key, this.seen.get(key) as string]);
    }
    if (range.reverse === true) rows.reverse();
    return range.limit === undefined || range.limit < 0 ? rows : rows.slice(0, range.limit);
  }
}

interface Bounds {
  gt?: string;
  gte?: string;
  lt?: string;
  lte?: string;
  reverse?: boolean;
  limit?: number;
}

const apply = (map: Map<string, string>, operations: readonly Operation[]): void => {
  for (const { key, value } of operations)
    if (value === null) map.delete(key);
    else map.set(key, value);
};

const firstAt = (keys: readonly string[], wanted: string): number => {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};

let machine = new LevelDisk();
export const levelDisk = (): LevelDisk => machine;
export const setLevelDisk = (next: LevelDisk): void => {
  machine = next;
};

/** A stored value without its checksum. */
export const contentOf = (text: string): string => text.replace(/#[0-9a-f]{8}$/, '');

/** Position, type and whose. */
const nameOf = ({ key, value }: Operation): string => {
  const [, type = ''] = /"type":"([^"]+)"/.exec(value ?? '') ?? [];
  const [, id = ''] = /"(?:node|link|drawing|snapshot)_id":"([0-9a-f]{8})/.exec(value ?? '') ?? [];
  const [, project = ''] = /"project_id":"([0-9a-f]{4})/.exec(value ?? '') ?? [];
  return `${Number(key.slice(2))} ${type} ${project}/${id}`;
};

const failed = (reason: string): Error =>
  Object.assign(new Error(`IO error: 000003.log: ${reason}`), { code: 'LEVEL_IO' });

/** Stands in for the class of the package `level`, as far as the product uses it. */
export class Level {
  #disk: LevelDisk | null = null;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  open(): Promise<void> {
    return world().io('level open', 1, () => {
      // A copy that is only read has no lock and fails with no disk.
      if (!this.#directory.startsWith(ROOT)) return void (this.#disk = levelDisk().copy());
      const disk = levelDisk();
      if (disk.holder !== null)
        throw Object.assign(new Error('open'), { cause: Object.assign(new Error('lock'), { code: 'LEVEL_LOCKED' }) });
      if (disk.failure !== null) throw Object.assign(new Error('open'), { cause: failed(disk.failure) });
      // What lies in it does not matter here; others look for the directory.
      if (files().find(this.#directory) === null) files().mkdir(this.#directory, 0o755);
      const journal = path.join(this.#directory, '000003.log');
      if (files().find(journal) === null) files().create(journal, 0o644);
      disk.open(this);
      this.#disk = disk;
    });
  }

  #opened(): LevelDisk {
    if (this.#disk === null)
      throw Object.assign(new Error('Database is not open'), { code: 'LEVEL_DATABASE_NOT_OPEN' });
    return this.#disk;
  }

  close(): Promise<void> {
    return world().io('level close', 0.5, () => {
      if (this.#disk !== null) this.#disk.holder = null;
      this.#disk = null;
    });
  }

  batch() {
    const operations: Operation[] = [];
    const stream = {
      put(key: string, value: string) {
        operations.push({ key, value });
        return stream;
      },
      del(key: string) {
        operations.push({ key, value: null });
        return stream;
      },
      write: (options?: { sync?: boolean }): Promise<void> => this.#write(operations, options?.sync === true),
    };
    return stream;
  }

  #write(operations: Operation[], sync: boolean): Promise<void> {
    const events = operations.filter(({ key }) => key.startsWith('f/')).map(nameOf);
    if (sync) levelDisk().syncing++;
    return world().io(
      `level ${sync ? 'synced' : 'write'} ${events.slice(0, 12).join(', ')}`,
      sync ? SYNC_MS : WRITE_MS,
      () => {
        const disk = this.#opened();
        if (sync) disk.syncing--;
        if (disk.poisoned || disk.failure !== null) {
          disk.fail(operations, disk.failure !== null && world().chance(0.5));
          throw failed(disk.failure ?? 'an earlier write failed');
        }
        disk.write(operations, sync);
        if (sync) disk.lastSynced = events;
      },
    );
  }

  compactRange(): Promise<void> {
    return world().io('level compacts', 2, () => undefined);
  }

  get(key: string): Promise<string | undefined> {
    return world().io('level get', READ_MS, () => this.#opened().seen.get(key));
  }

  getMany(keys: string[]): Promise<(string | undefined)[]> {
    return world().io('level getMany', READ_MS, () => keys.map((key) => this.#opened().seen.get(key)));
  }

  iterator(range: Bounds) {
    const rows = this.#opened().rows(range);
    let at = 0;
    return {
      nextv: (size: number): Promise<[string, string][]> =>
        world().io('level next', READ_MS, () => {
          this.#opened();
          const next = rows.slice(at, at + size);
          at += next.length;
          return next;
        }),
      close: (): Promise<void> => world().io('level end', READ_MS, () => undefined),
    };
  }
}
