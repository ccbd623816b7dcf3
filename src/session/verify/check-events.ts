import { setImmediate as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../common/errors.ts';
import { decodeEvent, GENESIS } from '../../events/encoding.ts';
import type { Head, LogEvent } from '../../events/event.ts';
import { follows } from '../../events/log/startup.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { eventHasSecrets } from '../../events/secret-places.ts';
import { DamagedLog } from '../../events/store/damage.ts';
import { indexOps, KEYS, type Store, streamOf } from '../../events/store/store.ts';
import { upcast } from '../../events/upcasters.ts';
import { fold } from '../../projections/fold/fold.ts';
import { CHECKPOINTS } from '../../projections/past/checkpoints.ts';
import type { Gap } from '../../projections/recover-log.ts';
import { Records } from '../../projections/store.ts';
import { repairText, verifySignature } from '../keys.ts';
import { missingEntries } from './check-indexes.ts';
import { type CheckOptions, type Findings, plain, type Rows, type SecretsFound } from './findings.ts';

/** Walks the events: each must be whole, follow the one before in its stream, be in the indexes and fold. */
export class EventCheck {
  /** Records to which the events fold. */
  readonly folded = new Records();
  /** Last event of each stream. */
  readonly heads = new Map<string, Head>();
  /** Positions of `event.lost`, by an earlier repair. */
  readonly lost = new Set<number>();
  /** Gaps that signed repairs list. */
  readonly #repairs: Gap[] = [];
  /** Events with secrets, by project, and the name of that. */
  readonly #secrets = new Map<string | null, { name: string; events: number }>();
  count = 0;
  /** Index entries that the events should have. */
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

  /** `of`: the number of events, for progress. */
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

  /** Call after all events. Checks nothing for a single stream, as repairs are in the server's own. */
  end(): void {
    if (this.#findings.stream !== null) return;
    for (const position of this.lost)
      if (!this.#repairs.some(({ first, last }) => first <= position && position <= last))
        this.#broken(position, 'it is lost, and no signed repair says so');
  }

  secretsFound(): SecretsFound[] {
    return [...this.#secrets].map(([project_id, found]) => ({ project_id, ...found }));
  }

  #broken(position: number, message: string): void {
    this.#findings.broken(position, 'event', message);
  }

  /** Texts of a block of events. Where the block cannot be read, each is read by itself, and an unreadable one is an error. */
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
      // Missing events, which are reported already, may be the cause.
      if (this.#findings.missed.size === 0)
        this.#broken(event.position, `it does not follow version ${head.version} of stream ${name}`);
    }
    this.heads.set(name, { version: event.version, position: event.position, hash: event.hash });
  }

  /** Takes over the gaps that a repair lists, if its signature fits. */
  #repaired({ position, data }: AnyEvent & { type: 'log.repaired' }): void {
    if (verifySignature(data.public_key, repairText(data), data.signature)) this.#repairs.push(...data.lost);
    else this.#broken(position, 'the signature of the repair does not fit what it says');
  }

  #lookForSecrets(event: AnyEvent): void {
    if (!eventHasSecrets(event)) return;
    const { project_id: id } = event;
    const before = this.#secrets.get(id);
    const called = this.folded.committed.get('project', id ?? '')?.name ?? before?.name ?? '';
    this.#secrets.set(id, { name: called, events: (before?.events ?? 0) + 1 });
  }

  #fold(event: LogEvent, name: string): void {
    try {
      const known = upcast(event);
      this.#options.onEvent?.(known);
      this.folded.apply(fold(this.folded.committed, known));
      this.#lookForSecrets(known);
    } catch (error) {
      if (!this.#findings.torn.has(name)) this.#broken(event.position, `it cannot be folded: ${messageOf(error)}`);
    }
  }
}

/** Message of a read error, or of the damage that the store has found. */
const wordsOf = (error: unknown): string => (error instanceof DamagedLog ? error.damage.message : messageOf(error));

/** Compares each checkpoint with the records to which the events up to its version fold. */
export class CheckpointCheck {
  readonly #findings: Findings;
  /** Checkpoints whose event has not been walked yet, by key. */
  readonly #left = new Map<string, string>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  async load(rows: Rows): Promise<void> {
    for await (const block of rows)
      for (const [key, text] of block) if (this.#findings.concerns(key)) this.#left.set(key, text);
  }

  /** `folded`: all events up to this one. */
  compare({ project_id, version, position }: LogEvent, folded: Records): void {
    const stream = streamOf(project_id);
    const key = CHECKPOINTS.key(stream, version);
    const checkpoint = this.#left.get(key);
    if (checkpoint === undefined) return;
    this.#left.delete(key);
    if (!this.#findings.torn.has(stream) && !isFoldOf(folded, project_id, checkpoint))
      this.#findings.broken(position, `checkpoint ${key}`, 'it is not what the events up to it fold to');
  }

  /** Call after all events. */
  end(): void {
    for (const key of this.#left.keys())
      if (!this.#findings.torn.has(key.split('/')[1] ?? ''))
        this.#findings.broken(null, `checkpoint ${key}`, 'there is no such version of the stream');
  }
}

const isFoldOf = (folded: Records, projectId: string | null, checkpoint: string): boolean => {
  const expected: Stored[] = [];
  for (const [collection, id, record] of folded.all())
    // Records without a project are of the server's own stream.
    if (((record as { project_id?: string }).project_id ?? null) === projectId)
      expected.push([collection, id, plain(record)]);
  try {
    const stored = (JSON.parse(checkpoint) as { collection: string; id: string; record: unknown }[]).map(
      ({ collection, id, record }): Stored => [collection, id, record],
    );
    return isDeepStrictEqual(sorted(stored), sorted(expected));
  } catch {
    return false;
  }
};

type Stored = [collection: string, id: string, record: unknown];
const sorted = (records: Stored[]): Stored[] =>
  records.sort((a, b) => (`${a[0]}/${a[1]}` < `${b[0]}/${b[1]}` ? -1 : 1));
