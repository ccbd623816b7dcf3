import { indexOps, KEYS, type Store } from '../../events/store/database.ts';
import type { Fact } from '../../events/fact.ts';

/** An entry of an index that does not fit. */
interface Entry {
  key: string;
  position: number | null;
}

/** Entries that facts ought to have and have not. */
export const missingEntries = async (store: Store, facts: readonly Fact[]): Promise<Entry[]> => {
  const wanted = facts.flatMap((fact) => indexOps(fact).map((op) => ({ ...op, position: fact.position })));
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

/** Entries of a chain (`p/`) have the position as their value, those of objects (`o/`) at the end of their key. */
const positionIn = ([key, value]: [string, string]): number | null => {
  const text = key.startsWith('p/') ? value : key.slice(key.lastIndexOf('/') + 1);
  return /^\d+$/.test(text) ? Number(text) : null;
};

/** Entries that are of no fact; with `chain`, entries of other chains' facts are none of our business. */
export const wrongEntries = async (
  store: Store,
  entries: readonly [string, string][],
  chain: string | null,
): Promise<Entry[]> => {
  const positions = entries.map(positionIn);
  const texts = await readable(
    store,
    positions.map((position) => KEYS.fact(position ?? 0)),
  );
  const wrong: Entry[] = [];
  for (const [i, [key, value]] of entries.entries()) {
    const position = positions[i] ?? null;
    const fact = factOf(texts[i]);
    // With a single chain, the others' facts have not been walked and are not judged.
    if (chain !== null && (fact === null || fact.project_id !== chain) && key.startsWith('o/')) continue;
    const accounted =
      fact !== null && indexOps(fact).some((op) => op.key === key && op.type === 'put' && op.value === value);
    if (!accounted) wrong.push({ key, position });
  }
  return wrong;
};

const factOf = (text: string | undefined): Fact | null => {
  try {
    return text === undefined ? null : (JSON.parse(text) as Fact);
  } catch {
    return null;
  }
};
