import { indexOps, KEYS, type Store } from '../../events/store/store.ts';
import type { LogEvent } from '../../events/event.ts';
import type { CheckOptions, Findings, Rows } from './findings.ts';

/** An index entry that is wrong or missing. */
interface Entry {
  key: string;
  position: number | null;
}

/** Index entries of these events that are missing or have another value. */
export const missingEntries = async (store: Store, events: readonly LogEvent[]): Promise<Entry[]> => {
  const wanted = events.flatMap((event) => indexOps(event).map((op) => ({ ...op, position: event.position })));
  const stored = await readable(
    store,
    wanted.map(({ key }) => key),
  );
  return wanted.filter((op, i) => op.type === 'put' && stored[i] !== op.value);
};

/** Values by key; an unreadable one counts as missing. */
const readable = async (store: Store, keys: string[]): Promise<(string | undefined)[]> => {
  try {
    return await store.getMany(keys);
  } catch {
    return Promise.all(keys.map((key) => store.get(key).catch(() => undefined)));
  }
};

/** Position of the entry's event: the value of a stream entry (`p/`), the end of the key of an object entry (`o/`). */
const positionIn = ([key, value]: [string, string]): number | null => {
  const text = key.startsWith('p/') ? value : key.slice(key.lastIndexOf('/') + 1);
  return /^\d+$/.test(text) ? Number(text) : null;
};

/** Finds entries that no event accounts for. */
export class IndexCheck {
  readonly #store: Store;
  readonly #findings: Findings;
  readonly #of: number;
  readonly #options: CheckOptions;
  #done = 0;

  /** `of`: the expected number of entries, for progress. */
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

/** Entries that no event accounts for, and the number of the others. With `stream`, entries of other streams are skipped. */
const wrongEntries = async (
  store: Store,
  entries: readonly [string, string][],
  stream: string | null,
): Promise<{ wrong: Entry[]; right: number }> => {
  const positions = entries.map(positionIn);
  const texts = await readable(
    store,
    positions.map((position) => KEYS.event(position ?? 0)),
  );
  const wrong: Entry[] = [];
  let right = 0;
  for (const [i, [key, value]] of entries.entries()) {
    const position = positions[i] ?? null;
    const event = eventOf(texts[i]);
    // Events of other streams were not walked.
    if (stream !== null && (event === null || event.project_id !== stream) && key.startsWith('o/')) continue;
    const accounted =
      event !== null && indexOps(event).some((op) => op.key === key && op.type === 'put' && op.value === value);
    if (accounted) right++;
    else wrong.push({ key, position });
  }
  return { wrong, right };
};

const eventOf = (text: string | undefined): LogEvent | null => {
  try {
    return text === undefined ? null : (JSON.parse(text) as LogEvent);
  } catch {
    return null;
  }
};
