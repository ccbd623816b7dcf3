import { Emitter } from '../../src/common/emitter.ts';
import { TopologError } from '../../src/common/errors.ts';
import type { Secrets } from '../../src/common/secrets.ts';
import type { Cell, Durability, Lease, StandingBy, Taker, Writer } from '../../src/events/cell.ts';
import { lastPosition } from '../../src/events/read.ts';
import { KEYS, type Store } from '../../src/events/store/store.ts';
import { memory, memoryStore } from './memory-store.ts';

interface Holder {
  owner: string;
  url: string;
  epoch: number;
  until: number;
}

/** A database in memory with one cell, for the servers of one process. */
export class MemoryCells {
  readonly level = memory();
  readonly changed = new Emitter<{ change: ['log' | 'lease'] }>();
  readonly secrets = new Map<string, string>();
  readonly standing = new Map<string, StandingBy>();
  readonly leaseMs: number;
  /** Settings under which answered writes can be lost. */
  readonly losses: string[] = [];
  /** What an answered write has survived. */
  words = 'memory only';
  /** What commits wait for. */
  waits: string | null = null;
  epoch = 0;
  holder: Holder | null = null;

  constructor(leaseMs = 600_000) {
    this.leaseMs = leaseMs;
  }

  get durability(): Durability {
    return { disks: 0, words: this.words, losses: [...this.losses], waits: this.waits };
  }

  async store(): Promise<Store> {
    return memoryStore(this.level, (await this.level.get(KEYS.format)) !== undefined);
  }

  /** The cell as one server has it. */
  cell(): Cell {
    return new MemoryCell(this);
  }

  /** The lease ends, as if its owner had not renewed it. */
  expire(): void {
    if (this.holder !== null) this.holder.until = 0;
    this.changed.emit('change', 'lease');
  }
}

class MemoryCell implements Cell {
  readonly name = 'lab';
  readonly place = 'memory';
  readonly #cells: MemoryCells;
  readonly secrets: Secrets;

  constructor(cells: MemoryCells) {
    this.#cells = cells;
    const kept = cells.secrets;
    this.secrets = {
      get: (name) => Promise.resolve(kept.get(name) ?? null),
      keep: (name, text) => Promise.resolve(kept.get(name) ?? (kept.set(name, text), text)),
      put: (name, text) => Promise.resolve(void kept.set(name, text)),
      list: (folder) => Promise.resolve([...kept.keys()].filter((name) => name.startsWith(`${folder}/`))),
      remove: (name) => Promise.resolve(void kept.delete(name)),
    };
  }

  durability() {
    return Promise.resolve(this.#cells.durability);
  }

  async reading(): Promise<Store> {
    const store = await this.#cells.store();
    return { ...store, batch: () => Promise.reject(new Error('it is only read')) };
  }

  moment(): Promise<Store> {
    return this.reading();
  }

  readonly onChange: Cell['onChange'] = (listener, options = {}) => {
    this.#cells.changed.on('change', listener, options);
    const timer = setInterval(() => listener('log'), 1_000);
    options.signal?.addEventListener('abort', () => clearInterval(timer));
  };

  async writer(): Promise<Writer | null> {
    const { holder } = this.#cells;
    const left = (holder?.until ?? 0) - performance.now();
    if (holder === null || left <= 0) return null;
    return { ...holder, left, position: await lastPosition(await this.#cells.store()) };
  }

  async take({ owner, url, before = null }: Taker): Promise<Lease | null> {
    const isFree = async (): Promise<boolean> => ((await this.writer())?.owner ?? before) === before;
    if (!(await isFree())) return null;
    const cells = this.#cells;
    const head = await lastPosition(await cells.store());
    if (!(await isFree())) return null;
    cells.epoch = Math.max(cells.epoch, head) + 1;
    cells.holder = { owner, url, epoch: cells.epoch, until: performance.now() + cells.leaseMs };
    cells.changed.emit('change', 'lease');
    return new MemoryLease(cells, cells.holder);
  }

  standsBy(me: StandingBy): Promise<void> {
    return Promise.resolve(void this.#cells.standing.set(me.owner, me));
  }

  standbys(): Promise<StandingBy[]> {
    return Promise.resolve(
      [...this.#cells.standing.values()].filter(({ owner }) => owner !== this.#cells.holder?.owner),
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class MemoryLease implements Lease {
  readonly epoch: number;
  readonly #cells: MemoryCells;
  readonly #holder: Holder;
  readonly #lost = new AbortController();
  readonly lost = this.#lost.signal;
  readonly #timer: NodeJS.Timeout;

  constructor(cells: MemoryCells, holder: Holder) {
    this.#cells = cells;
    this.#holder = holder;
    this.epoch = holder.epoch;
    this.#timer = setInterval(() => this.#renew(), cells.leaseMs / 10);
    cells.changed.on('change', () => this.holds() || this.#end('another server has taken over'), { signal: this.lost });
  }

  #renew(): void {
    if (this.holds()) this.#holder.until = performance.now() + this.#cells.leaseMs;
    else this.#end('the lease of this server is over');
  }

  #end(why: string): void {
    clearInterval(this.#timer);
    this.#lost.abort(new TopologError('lease_lost', { reason: why }));
  }

  holds(): boolean {
    return !this.lost.aborted && this.#cells.holder === this.#holder && this.#holder.until > performance.now();
  }

  readonly open = async (): Promise<Store> => {
    const store = await this.#cells.store();
    return {
      ...store,
      batch: async (ops, options) => {
        if (this.#cells.epoch !== this.epoch || !this.holds())
          throw new TopologError('lease_lost', { reason: 'another server has taken over' });
        await store.batch(ops, options);
        this.#cells.changed.emit('change', 'log');
      },
    };
  };

  announce(url: string): Promise<void> {
    this.#holder.url = url;
    this.#cells.changed.emit('change', 'lease');
    return Promise.resolve();
  }

  release(): Promise<void> {
    if (this.#cells.holder === this.#holder) this.#cells.holder = null;
    this.#end('it was given back');
    this.#cells.changed.emit('change', 'lease');
    return Promise.resolve();
  }
}
