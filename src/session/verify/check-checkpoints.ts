import { isDeepStrictEqual } from 'node:util';
import { streamOf } from '../../events/store/store.ts';
import type { LogEvent } from '../../events/event.ts';
import { CHECKPOINTS } from '../../projections/past/checkpoints.ts';
import type { Records } from '../../projections/store.ts';
import { type Findings, plain, type Rows } from './findings.ts';

/** Holds each checkpoint against what the events up to its version fold to. */
export class CheckpointCheck {
  readonly #findings: Findings;
  /** Those whose event has not come yet. */
  readonly #left = new Map<string, string>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  async load(rows: Rows): Promise<void> {
    for await (const block of rows)
      for (const [key, text] of block) if (this.#findings.concerns(key)) this.#left.set(key, text);
  }

  /** `folded`: everything up to the event. */
  compare({ project_id, version, position }: LogEvent, folded: Records): void {
    const stream = streamOf(project_id);
    const key = CHECKPOINTS.key(stream, version);
    const checkpoint = this.#left.get(key);
    if (checkpoint === undefined) return;
    this.#left.delete(key);
    if (!this.#findings.torn.has(stream) && !isFoldOf(folded, project_id, checkpoint))
      this.#findings.broken(position, `checkpoint ${key}`, 'it is not what the events up to it fold to');
  }

  /** After all events. */
  end(): void {
    for (const key of this.#left.keys())
      if (!this.#findings.torn.has(key.split('/')[1] ?? ''))
        this.#findings.broken(null, `checkpoint ${key}`, 'there is no such version of the stream');
  }
}

const isFoldOf = (folded: Records, projectId: string | null, checkpoint: string): boolean => {
  const expected: Stored[] = [];
  for (const [collection, id, record] of folded.all())
    // What belongs to no project is of the server's own stream.
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
