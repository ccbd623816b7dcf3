import { TopologError } from '../../common/errors.ts';
import type { Payload } from './route.ts';

/** Most answers that are kept, and characters of each and of all of them. */
const MOST = 10_000;
const LONGEST = 256 * 1024;
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Errors after which the request may succeed if it comes again, or of which it is not known whether it was carried out. */
const isPassing = ({ status }: TopologError): boolean => status >= 500 || status === 408;
/** The controller sends the image and then repeats the create. */
const wantsImage = ({ details }: TopologError): boolean => details['exception'] === 'ImageMissingError';

interface Kept {
  answer: Promise<Payload>;
  /** Characters; 0 while it is under way. */
  length: number;
}

/**
 * Answers to requests that had a key, errors among them, in memory: after a restart a request that comes again finds what the first one
 * made. The oldest go first.
 */
export class KeptAnswers {
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  /** Carries a request out, or answers it as the first of its `id`, which may still be under way. */
  once(id: string, work: () => Promise<Payload>): Promise<Payload> {
    const known = this.#kept.get(id);
    if (known !== undefined) return known.answer;
    const kept: Kept = { answer: work(), length: 0 };
    this.#kept.set(id, kept);
    kept.answer.then(
      (payload) => this.#settle(id, kept, lengthOf(payload)),
      (error: unknown) => this.#settle(id, kept, lengthOfError(error)),
    );
    return kept.answer;
  }

  /** `length` null: the answer is not kept. */
  #settle(id: string, kept: Kept, length: number | null): void {
    if (length === null || length > LONGEST) {
      this.#kept.delete(id);
      return;
    }
    kept.length = length;
    this.#characters += length;
    for (const [oldest, { length: freed }] of this.#kept) {
      if (this.#kept.size <= MOST && this.#characters <= MOST_CHARACTERS) return;
      if (freed === 0) continue;
      this.#kept.delete(oldest);
      this.#characters -= freed;
    }
  }
}

const lengthOf = (payload: Payload): number | null => {
  if (payload === null) return 1;
  return 'json' in payload ? payload.json.length + 1 : null;
};

const lengthOfError = (error: unknown): number | null =>
  error instanceof TopologError && !isPassing(error) && !wantsImage(error) ? error.message.length + 1 : null;
