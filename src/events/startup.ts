import type { RecordSum } from './batch-ops.ts';
import { damaged } from './store/checked-store.ts';
import { type Damage, DamagedLog, placeOf } from './store/damage.ts';
import { GENESIS } from './encoding.ts';
import type { Fact } from './fact.ts';
import { factAt, factTexts, lastPosition } from './read.ts';
import { sealLog } from './store/seal-log.ts';
import { chainOf, cutOps, entries, KEYS, type Sighting, type Store, type StoreOp } from './store/store.ts';

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

const readHeads = async (store: Store): Promise<Map<string, Head>> => {
  const heads = new Map<string, Head>();
  for await (const [key, text] of entries(store, { gte: KEYS.headStart, lte: KEYS.headEnd }))
    heads.set(key.slice(KEYS.headStart.length), JSON.parse(text) as Head);
  return heads;
};

/** Where a log ends. */
interface End {
  heads: Map<string, Head>;
  /** Of all that is stored, and of all that was completely written. */
  last: number;
  whole: number;
  /** Up to here it has been checked before. */
  checked: number;
}

/**
 * Reads how a log ends, and all facts since the last check. Whatever does not fit throws `DamagedLog`, with its position; facts beyond
 * every head were never part of a whole batch and are no damage. Changes nothing.
 */
export const inspect = async (store: Store): Promise<End> => {
  const heads = await readHeads(store);
  const last = await lastPosition(store);
  const whole = Math.max(0, ...[...heads.values()].map((h) => h.position));
  const broken = (position: number, message: string): DamagedLog =>
    damaged(store, { ...placeOf(KEYS.fact(position)), message });
  const lost = (known: number): DamagedLog =>
    broken(
      Math.min(last, whole) + 1,
      `the log ends at position ${Math.min(last, whole)}, but position ${known} was written: facts are missing`,
    );
  if (whole > last) throw lost(whole);
  const seen = store.witness?.seen ?? null;
  const checked = Number((await store.get(KEYS.checked)) ?? 0);
  const known = Math.max(checked, seen?.position ?? 0);
  if (known > whole) throw lost(known);
  // Versions count from 1 in each chain, positions over all of them.
  const versions = [...heads.values()].reduce((sum, { version }) => sum + version, 0);
  if (versions !== whole)
    throw broken(whole, `the chains have ${versions} facts up to here: the end of one is missing`);
  const problem = await firstProblem(store, checked, whole);
  if (problem !== null) throw broken(problem.position, problem.message);
  if (seen !== null && seen.position > 0 && (await factAt(store, seen.position)).hash !== seen.hash)
    throw broken(seen.position, 'it is not the fact that was written there');
  return { heads, last, whole, checked };
};

/** Makes the end of a log ready to be written on: what was never part of a whole batch is cut and reported, and how far it is whole is noted. */
const recoverTail = async (store: Store, report: (problem: Problem) => void): Promise<End> => {
  const end = await inspect(store);
  const { last, whole, checked } = end;
  if (last > whole) await cut(store, whole, last, report);
  if (store.cut != null) report({ position: whole + 1, message: store.cut });
  if (whole > checked) await store.batch([{ type: 'put', key: KEYS.checked, value: String(whole) }], { sync: true });
  return end;
};

const cut = async (store: Store, whole: number, last: number, report: (problem: Problem) => void): Promise<void> => {
  const ops: StoreOp[] = [];
  // What is damaged there was answered to nobody either.
  const range = {
    gt: KEYS.fact(whole),
    lte: KEYS.factEnd,
    damaged: ({ key }: Damage) => ops.push({ type: 'del', key }),
  };
  for await (const [, text] of entries(store, range)) ops.push(...cutOps(JSON.parse(text) as Fact));
  await store.batch(ops, { sync: true });
  report({
    position: whole + 1,
    message: `facts ${whole + 1} to ${last} were never completely written and have been cut`,
  });
};

/** Whether a fact goes on with a chain. What stands for a lost one has another hash than that had. */
export const follows = (fact: Fact, last: { version: number; hash: string; type: string }): boolean =>
  fact.version === last.version + 1 && (fact.prev === last.hash || last.type === 'event.lost');

/**
 * Walks facts after `from` up to `to`: positions contiguous, content as hashed, every chain linked and its versions
 * contiguous. Chains are entered where they stand: with `from` 0 from their beginning. Null when all is well.
 */
export const firstProblem = async (store: Store, from: number, to: number): Promise<Problem | null> => {
  const chains = new Map<string, { version: number; hash: string; type: string }>();
  try {
    for await (const texts of factTexts(store, from + 1, to))
      for (const text of texts) {
        const fact = JSON.parse(text) as Fact;
        const chain =
          chains.get(chainOf(fact.project_id)) ?? (from === 0 ? { version: 0, hash: GENESIS, type: '' } : null);
        if (chain !== null && !follows(fact, chain))
          return { position: fact.position, message: `it does not follow version ${chain.version} of its chain` };
        chains.set(chainOf(fact.project_id), { version: fact.version, hash: fact.hash, type: fact.type });
      }
    return null;
  } catch (error) {
    if (!(error instanceof DamagedLog) || error.damage.position === null) throw error;
    return { position: error.damage.position, message: error.damage.message };
  }
};

/** What is known of a log that has been opened. */
export interface Found {
  heads: Map<string, Head>;
  /** Last position. */
  whole: number;
  /** Time of the last fact, or of the beginning of all: the next one is not earlier. */
  lastAt: number;
  sum: RecordSum;
}

/** Checks the end of a log, gives it what it lacks, and says where the next fact goes. Throws `DamagedLog`. */
export const findEnd = async (store: Store, report: (problem: Problem) => void): Promise<Found> => {
  const { heads, whole } = await recoverTail(store, report);
  const wasSealed = (await store.get(KEYS.format)) !== undefined;
  await sealLog(store);
  const { seen = null, problem = null } = store.witness ?? {};
  if (problem !== null) report({ position: whole, message: `${problem}; it is written again` });
  else if (store.witness !== undefined && seen === null && wasSealed)
    report({ position: whole, message: 'the note of where the log ends is missing; it is written again' });
  await store.witness?.begin(endOf(whole, heads));
  const lastAt = whole === 0 ? 0 : Date.parse((await factAt(store, whole)).at);
  const sum = await store.get(KEYS.recordSum);
  if (sum === undefined)
    throw damaged(store, { ...placeOf(KEYS.recordSum), where: 'the records', message: 'their number is missing' });
  return { heads, whole, lastAt, sum: JSON.parse(sum) as RecordSum };
};

export const endOf = (position: number, heads: ReadonlyMap<string, Head>): Sighting => {
  for (const head of heads.values()) if (head.position === position) return { position, hash: head.hash };
  return { position: 0, hash: GENESIS };
};
