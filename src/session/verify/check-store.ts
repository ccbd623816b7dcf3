import { isDeepStrictEqual } from 'node:util';
import { lastVersion } from '../../events/read.ts';
import { streamOf, KEYS, type Range, type Store } from '../../events/store/store.ts';
import type { Damage } from '../../events/store/damage.ts';
import type { Head } from '../../events/event.ts';
import { CHECKPOINTS } from '../../projections/past/checkpoints.ts';
import { CheckpointCheck } from './check-checkpoints.ts';
import { type CheckOptions, EventCheck } from './check-events.ts';
import { wrongEntries } from './check-indexes.ts';
import { RecordCheck } from './check-records.ts';
import { Findings, parsed, type Rows, type StoreProblem } from './findings.ts';
import { takeSnapshot } from '../snapshot.ts';

export interface StoreVerdict {
  ok: boolean;
  /** Events walked. */
  facts: number;
  /** Records compared. */
  records: number;
  /** Events that an earlier repair has left out; its `log.repaired` lists them. */
  lost: number;
  /** The first problem. */
  problem: StoreProblem | null;
  /** All of them, up to `MOST_PROBLEMS`. */
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
 * Walks every event of a store (or of one project) and everything that is derived from the events: heads, indexes, records and
 * checkpoints, and says what does not fit. Reads one moment of a log that may be written at the same time, in blocks, so that
 * others get their turn. What cannot be read is a problem like any other.
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
      // A head that cannot be read is found out below.
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
  return { ok: problem === null, ...counted, problem, problems };
};

/** Every position, in blocks: also those that no key leads to. */
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
      // Its last events are missing.
      if ((stored?.version ?? 0) > (head?.version ?? 0)) findings.torn.add(stream);
      wrong(head?.position ?? stored?.position ?? null, key);
    }
  for (const [stream, head] of left)
    if (!findings.isDamaged(KEYS.head(stream))) wrong(head.position, KEYS.head(stream));
};

/** Finds entries that no event accounts for. */
class IndexCheck {
  readonly #store: Store;
  readonly #findings: Findings;
  readonly #of: number;
  readonly #options: CheckOptions;
  #done = 0;

  /** `of`: how many entries there ought to be. */
  constructor(store: Store, findings: Findings, of: number, options: CheckOptions) {
    this.#store = store;
    this.#findings = findings;
    this.#of = of;
    this.#options = options;
  }

  async compare(rows: Rows): Promise<void> {
    const findings = this.#findings;
    for await (const block of rows) {
      this.#options.signal?.throwIfAborted();
      const { wrong, right } = await wrongEntries(this.#store, block, findings.stream);
      for (const { key, position } of wrong)
        if (position === null || !findings.missed.has(position))
          findings.broken(position, `index ${key}`, 'no event accounts for the entry');
      this.#done += right;
      this.#options.onProgress?.({ part: 'indexes', done: this.#done, of: Math.max(this.#done, this.#of) });
    }
  }
}
