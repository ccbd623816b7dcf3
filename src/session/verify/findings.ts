import type { Damage } from '../../events/store/damage.ts';
import { messageOf } from '../../common/errors.ts';

/** Something that does not fit. */
export interface StoreProblem {
  /** Position of the event at which, or by which, it was found; null for what has no event. */
  position: number | null;
  /** What is broken: `event`, `head`, `index`, `record` or `checkpoint`, with its name. */
  where: string;
  message: string;
}

/** What is listed at most: with more, all that is known is that much is damaged. */
export const MOST_PROBLEMS = 1000;

const NAMES: Readonly<Record<string, string>> = { h: 'head', p: 'index', o: 'index', r: 'record', c: 'checkpoint' };

/** What a check of a store has found so far, and what of it the rest cannot be judged without. */
export class Findings {
  /** Only this one is checked, or all. */
  readonly stream: string | null;
  readonly problems: StoreProblem[] = [];
  /** Streams that miss events: what is derived from them cannot be judged. */
  readonly torn = new Set<string>();
  /** Positions of events that are missing: what follows them in their unknown stream may not fit. */
  readonly missed = new Set<number>();
  readonly #damaged = new Set<string>();

  constructor(stream: string | null) {
    this.stream = stream;
  }

  broken(position: number | null, where: string, message: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ position, where, message });
  }

  /** An entry that is not as it was written. */
  damaged({ position, key, message }: Damage): void {
    if (this.#damaged.has(key) || (!this.concerns(key) && key.startsWith('h/'))) return;
    this.#damaged.add(key);
    const [kind = ''] = key.split('/');
    this.broken(position, `${NAMES[kind] ?? 'entry'} ${key}`, message);
  }

  isDamaged(key: string): boolean {
    return this.#damaged.has(key);
  }

  /** Keys of heads, streams and checkpoints name the stream in their second part. */
  concerns(key: string): boolean {
    return this.stream === null || key.split('/')[1] === this.stream;
  }

  /** A part of the store that cannot be read to its end is a problem. */
  async part(where: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.broken(null, where, `it cannot be read: ${messageOf(error)}`);
    }
  }
}

/** Entries, in blocks. */
export type Rows = AsyncIterable<[key: string, value: string][]>;

/** null for what is no JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** As it reads when it has been stored. */
export const plain = (record: unknown): unknown => JSON.parse(JSON.stringify(record));
