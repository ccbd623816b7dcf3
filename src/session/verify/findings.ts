import type { Damage } from '../../events/store/damage.ts';
import { messageOf } from '../../common/errors.ts';
import type { AnyEvent } from '../../events/schemas.ts';

/** Progress of a check: first it reads the events, then the index entries that lead to them. */
export interface CheckProgress {
  part: 'events' | 'indexes';
  done: number;
  of: number;
}

/** Events of a lab that have secrets; null: of templates of the server. */
export interface SecretsFound {
  project_id: string | null;
  name: string;
  events: number;
}

export interface CheckOptions {
  /** Called after each block. */
  onProgress?: (checked: CheckProgress) => void;
  /** Ends the check soon after it is aborted. */
  signal?: AbortSignal;
  /** Called after each block of events with the position of its last one. */
  onPosition?: (position: number) => void;
  /** Called with every undamaged event. */
  onEvent?: (event: AnyEvent) => void;
}

export interface StoreProblem {
  /** Position of the event at which, or by which, it was found; null for what has no event. */
  position: number | null;
  /** `event`, `head`, `index`, `record` or `checkpoint`, and the name of the broken one. */
  where: string;
  message: string;
}

/** Problems listed at most: more of them tell nothing new about a log. */
export const MOST_PROBLEMS = 1000;

const NAMES: Readonly<Record<string, string>> = { h: 'head', p: 'index', o: 'index', r: 'record', c: 'checkpoint' };

/** Problems that a check of a store has found so far, and the damage that other parts of it have to take into account. */
export class Findings {
  /** The stream that is checked; null: all. */
  readonly stream: string | null;
  readonly problems: StoreProblem[] = [];
  /** Streams with missing events: their records, heads and checkpoints cannot be judged. */
  readonly torn = new Set<string>();
  /** Positions of missing events: the next event of their stream, which is not known, does not follow. */
  readonly missed = new Set<number>();
  readonly #damaged = new Set<string>();

  constructor(stream: string | null) {
    this.stream = stream;
  }

  broken(position: number | null, where: string, message: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ position, where, message });
  }

  /** Reports a damaged entry of the store, once. */
  damaged({ position, key, message }: Damage): void {
    if (this.#damaged.has(key) || (!this.concerns(key) && key.startsWith('h/'))) return;
    this.#damaged.add(key);
    const [kind = ''] = key.split('/');
    this.broken(position, `${NAMES[kind] ?? 'entry'} ${key}`, message);
  }

  isDamaged(key: string): boolean {
    return this.#damaged.has(key);
  }

  /** Whether a head, stream entry or checkpoint is of the checked stream, which is the second part of its key. */
  concerns(key: string): boolean {
    return this.stream === null || key.split('/')[1] === this.stream;
  }

  /** Runs the check of one part of the store; a read error is a problem. */
  async part(where: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.broken(null, where, `it cannot be read: ${messageOf(error)}`);
    }
  }
}

/** Entries of a store, in blocks. */
export type Rows = AsyncIterable<[key: string, value: string][]>;

/** null: it is not JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The value as it reads after it was stored as JSON. */
export const plain = (record: unknown): unknown => JSON.parse(JSON.stringify(record));
