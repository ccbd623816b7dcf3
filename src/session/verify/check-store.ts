import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../common/errors.ts';
import type { Head } from '../../events/event.ts';
import { lastVersion } from '../../events/read.ts';
import type { Damage } from '../../events/store/damage.ts';
import { KEYS, type Range, type Store, streamOf } from '../../events/store/store.ts';
import { CHECKPOINTS } from '../../projections/past/checkpoints.ts';
import type { Records } from '../../projections/store.ts';
import { CheckpointCheck, EventCheck } from './check-events.ts';
import { IndexCheck } from './check-indexes.ts';
import {
  type CheckOptions,
  Findings,
  parsed,
  plain,
  type Rows,
  type SecretsFound,
  type StoreProblem,
} from './findings.ts';
import { takeSnapshot } from './store-snapshot.ts';

export interface StoreVerdict {
  ok: boolean;
  /** Events walked. */
  facts: number;
  /** Records compared. */
  records: number;
  /** Events that earlier repairs have given up; their `log.repaired` lists them. */
  lost: number;
  /** Labs whose events have secrets, as those of earlier versions do; null: templates of the server. Absent: there are none. */
  secrets?: SecretsFound[];
  problem: StoreProblem | null;
  /** At most `MOST_PROBLEMS`. */
  problems: StoreProblem[];
}

/** Events read at once. */
const BLOCK = 250;

const RANGES = {
  heads: { gte: KEYS.headStart, lte: KEYS.headEnd },
  records: { gte: KEYS.recordStart, lte: KEYS.recordEnd },
  checkpoints: { gte: CHECKPOINTS.start, lte: CHECKPOINTS.end },
  objects: { gte: 'o/', lte: 'o/~' },
} satisfies Record<string, Range>;

/**
 * Checks every event of a store (or of one project) and everything that is derived from them: heads, indexes, records and
 * checkpoints. Reads a snapshot of a log that may be written meanwhile, in blocks between which the event loop turns. A read error
 * is a problem like any other.
 */
export const checkStore = async (
  store: Store,
  projectId: string | null = null,
  options: CheckOptions = {},
): Promise<StoreVerdict> => {
  const stream = projectId === null ? null : streamOf(projectId);
  const findings = new Findings(stream);
  const checkpoints = new CheckpointCheck(findings);
  const events = new EventCheck(store, findings, checkpoints, options);
  const records = new RecordCheck(store, findings, events.folded);
  const damaged = (damage: Damage): void => findings.damaged(damage);
  const snapshot = await takeSnapshot(store, {
    heads: { ...RANGES.heads, damaged },
    records: { ...RANGES.records, damaged },
    checkpoints: { ...RANGES.checkpoints, damaged },
    objects: { ...RANGES.objects, damaged },
    streams:
      stream === null
        ? { gte: 'p/', lte: 'p/~', damaged }
        : { gte: KEYS.stream(stream, 0), lte: KEYS.streamEnd(stream), damaged },
    own: { gte: KEYS.stream(stream ?? '', 0), lte: KEYS.streamEnd(stream ?? '') },
  });
  const { rows, position } = snapshot;
  try {
    await findings.part('checkpoint', () => checkpoints.load(rows.checkpoints));
    if (stream === null) await events.walk(upTo(position), position);
    else {
      // `checkHeads` reports a head that cannot be read.
      const of = await lastVersion(store, stream).catch(() => 0);
      await findings.part('index', () => events.walk(entriesOf(rows.own), of));
    }
    events.end();
    await findings.part('head', async () => {
      await checkHeads(findings, events.heads, rows.heads);
      checkpoints.end();
    });
    const indexes = new IndexCheck(store, findings, events.entries, options);
    await findings.part('index', () => indexes.compare(rows.streams));
    await findings.part('index', () => indexes.compare(rows.objects));
    options.signal?.throwIfAborted();
    await findings.part('record', () => records.compare(rows.records));
  } finally {
    await snapshot.close();
  }
  const { problems } = findings;
  const problem = problems[0] ?? null;
  const counted = { facts: events.count, records: records.count, lost: events.lost.size };
  const secrets = events.secretsFound();
  return { ok: problem === null, ...counted, ...(secrets.length === 0 ? {} : { secrets }), problem, problems };
};

/** Every position, in blocks, also those without an entry. */
function* upTo(last: number): Generator<number[]> {
  for (let from = 1; from <= last; from += BLOCK)
    yield Array.from({ length: Math.min(BLOCK, last - from + 1) }, (_, n) => from + n);
}

async function* entriesOf(rows: Rows): AsyncGenerator<number[]> {
  for await (const block of rows) yield block.map(([, value]) => Number(value));
}

const checkHeads = async (findings: Findings, heads: ReadonlyMap<string, Head>, rows: Rows): Promise<void> => {
  const wrong = (position: number | null, key: string): void =>
    findings.broken(position, `head ${key}`, 'it is not the last event of its stream');
  const left = new Map(heads);
  for await (const block of rows)
    for (const [key, text] of block) {
      if (!findings.concerns(key)) continue;
      const stream = key.slice(KEYS.headStart.length);
      const head = left.get(stream);
      const stored = parsed(text) as Partial<Head> | null;
      left.delete(stream);
      if (head !== undefined && isDeepStrictEqual(stored, head)) continue;
      // The head is newer than the last event found: the stream's last events are missing.
      if ((stored?.version ?? 0) > (head?.version ?? 0)) findings.torn.add(stream);
      wrong(head?.position ?? stored?.position ?? null, key);
    }
  for (const [stream, head] of left)
    if (!findings.isDamaged(KEYS.head(stream))) wrong(head.position, KEYS.head(stream));
};

/** Compares the stored records with those to which the events fold. */
class RecordCheck {
  count = 0;
  readonly #store: Store;
  readonly #findings: Findings;
  readonly #folded: Records;

  constructor(store: Store, findings: Findings, folded: Records) {
    this.#store = store;
    this.#findings = findings;
    this.#folded = folded;
  }

  async compare(rows: Rows): Promise<void> {
    const left = new Map<string, unknown>();
    for (const [collection, id, record] of this.#folded.all()) left.set(KEYS.record(collection, id), record);
    try {
      for await (const block of rows)
        for (const [key, text] of block) {
          this.#record(key, text, left.get(key));
          left.delete(key);
        }
    } catch (error) {
      await this.#unread(left);
      throw error;
    }
    for (const [key, record] of left)
      if (!this.#isTorn(record) && !this.#findings.isDamaged(key))
        this.#broken(key, changedAt(record), 'it is missing');
  }

  #broken(key: string, position: number | null, message: string): void {
    this.#findings.broken(position, `record ${key}`, message);
  }

  #record(key: string, text: string, expected: unknown): void {
    const { stream } = this.#findings;
    const stored = parsed(text) as { project_id?: unknown; changed?: unknown } | null;
    if (stream !== null && expected === undefined && stored?.project_id !== stream) return;
    this.count++;
    if (this.#isTorn(expected ?? stored)) return;
    const position = changedAt(expected) ?? changedAt(stored);
    if (expected === undefined) this.#broken(key, position, 'there are no events for it');
    else if (!isDeepStrictEqual(stored, plain(expected)))
      this.#broken(key, position, 'it is not what the events fold to');
  }

  /** Reads the remaining records one by one after the range could not be read to its end. */
  async #unread(left: ReadonlyMap<string, unknown>): Promise<void> {
    for (const [key, record] of left)
      try {
        const text = await this.#store.get(key);
        if (text === undefined) this.#broken(key, changedAt(record), 'it is missing');
        else this.#record(key, text, record);
      } catch (error) {
        this.#broken(key, changedAt(record), `it cannot be read: ${messageOf(error)}`);
      }
  }

  #isTorn(record: unknown): boolean {
    return this.#findings.torn.has(streamOf((record as { project_id?: string } | null)?.project_id ?? null));
  }
}

const changedAt = (record: unknown): number | null => {
  const changed = (record as { changed?: unknown } | null | undefined)?.changed;
  return typeof changed === 'number' ? changed : null;
};
