import { setImmediate as pause } from 'node:timers/promises';
import { decodeEvent, GENESIS } from '../../events/encoding.ts';
import type { LogEvent, Head } from '../../events/event.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { follows } from '../../events/log/startup.ts';
import { DamagedLog } from '../../events/store/damage.ts';
import { indexOps, KEYS, type Store, streamOf } from '../../events/store/store.ts';
import { upcast } from '../../events/upcasters.ts';
import { messageOf } from '../../common/errors.ts';
import { fold } from '../../projections/fold/fold.ts';
import type { Gap } from '../../projections/recover-log.ts';
import { Records } from '../../projections/store.ts';
import type { CheckpointCheck } from './check-checkpoints.ts';
import { missingEntries } from './check-indexes.ts';
import type { Findings } from './findings.ts';
import { verifySignature } from '../keys.ts';
import { repairText } from '../repair-text.ts';

/** How far a check is: first it reads the events, then the entries of indexes that lead to them. */
export interface Checked {
  part: 'events' | 'indexes';
  done: number;
  of: number;
}

export interface CheckOptions {
  /** Gets that after each block. */
  onProgress?: (checked: Checked) => void;
  /** Aborted, the check rejects soon. */
  signal?: AbortSignal;
  /** Gets how far the events have been walked. */
  onPosition?: (position: number) => void;
  /** Gets every event that is whole. */
  onEvent?: (event: AnyEvent) => void;
}

/** Walks the events: each must be whole, follow the one before in its stream, be in the indexes and fold. */
export class EventCheck {
  /** What the events fold to. */
  readonly folded = new Records();
  /** Last event of each stream. */
  readonly heads = new Map<string, Head>();
  /** Positions of events that an earlier repair has left out, and what the repairs say. */
  readonly lost = new Set<number>();
  readonly #repairs: Gap[] = [];
  count = 0;
  /** Entries of indexes that the events have. */
  entries = 0;
  readonly #store: Store;
  readonly #findings: Findings;
  readonly #checkpoints: CheckpointCheck;
  readonly #options: CheckOptions;

  constructor(store: Store, findings: Findings, checkpoints: CheckpointCheck, options: CheckOptions) {
    this.#store = store;
    this.#findings = findings;
    this.#checkpoints = checkpoints;
    this.#options = options;
  }

  /** `of`: how many there are. */
  async walk(blocks: AsyncIterable<number[]> | Iterable<number[]>, of: number): Promise<void> {
    let done = 0;
    for await (const positions of blocks) {
      this.#options.signal?.throwIfAborted();
      const texts = await this.#texts(positions);
      const found = positions.map((position, i) => this.#event(position, texts[i])).filter((event) => event !== null);
      for (const { key, position } of await missingEntries(this.#store, found))
        if (!this.#findings.isDamaged(key))
          this.#findings.broken(position, `index ${key}`, 'the entry is missing or wrong');
      done += positions.length;
      this.entries += found.reduce((sum, event) => sum + indexOps(event).length, 0);
      this.#options.onPosition?.(positions.at(-1) ?? 0);
      this.#options.onProgress?.({ part: 'events', done, of: Math.max(done, of) });
      await pause();
    }
  }

  /** After all events. With one stream alone, the repair is in another. */
  end(): void {
    if (this.#findings.stream !== null) return;
    for (const position of this.lost)
      if (!this.#repairs.some(({ first, last }) => first <= position && position <= last))
        this.#broken(position, 'it is lost, and no signed repair says so');
  }

  #broken(position: number, message: string): void {
    this.#findings.broken(position, 'event', message);
  }

  /** One that cannot be read is an error; the others of its block are read by themselves then. */
  async #texts(positions: number[]): Promise<(string | undefined | Error)[]> {
    const keys = positions.map((position) => KEYS.event(position));
    try {
      return await this.#store.getMany(keys);
    } catch {
      const one = (key: string) => this.#store.get(key).catch((error: unknown) => new Error(wordsOf(error)));
      return Promise.all(keys.map(one));
    }
  }

  #event(position: number, text: string | undefined | Error): LogEvent | null {
    const { stream, missed } = this.#findings;
    const miss = (message: string): null => {
      missed.add(position);
      this.#broken(position, message);
      return null;
    };
    if (text === undefined) return miss('the event is missing');
    if (text instanceof Error) return miss(text.message);
    const event = decodeEvent(text);
    if (event?.position !== position) return miss('the stored content does not fit its hash');
    const name = streamOf(event.project_id);
    if (stream !== null && name !== stream) {
      this.#broken(position, `it is not of stream ${stream}`);
      return null;
    }
    this.#follow(event, name);
    this.#fold(event, name);
    this.#checkpoints.compare(event, this.folded);
    this.count++;
    return event;
  }

  #follow(event: LogEvent, name: string): void {
    const head = this.heads.get(name) ?? { version: 0, position: 0, hash: GENESIS };
    if (event.type === 'event.lost') this.lost.add(event.position);
    if (event.type === 'log.repaired') this.#repaired(event as AnyEvent & { type: 'log.repaired' });
    if (!follows(event, { ...head, type: this.lost.has(head.position) ? 'event.lost' : '' })) {
      this.#findings.torn.add(name);
      // Where events are missing, the break is theirs.
      if (this.#findings.missed.size === 0)
        this.#broken(event.position, `it does not follow version ${head.version} of stream ${name}`);
    }
    this.heads.set(name, { version: event.version, position: event.position, hash: event.hash });
  }

  /** What a repair says to be lost, when it has signed that. */
  #repaired({ position, data }: AnyEvent & { type: 'log.repaired' }): void {
    if (verifySignature(data.public_key, repairText(data), data.signature)) this.#repairs.push(...data.lost);
    else this.#broken(position, 'the signature of the repair does not fit what it says');
  }

  #fold(event: LogEvent, name: string): void {
    try {
      const known = upcast(event);
      this.#options.onEvent?.(known);
      this.folded.apply(fold(this.folded.committed, known));
    } catch (error) {
      if (!this.#findings.torn.has(name)) this.#broken(event.position, `it cannot be folded: ${messageOf(error)}`);
    }
  }
}

/** The store says why an event is not taken. */
const wordsOf = (error: unknown): string => (error instanceof DamagedLog ? error.damage.message : messageOf(error));
