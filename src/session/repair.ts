import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../common/errors.ts';
import { changedAt, sumOp } from '../events/log/batch-ops.ts';
import { levelStore } from '../events/store/level-store.ts';
import { type Head, type LogEvent, SYSTEM } from '../events/event.ts';
import type { AnyDraft, DataOf } from '../events/schemas.ts';
import { syncPath } from '../common/durable.ts';
import { isHeld } from '../events/store/level-files.ts';
import { EventLog } from '../events/log/log.ts';
import { refuseUnfinished } from '../events/log/startup.ts';
import { streamOf, indexOps, KEYS, type Store, type StoreOp } from '../events/store/store.ts';
import type { RecordChange } from '../projections/fold/change.ts';
import { type Salvaged, salvage } from '../projections/recover-log.ts';
import { Records } from '../projections/store.ts';
import { viewLog } from '../events/view-log.ts';
import { checkStore } from './verify/check-store.ts';
import { openSessionKey } from './keys.ts';
import { lostEvent, placesOf } from './verify/lost-events.ts';
import { repairText } from './repair-text.ts';

export interface Repair {
  found: Salvaged;
  /** Where the damaged log is kept; null: only looked. */
  keptAs: string | null;
}

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => null)) !== null;

/**
 * A repair that was ended between its last two steps is finished: the old log is put aside already, the new one is whole. Fine when there
 * is nothing to finish.
 */
export const finishRepair = async (dataDir: string): Promise<void> => {
  const [log, made] = [path.join(dataDir, 'log'), path.join(dataDir, 'log.repaired')];
  if ((await isThere(log)) || !(await isThere(made))) return;
  await rename(made, log);
  await syncPath(dataDir);
};

/** What a repair would find, or null where all is well. No file changes. */
export const lookForRepair = async (dataDir: string): Promise<Salvaged | null> => {
  const view = await viewLog(path.join(dataDir, 'log'));
  try {
    await refuseUnfinished(view.store);
    const { ok } = await checkStore(view.store);
    const found = await salvage(view.store);
    return ok && !view.repaired && found.missing.length === 0 ? null : found;
  } finally {
    await view.close();
  }
};

/**
 * Makes a new log of all events that are whole, each in its place, and puts it where the damaged one was, which is kept. What is lost is
 * listed and signed in the first event that is new. Until the new log is whole and in place, the old one is.
 */
export const repair = async (dataDir: string, now = new Date()): Promise<Repair> => {
  const log = path.join(dataDir, 'log');
  if (await isHeld(log)) throw conflict(`another program uses ${log}`);
  const [making, made] = [path.join(dataDir, 'log.repairing'), path.join(dataDir, 'log.repaired')];
  for (const left of [making, made]) await rm(left, { recursive: true, force: true });
  const keptAs = `log.damaged-${now.toISOString().replace(/[-:.]/g, '')}`;
  const view = await viewLog(log);
  let found: Salvaged;
  try {
    found = await salvage(view.store);
    await copyWhole(view.store, making, found);
  } finally {
    await view.close();
  }
  await sayWhatIsLost({ dataDir, making, keptAs }, found);
  await proveWhole(making);
  await rename(making, made);
  await syncPath(dataDir);
  await rename(log, path.join(dataDir, keptAs));
  await syncPath(dataDir);
  await finishRepair(dataDir);
  return { found, keptAs };
};

/** Positions copied at once. */
const BLOCK = 500;

/** Every event at its position, `event.lost` where there is none, and all that is derived from them. */
const copyWhole = async (from: Store, making: string, found: Salvaged): Promise<void> => {
  const places = placesOf(found);
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

/** As `sealLog` leaves a log in which every value has its checksum. */
const noteOps = (position: number): StoreOp[] => [
  { type: 'put', key: KEYS.checked, value: String(position) },
  { type: 'put', key: KEYS.format, value: '2' },
];

interface Places {
  dataDir: string;
  making: string;
  keptAs: string;
}

/** The first events that are new: what is lost, and the records that the remaining events do not fold to. */
const sayWhatIsLost = async ({ dataDir, making, keptAs }: Places, found: Salvaged): Promise<void> => {
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

type Right = DataOf<'project.repaired'>['records'];

/** By project (null: none): records as they were stored, where the events that are whole fold to something else. */
const corrections = ({ folded, records, lost }: Salvaged): Map<string | null, Right> => {
  const wrong = new Map<string | null, Right>();
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
