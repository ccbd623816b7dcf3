import { blocks, chainOf, cutOps, entries, KEYS, positionOf, type Store, type StoreOp } from './database.ts';
import { decodeFact, fitsHash, GENESIS } from './encoding.ts';
import type { Fact } from './fact.ts';

/** Last fact of a chain. */
export interface Head {
  version: number;
  position: number;
  hash: string;
}

export interface Problem {
  position: number;
  message: string;
}

export const readHeads = async (store: Store): Promise<Map<string, Head>> => {
  const heads = new Map<string, Head>();
  for await (const [key, text] of entries(store, { gte: KEYS.headStart, lte: KEYS.headEnd }))
    heads.set(key.slice(KEYS.headStart.length), JSON.parse(text) as Head);
  return heads;
};

/** Position of the last stored fact, 0 in an empty log. */
export const lastPosition = async (store: Store): Promise<number> => {
  for await (const [key] of entries(store, { gte: KEYS.fact(0), lte: KEYS.factEnd, reverse: true, limit: 1 }, 1))
    return positionOf(key);
  return 0;
};

/**
 * Checks the facts since the last check and returns the last position. Facts beyond every head were never part of a whole
 * batch: they are cut and reported. Anything else that does not fit throws, with its position.
 */
export const recoverTail = async (store: Store, report: (problem: Problem) => void): Promise<number> => {
  const heads = await readHeads(store);
  const last = await lastPosition(store);
  const whole = Math.max(0, ...[...heads.values()].map((h) => h.position));
  if (whole > last)
    throw new Error(`the log ends at position ${last}, but position ${whole} was written: facts are missing`);
  if (last > whole) await cut(store, whole, last, report);
  const checked = Math.min(Number((await store.get(KEYS.checked)) ?? 0), whole);
  const problem = await firstProblem(store, checked, whole);
  if (problem !== null) throw new Error(`the log is damaged at position ${problem.position}: ${problem.message}`);
  if (whole > checked) await store.batch([{ type: 'put', key: KEYS.checked, value: String(whole) }], { sync: true });
  return whole;
};

/** The same without changing anything: throws what `recoverTail` would throw. */
export const checkTail = async (store: Store): Promise<void> => {
  const whole = Math.max(0, ...[...(await readHeads(store)).values()].map((h) => h.position));
  const last = await lastPosition(store);
  if (whole > last)
    throw new Error(`the log ends at position ${last}, but position ${whole} was written: facts are missing`);
  const checked = Math.min(Number((await store.get(KEYS.checked)) ?? 0), whole);
  const problem = await firstProblem(store, checked, whole);
  if (problem !== null) throw new Error(`the log is damaged at position ${problem.position}: ${problem.message}`);
};

const cut = async (store: Store, whole: number, last: number, report: (problem: Problem) => void): Promise<void> => {
  const ops: StoreOp[] = [];
  for await (const [key, text] of entries(store, { gt: KEYS.fact(whole), lte: KEYS.factEnd })) {
    const fact = decodeFact(text);
    ops.push(...(fact === null ? [{ type: 'del', key } as const] : cutOps(fact)));
  }
  await store.batch(ops, { sync: true });
  report({
    position: whole + 1,
    message: `facts ${whole + 1} to ${last} were never completely written and have been cut`,
  });
};

/**
 * Walks facts after `from` up to `to`: positions contiguous, content as hashed, every chain linked and its versions
 * contiguous. Chains are entered where they stand: with `from` 0 from their beginning. Null when all is well.
 */
export const firstProblem = async (store: Store, from: number, to: number): Promise<Problem | null> => {
  const chains = new Map<string, { version: number; hash: string }>();
  let expected = from + 1;
  for await (const rows of blocks(store, { gt: KEYS.fact(from), lte: KEYS.fact(to) }))
    for (const [key, text] of rows) {
      const position = positionOf(key);
      if (position !== expected)
        return { position: expected, message: `the fact is missing; the next one is ${position}` };
      const fact = fitsHash(text) ? (JSON.parse(text) as Fact) : null;
      if (fact === null || fact.position !== position)
        return { position, message: 'the stored content does not fit its hash' };
      const chain = chains.get(chainOf(fact.project_id)) ?? (from === 0 ? { version: 0, hash: GENESIS } : null);
      if (chain !== null && (fact.prev !== chain.hash || fact.version !== chain.version + 1))
        return { position, message: `it does not follow version ${chain.version} of its chain` };
      chains.set(chainOf(fact.project_id), { version: fact.version, hash: fact.hash });
      expected++;
    }
  if (expected !== to + 1) return { position: expected, message: 'the fact is missing' };
  return null;
};
