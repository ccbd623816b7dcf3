import { indexOps, KEYS, type Store } from '../../events/store/store.ts';
import type { LogEvent } from '../../events/event.ts';

/** An entry of an index that does not fit. */
interface Entry {
  key: string;
  position: number | null;
}

/** Entries that events ought to have and have not. */
export const missingEntries = async (store: Store, events: readonly LogEvent[]): Promise<Entry[]> => {
  const wanted = events.flatMap((event) => indexOps(event).map((op) => ({ ...op, position: event.position })));
  const stored = await readable(
    store,
    wanted.map(({ key }) => key),
  );
  return wanted.filter((op, i) => op.type === 'put' && stored[i] !== op.value);
};

/** What cannot be read counts as not there. */
const readable = async (store: Store, keys: string[]): Promise<(string | undefined)[]> => {
  try {
    return await store.getMany(keys);
  } catch {
    return Promise.all(keys.map((key) => store.get(key).catch(() => undefined)));
  }
};

/** Entries of a stream (`p/`) have the position as their value, those of objects (`o/`) at the end of their key. */
const positionIn = ([key, value]: [string, string]): number | null => {
  const text = key.startsWith('p/') ? value : key.slice(key.lastIndexOf('/') + 1);
  return /^\d+$/.test(text) ? Number(text) : null;
};

/** Entries that are of no event, and how many are of one; with `stream`, entries of other streams' events are none of our business. */
export const wrongEntries = async (
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
    // With a single stream, the others' events have not been walked and are not judged.
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
