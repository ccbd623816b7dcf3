import { conflict } from '../../common/errors.ts';
import { VERSION } from '../../common/package.ts';
import { GENESIS } from '../encoding.ts';
import type { Head, LogEvent } from '../event.ts';
import { eventAt, eventTexts, lastPosition, startsAndStops } from '../read.ts';
import { EVENTS, isEventType } from '../schemas.ts';
import { damaged } from '../store/checked-store.ts';
import { type Damage, DamagedLog, placeOf } from '../store/damage.ts';
import { sealLog } from '../store/seal-log.ts';
import { cutOps, entries, KEYS, type Sighting, type Store, type StoreOp, streamOf } from '../store/store.ts';
import type { RecordSum } from './batch-ops.ts';

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

/** End of a log. */
interface InspectedEnd {
  heads: Map<string, Head>;
  /** Last stored position, and last position of a complete batch. */
  last: number;
  whole: number;
  /** Position up to which earlier starts have checked the log. */
  checked: number;
}

/** Throws a conflict for an unfinished copy of a log, which would pass for a shorter log. */
export const refuseUnfinished = async (store: Store): Promise<void> => {
  if ((await store.get(KEYS.copying)) === undefined) return;
  throw conflict('the log is an unfinished copy of another one: topolog copy-log with the same places goes on with it');
};

/**
 * Inspects the end of a log and all events since the last check. Throws `DamagedLog` with the position of what does
 * not fit; events beyond every head belong to an incomplete batch and are no damage. Throws a conflict for events of
 * a newer Topolog, unless `takesNewer`, for copying octet by octet. Changes nothing.
 */
export const inspect = async (store: Store, { takesNewer = false } = {}): Promise<InspectedEnd> => {
  const heads = await readHeads(store);
  const last = await lastPosition(store);
  const whole = Math.max(0, ...[...heads.values()].map((h) => h.position));
  const broken = (position: number, message: string): DamagedLog =>
    damaged(store, { ...placeOf(KEYS.event(position)), message });
  const lost = (known: number): DamagedLog =>
    broken(
      Math.min(last, whole) + 1,
      `the log ends at position ${Math.min(last, whole)}, but position ${known} was written: events are missing`,
    );
  if (whole > last) throw lost(whole);
  const seen = store.witness?.seen ?? null;
  const checked = Number((await store.get(KEYS.checked)) ?? 0);
  const known = Math.max(checked, seen?.position ?? 0);
  if (known > whole) throw lost(known);
  // Versions count from 1 in each stream, positions over all of them.
  const versions = [...heads.values()].reduce((sum, { version }) => sum + version, 0);
  if (versions !== whole)
    throw broken(whole, `the streams have ${versions} events up to here: the end of one is missing`);
  const newer = new NewerEvents();
  const problem = await firstProblem(store, checked, whole, (event) => newer.see(event));
  if (problem !== null) throw broken(problem.position, problem.message);
  if (seen !== null && seen.position > 0 && (await eventAt(store, seen.position)).hash !== seen.hash)
    throw broken(seen.position, 'it is not the event that was written there');
  if (!takesNewer) await newer.refuse(store, checked);
  return { heads, last, whole, checked };
};

/**
 * Makes the end of a log ready for writing: cuts and reports incomplete batches, and notes how far the log is
 * checked.
 */
const recoverTail = async (store: Store, report: (problem: Problem) => void): Promise<InspectedEnd> => {
  await refuseUnfinished(store);
  const end = await inspect(store);
  const { last, whole, checked } = end;
  if (last > whole) await cut(store, whole, last, report);
  if (store.cut != null) report({ position: whole + 1, message: store.cut });
  if (whole > checked) await store.batch([{ type: 'put', key: KEYS.checked, value: String(whole) }], { sync: true });
  return end;
};

const cut = async (store: Store, whole: number, last: number, report: (problem: Problem) => void): Promise<void> => {
  const ops: StoreOp[] = [];
  // Damaged entries of an incomplete batch were never answered either.
  const range = {
    gt: KEYS.event(whole),
    lte: KEYS.eventEnd,
    damaged: ({ key }: Damage) => ops.push({ type: 'del', key }),
  };
  for await (const [, text] of entries(store, range)) ops.push(...cutOps(JSON.parse(text) as LogEvent));
  await store.batch(ops, { sync: true });
  report({
    position: whole + 1,
    message: `events ${whole + 1} to ${last} were never completely written and have been cut`,
  });
};

/**
 * Whether an event continues its stream. An event that replaces a lost one has another hash than the original had.
 */
export const follows = (event: LogEvent, last: { version: number; hash: string; type: string }): boolean =>
  event.version === last.version + 1 && (event.prev === last.hash || last.type === 'event.lost');

/**
 * Checks events after `from` up to `to`: positions contiguous, content as hashed, each stream linked and its versions
 * contiguous. The first event of each stream is trusted, unless `from` is 0. Null when all is well.
 */
export const firstProblem = async (
  store: Store,
  from: number,
  to: number,
  see: (event: LogEvent) => void = () => undefined,
): Promise<Problem | null> => {
  const streams = new Map<string, { version: number; hash: string; type: string }>();
  try {
    for await (const texts of eventTexts(store, from + 1, to))
      for (const text of texts) {
        const event = JSON.parse(text) as LogEvent;
        const stream =
          streams.get(streamOf(event.project_id)) ?? (from === 0 ? { version: 0, hash: GENESIS, type: '' } : null);
        if (stream !== null && !follows(event, stream))
          return { position: event.position, message: `it does not follow version ${stream.version} of its stream` };
        streams.set(streamOf(event.project_id), { version: event.version, hash: event.hash, type: event.type });
        see(event);
      }
    return null;
  } catch (error) {
    if (!(error instanceof DamagedLog) || error.damage.position === null) throw error;
    return { position: error.damage.position, message: error.damage.message };
  }
};

/** End of an opened log. */
export interface LogEnd {
  heads: Map<string, Head>;
  /** Last position. */
  whole: number;
  /** Time of the last event, or 0: the next event is not earlier. */
  lastAt: number;
  sum: RecordSum;
}

/** Checks the end of a log, adds checksums that it lacks, and returns its end. Throws `DamagedLog`. */
export const findEnd = async (store: Store, report: (problem: Problem) => void): Promise<LogEnd> => {
  const { heads, whole } = await recoverTail(store, report);
  const wasSealed = (await store.get(KEYS.format)) !== undefined;
  await sealLog(store);
  const { seen = null, problem = null } = store.witness ?? {};
  if (problem !== null) report({ position: whole, message: `${problem}; it is written again` });
  else if (store.witness !== undefined && seen === null && wasSealed)
    report({ position: whole, message: 'the note of where the log ends is missing; it is written again' });
  await store.witness?.begin(endOf(whole, heads));
  const lastAt = whole === 0 ? 0 : Date.parse((await eventAt(store, whole)).at);
  const sum = await store.get(KEYS.recordSum);
  if (sum === undefined)
    throw damaged(store, { ...placeOf(KEYS.recordSum), where: 'the records', message: 'their number is missing' });
  return { heads, whole, lastAt, sum: JSON.parse(sum) as RecordSum };
};

/** End of a log that another server writes; changes nothing. Throws `DamagedLog`. */
export const findFollowedEnd = async (store: Store): Promise<LogEnd> => {
  await refuseUnfinished(store);
  const { heads, whole } = await inspect(store);
  return { heads, whole, lastAt: 0, sum: { records: 0, changed: 0 } };
};

export const endOf = (position: number, heads: ReadonlyMap<string, Head>): Sighting => {
  for (const head of heads.values()) if (head.position === position) return { position, hash: head.hash };
  return { position: 0, hash: GENESIS };
};

type Seen = Pick<LogEvent, 'position' | 'type' | 'v' | 'data'>;

/**
 * Detects events of a newer Topolog, which this one would take for damage or overlook. Gets the events since the last
 * check; earlier events are read only where the last start was of a newer version.
 */
class NewerEvents {
  #writer: string | null = null;
  #unknown: Seen | null = null;

  see(event: Seen): void {
    if (event.type === 'server.started') this.#writer = versionIn(event.data) ?? this.#writer;
    if (this.#unknown === null && !isKnown(event)) this.#unknown = event;
  }

  /** Throws a conflict that names the required version. `checked`: position before the first event that was seen. */
  async refuse(store: Store, checked: number): Promise<void> {
    for await (const { data } of startsAndStops(store)) {
      this.#writer ??= versionIn(data);
      if (this.#writer !== null) break;
    }
    if (this.#unknown === null && this.#writer !== null && isNewer(this.#writer, VERSION))
      for await (const texts of eventTexts(store, 1, checked))
        for (const text of texts) this.see(JSON.parse(text) as LogEvent);
    if (this.#unknown === null) return;
    const { position, type, v } = this.#unknown;
    const [by, take] =
      this.#writer === null ? ['a newer Topolog', 'that one'] : [`Topolog ${this.#writer}`, `${this.#writer} or newer`];
    throw conflict(
      `the log was written by ${by}; this is ${VERSION}, which does not know event ${position} (${type}, version ${v}). Nothing was changed. Start ${take} again, or restore the backup from before the upgrade`,
    );
  }
}

const isKnown = ({ type, v }: Seen): boolean => isEventType(type) && v <= EVENTS[type].v;

const versionIn = (data: unknown): string | null => {
  const { version } = (data ?? {}) as { version?: unknown };
  return typeof version === 'string' ? version : null;
};

/** Compares versions (Semantic Versioning 2.0.0); a build between releases counts as the release before. */
const isNewer = (version: string, than: string): boolean => {
  const numbers = (text: string): number[] => text.split(/[-+]/, 1)[0]?.split('.').map(Number) ?? [];
  const own = numbers(than);
  for (const [index, number] of numbers(version).entries())
    if (number !== (own[index] ?? 0)) return number > (own[index] ?? 0);
  return false;
};
