import { isDeepStrictEqual } from 'node:util';
import { KEYS, type Store, streamOf } from '../../events/store/store.ts';
import { messageOf } from '../../common/errors.ts';
import type { Records } from '../../projections/store.ts';
import { type Findings, parsed, plain, type Rows } from './findings.ts';

/** Holds the stored records against what the events fold to. */
export class RecordCheck {
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

  /** Records that were not reached, one by one. */
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
