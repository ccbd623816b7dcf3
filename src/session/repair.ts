import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { syncPath } from '../common/durable.ts';
import { conflict } from '../common/errors.ts';
import { isThere } from '../common/file.ts';
import { encodeEvent, GENESIS } from '../events/encoding.ts';
import { type Head, type LogEvent, SYSTEM } from '../events/event.ts';
import { changedAt, sumOp } from '../events/log/batch-ops.ts';
import { EventLog } from '../events/log/log.ts';
import { refuseUnfinished } from '../events/log/startup.ts';
import type { AnyDraft, DataOf } from '../events/schemas.ts';
import { isHeld } from '../events/store/level-files.ts';
import { levelStore } from '../events/store/level-store.ts';
import { indexOps, KEYS, type Store, type StoreOp, streamOf } from '../events/store/store.ts';
import { viewLog } from '../events/view-log.ts';
import type { RecordChange } from '../projections/fold/change.ts';
import { type Break, recoverLog, type RecoveredLog } from '../projections/recover-log.ts';
import { Records } from '../projections/store.ts';
import { openSessionKey, repairText } from './keys.ts';
import { checkStore } from './verify/check-store.ts';

export interface Repair {
  found: RecoveredLog;
  /** Name of the directory that keeps the damaged log; null: nothing was changed. */
  keptAs: string | null;
}

/**
 * Finishes a repair that was ended between its last two steps, when the old log is set aside and the new one is whole but not in place.
 * Does nothing where there is none.
 */
export const finishRepair = async (dataDir: string): Promise<void> => {
  const [log, made] = [path.join(dataDir, 'log'), path.join(dataDir, 'log.repaired')];
  if ((await isThere(log)) || !(await isThere(made))) return;
  await rename(made, log);
  await syncPath(dataDir);
};

/** The losses that a repair would find; null: the log is whole. Changes no file. */
export const inspectForRepair = async (dataDir: string): Promise<RecoveredLog | null> => {
  const view = await viewLog(path.join(dataDir, 'log'));
  try {
    await refuseUnfinished(view.store);
    const { ok } = await checkStore(view.store);
    const found = await recoverLog(view.store);
    return ok && !view.repaired && found.missing.length === 0 ? null : found;
  } finally {
    await view.close();
  }
};

/**
 * Makes a new log of all undamaged events, each at its position, and puts it where the damaged one was, which is kept under another
 * name. The first new event lists and signs the losses. The old log stays in place until the new one is whole. Throws `conflict` while
 * another program uses the log.
 */
export const repair = async (dataDir: string, now = new Date()): Promise<Repair> => {
  const log = path.join(dataDir, 'log');
  if (await isHeld(log)) throw conflict(`another program uses ${log}`);
  const [making, made] = [path.join(dataDir, 'log.repairing'), path.join(dataDir, 'log.repaired')];
  for (const left of [making, made]) await rm(left, { recursive: true, force: true });
  const keptAs = `log.damaged-${now.toISOString().replace(/[-:.]/g, '')}`;
  const view = await viewLog(log);
  let found: RecoveredLog;
  try {
    found = await recoverLog(view.store);
    await copyWhole(view.store, making, found);
  } finally {
    await view.close();
  }
  await logLosses({ dataDir, making, keptAs }, found);
  await proveWhole(making);
  await rename(making, made);
  await syncPath(dataDir);
  await rename(log, path.join(dataDir, keptAs));
  await syncPath(dataDir);
  await finishRepair(dataDir);
  return { found, keptAs };
};

/** Positions copied in one batch. */
const BLOCK = 500;

/** Copies every event to its position, puts `event.lost` where there is none, and derives heads, indexes and records. */
const copyWhole = async (from: Store, making: string, found: RecoveredLog): Promise<void> => {
  const places = lostVersionsOf(found);
  const to = await levelStore(making)();
  try {
    const heads = new Map<string, Head>();
    let at = new Date(0).toISOString();
    for (let first = 1; first <= found.position; first += BLOCK) {
      const ops: StoreOp[] = [];
      for (let position = first; position < first + BLOCK && position <= found.position; position++) {
        const place = places.get(position);
        const prev = heads.get(streamOf(place?.project_id ?? null))?.hash;
        const { text, event } =
          place === undefined ? await eventAt(from, position) : lostEvent(position, place, prev, at);
        at = event.at;
        heads.set(streamOf(event.project_id), { version: event.version, position, hash: event.hash });
        ops.push({ type: 'put', key: KEYS.event(position), value: text }, ...indexOps(event));
      }
      await to.batch(ops, { sync: true });
    }
    await to.batch([...headOps(heads), ...recordOps(found.folded), ...noteOps(found.position)], { sync: true });
  } finally {
    await to.close();
  }
};

const eventAt = async (store: Store, position: number): Promise<{ text: string; event: LogEvent }> => {
  const text = (await store.get(KEYS.event(position))) ?? '';
  return { text, event: JSON.parse(text) as LogEvent };
};

const headOps = (heads: ReadonlyMap<string, Head>): StoreOp[] =>
  [...heads].map(([stream, head]) => ({ type: 'put', key: KEYS.head(stream), value: JSON.stringify(head) }));

const recordOps = (records: Records): StoreOp[] => {
  const sum = { records: 0, changed: 0 };
  const ops: StoreOp[] = [];
  for (const [collection, id, record] of records.all()) {
    sum.records++;
    sum.changed += changedAt(record);
    ops.push({ type: 'put', key: KEYS.record(collection, id), value: JSON.stringify(record) });
  }
  return [...ops, sumOp(sum)];
};

/** The notes by which `sealLog` marks a log in which every value has its checksum. */
const noteOps = (position: number): StoreOp[] => [
  { type: 'put', key: KEYS.checked, value: String(position) },
  { type: 'put', key: KEYS.format, value: '2' },
];

interface RepairPaths {
  dataDir: string;
  making: string;
  keptAs: string;
}

/** Appends the first new events: the signed list of losses, and the records that the remaining events do not fold to. */
const logLosses = async ({ dataDir, making, keptAs }: RepairPaths, found: RecoveredLog): Promise<void> => {
  const key = await openSessionKey(dataDir);
  const records = new Records();
  records.restore(
    [...found.folded.all()].map(([collection, id, record]) => ({ collection, id, record }) as RecordChange),
  );
  const log = await EventLog.open(levelStore(making), records);
  try {
    const wrong = corrections(found);
    const said = { lost: found.missing, records_lost: found.lost, events: found.whole, kept_as: keptAs };
    const signed = { ...said, public_key: key.publicKey, signature: key.sign(repairText(said)) };
    const own = wrong.get(null) ?? [];
    wrong.delete(null);
    const drafts = [...wrong].map(([project_id, right]) =>
      draftOf(project_id, 'project.repaired', { project_id: project_id ?? '', records: right }),
    );
    await log.append([draftOf(null, 'log.repaired', { ...signed, records: own }), ...drafts], { causal: true });
  } finally {
    await log.close();
  }
};

const draftOf = <T extends 'log.repaired' | 'project.repaired'>(project_id: string | null, type: T, data: DataOf<T>) =>
  ({ project_id, type, data, by: SYSTEM, request_id: null, cause: null }) as unknown as AnyDraft;

type Corrections = DataOf<'project.repaired'>['records'];

/** Stored records that the undamaged events do not fold to, by project (null: of no project). */
const corrections = ({ folded, records, lost }: RecoveredLog): Map<string | null, Corrections> => {
  const wrong = new Map<string | null, Corrections>();
  const add = (collection: string, id: string, record: unknown, of: unknown): void => {
    const project = (of as { project_id?: string }).project_id ?? null;
    wrong.set(project, [...(wrong.get(project) ?? []), { collection, id, record }]);
  };
  const keyOf = (collection: string, id: string): string => `${collection} ${id}`;
  const known = new Map([...folded.all()].map(([collection, id, record]) => [keyOf(collection, id), record]));
  const kept = new Set(lost.map(({ collection, id }) => keyOf(collection, id)));
  for (const [collection, id, record] of records.all()) {
    kept.add(keyOf(collection, id));
    if (!isDeepStrictEqual(plain(known.get(keyOf(collection, id)) ?? null), plain(record)))
      add(collection, id, record, record);
  }
  for (const [collection, id, record] of folded.all())
    if (!kept.has(keyOf(collection, id))) add(collection, id, null, record);
  return wrong;
};

const plain = (record: unknown): unknown => JSON.parse(JSON.stringify(record));

const proveWhole = async (directory: string): Promise<void> => {
  const view = await viewLog(directory);
  try {
    const { problem } = await checkStore(view.store);
    if (problem !== null)
      throw new Error(
        `the new log is not whole, and the old one is where it was: ${problem.where}: ${problem.message}`,
      );
  } finally {
    await view.close();
  }
};

/** Stream of lost events that cannot be assigned to any stream. */
const UNKNOWN_STREAM = '00000000-0000-0000-0000-000000000000';

/** Stream and version of a lost event. */
interface LostVersion {
  project_id: string | null;
  version: number;
}

/**
 * Assigns every missing position the stream and version that it had. Each stream misses its versions between two known positions, so the
 * gap that closes first is filled first. Throws `conflict` where a stream breaks and nothing is missing: then the log was changed by
 * somebody, and no program can tell what is right.
 */
const lostVersionsOf = ({ missing, breaks }: Pick<RecoveredLog, 'missing' | 'breaks'>): Map<number, LostVersion> => {
  for (const { project_id, version, next_version, before } of breaks)
    if (next_version <= version + 1)
      throw conflict(
        `position ${before} does not follow version ${version} of stream ${streamOf(project_id)}, and nothing is missing: the log was changed, not damaged`,
      );
  const left = breaks.map((one) => ({ ...one, next: one.version + 1 })).sort((a, b) => a.before - b.before);
  const places = new Map<number, LostVersion>();
  let unassigned = 0;
  for (const { first, last } of missing)
    for (let position = first; position <= last; position++) {
      const one = left.find((gap) => isOpen(gap, position));
      if (one === undefined) places.set(position, { project_id: UNKNOWN_STREAM, version: ++unassigned });
      else places.set(position, { project_id: one.project_id, version: one.next++ });
    }
  return places;
};

const isOpen = (gap: Break & { next: number }, position: number): boolean =>
  gap.after < position && position < gap.before && gap.next < gap.next_version;

/** The event that stands in the new log for a lost one. */
const lostEvent = (position: number, { project_id, version }: LostVersion, prev = GENESIS, at: string) => {
  const { principal, address, agent } = SYSTEM;
  const event: LogEvent = {
    position,
    project_id,
    version,
    type: 'event.lost',
    v: 1,
    at,
    by: { principal, address, agent },
    request_id: null,
    cause: null,
    data: {},
    prev,
    hash: '',
  };
  const { hash, text } = encodeEvent(event);
  return { text, event: { ...event, hash } };
};
