import { blocks, chainOf, KEYS, type Store } from './database.ts';
import type { AnyFact } from './facts.ts';
import type { Fact } from './fact.ts';
import { StoredFact } from './stored-fact.ts';
import { upcast } from './upcasters.ts';

export interface Page {
  /** First position (or version, for a project) wanted; default 1. */
  from?: number;
  /** Default 1000. */
  limit?: number;
}

/** Stored texts of facts in order: of the whole server (null), or of one project's chain. */
export const readTexts = async (
  store: Store,
  projectId: string | null | undefined,
  page: Page = {},
): Promise<string[]> => {
  const from = page.from ?? 1;
  const limit = page.limit ?? 1000;
  const texts: string[] = [];
  if (projectId === undefined) {
    for await (const rows of blocks(store, { gte: KEYS.fact(from), lte: KEYS.factEnd, limit }))
      for (const [, text] of rows) texts.push(text);
    return texts;
  }
  const chain = chainOf(projectId);
  const keys: string[] = [];
  for await (const rows of blocks(store, { gte: KEYS.chain(chain, from), lte: KEYS.chainEnd(chain), limit }))
    for (const [, position] of rows) keys.push(KEYS.fact(Number(position)));
  for (const text of await store.getMany(keys)) if (text !== undefined) texts.push(text);
  return texts;
};

/** Hands every fact, as today's code knows it, over in order; resolves with how many there were. Streams: memory stays bounded. */
export const eachFact = async (store: Store, on: (fact: AnyFact) => void, from = 1): Promise<number> => {
  let facts = 0;
  for await (const rows of blocks(store, { gte: KEYS.fact(from), lte: KEYS.factEnd })) {
    // Parsed one by one, so that none outlives its fold.
    for (const [, text] of rows) on(upcast(new StoredFact(text)));
    facts += rows.length;
  }
  return facts;
};

/** The same, to be iterated over. */
export async function* readFacts(store: Store, from = 1): AsyncGenerator<AnyFact> {
  for await (const rows of blocks(store, { gte: KEYS.fact(from), lte: KEYS.factEnd }))
    for (const [, text] of rows) yield upcast(JSON.parse(text) as Fact);
}

/** Every stored record: `[collection, id, record]`. */
export async function* readRecords(store: Store): AsyncGenerator<[string, string, unknown]> {
  for await (const rows of blocks(store, { gte: KEYS.recordStart, lte: KEYS.recordEnd }))
    for (const [key, text] of rows) {
      const [, collection = '', id = ''] = key.split('/');
      yield [collection, id, JSON.parse(text)];
    }
}
