import { isDeepStrictEqual } from 'node:util';
import { TopologError } from '../../common/errors.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import type { LogEvent } from '../../events/event.ts';
import {
  causesOf,
  history,
  type HistoryPage,
  type HistoryQuery,
  PAGE_SIZE,
  parseMoment,
  positionIn,
} from '../../events/history.ts';
import { lastPosition, lastTimes, lastVersion, readTexts } from '../../events/read.ts';
import type { Store } from '../../events/store/store.ts';
import type { CollectionName, Collections, ProjectRecord, RecordView } from '../records.ts';
import type { Moments } from './moments.ts';

export { type HistoryPage, type HistoryQuery, PAGE_SIZE };

/** Reads the history: events, causes, and records at earlier moments. Moments are positions or ISO times. */
export interface Past {
  history(query: HistoryQuery): Promise<HistoryPage>;
  /** Events that led to an event, nearest first. */
  causes(event: LogEvent): Promise<LogEvent[]>;
  /** Position of a moment. */
  moment(at: string): Promise<number>;
  /** Records of a project at a moment; of every project for null. */
  at(projectId: string | null, moment: string): Promise<RecordView>;
  /** Differences of a project between two moments. */
  diff(projectId: string, from: string, to: string): Promise<ObjectDiff[]>;
  /** ISO times of the last event of each project. */
  lastTimes(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Version and hash of the last event of a project. */
  head(projectId: string): Promise<{ version: number; hash: string }>;
  /** Last position on disk. */
  position(): number;
}

interface Log {
  readonly store: Store;
  status(): { position: number };
}

/** `reached`: waits until the log of this server has reached a position, within a limit of time. */
export const createPast = (log: Log, moments: Moments, reached: (position: number) => Promise<void>): Past => {
  const moment = async (at: string, field = 'at'): Promise<number> => {
    await waitUntilKnown(log, positionIn(at) ?? 0, reached);
    return parseMoment(log.store, log.status().position, at, field);
  };
  const viewAt = async (projectId: string, at: string, field?: string): Promise<RecordView> =>
    moments.at(projectId, await moment(at, field));
  return {
    history: (query) => history(log.store, log.status().position, query),
    moment,
    causes: (event) => causesOf(log.store, event),
    at: async (projectId, at) =>
      projectId === null ? joined(await moments.all(await moment(at))) : viewAt(projectId, at),
    diff: async (projectId, from, to) =>
      inSlices(diff(await viewAt(projectId, from, 'from'), await viewAt(projectId, to, 'to'), projectId)),
    lastTimes: (projectIds) => lastTimes(log.store, projectIds),
    async head(projectId) {
      const version = await lastVersion(log.store, projectId);
      const [text = '{}'] = await readTexts(log.store, projectId, { from: version, limit: 1 });
      const { hash = '' } = JSON.parse(text) as Partial<LogEvent>;
      return { version, hash };
    },
    position: () => log.status().position,
  };
};

/** A standby takes in stored events a moment later. Throws `not_ready` when that takes too long. */
const waitUntilKnown = async (
  log: Log,
  position: number,
  reached: (position: number) => Promise<void>,
): Promise<void> => {
  const isKnown = (): boolean => position <= log.status().position;
  if (isKnown() || position > (await lastPosition(log.store))) return;
  await reached(position);
  if (isKnown()) return;
  const reason = `this server knows the log up to ${log.status().position}, and not position ${position} yet`;
  throw new TopologError('not_ready', { reason, retry_after: 1 });
};

/** Combines views of single projects, with projects in the order of creation. */
const joined = (views: RecordView[]): RecordView => ({
  get: <C extends CollectionName>(collection: C, id: string): Collections[C] | undefined => {
    for (const view of views) {
      const found = view.get(collection, id);
      if (found !== undefined) return found;
    }
    return undefined;
  },
  ofProject: (collection, id) => views.flatMap((view) => view.ofProject(collection, id)),
  count: (collection, id) => views.reduce((sum, view) => sum + view.count(collection, id), 0),
  holders: (console) => views.flatMap((view) => view.holders(console)),
  named: (id, name) => views.flatMap((view) => view.named(id, name)),
  linksOf: (nodeId) => views.flatMap((view) => view.linksOf(nodeId)),
  ofServer: (collection) => views.flatMap((view) => view.ofServer(collection)),
  projects: (): ProjectRecord[] => views.flatMap((view) => view.projects()).sort((a, b) => a.created - b.created),
});

/** Difference of one object between two moments. */
interface ObjectDiff {
  collection: CollectionName;
  id: string;
  /** null: it has no name. */
  name: string | null;
  change: 'added' | 'removed' | 'changed';
  /** For `changed`: each changed field with both values. */
  fields: { field: string; from: unknown; to: unknown }[];
}

/** Fields that hold positions and progress rather than content. */
const IGNORED = new Set(['created', 'changed', 'file_sha256', 'unattended', 'starting', 'asked', 'apply', 'restart']);

type Item = { collection: CollectionName; id: string; record: Readonly<Record<string, unknown>> };

const itemsOf = (view: RecordView, projectId: string): Map<string, Item> => {
  const items: Item[] = [];
  const project = view.get('project', projectId);
  if (project !== undefined) items.push({ collection: 'project', id: projectId, record: asItem(project) });
  for (const r of view.ofProject('node', projectId))
    items.push({ collection: 'node', id: r.node_id, record: asItem(r) });
  for (const r of view.ofProject('link', projectId))
    items.push({ collection: 'link', id: r.link_id, record: asItem(r) });
  for (const r of view.ofProject('drawing', projectId))
    items.push({ collection: 'drawing', id: r.drawing_id, record: asItem(r) });
  for (const r of view.ofProject('snapshot', projectId))
    items.push({ collection: 'snapshot', id: r.snapshot_id, record: asItem(r) });
  return new Map(items.map((item) => [`${item.collection}/${item.id}`, item]));
};

const asItem = (record: object): Item['record'] => record as Item['record'];

const nameOf = ({ record }: Item): string | null => (typeof record['name'] === 'string' ? record['name'] : null);

/** Differences of a project between two moments, object by object. */
export function* diff(before: RecordView, after: RecordView, projectId: string): Steps<ObjectDiff[]> {
  const old = itemsOf(before, projectId);
  yield;
  const now = itemsOf(after, projectId);
  yield;
  const changes: ObjectDiff[] = [];
  for (const [key, item] of old) {
    if (!now.has(key)) changes.push({ ...headOf(item), change: 'removed', fields: [] });
    yield;
  }
  for (const [key, item] of now) {
    const was = old.get(key);
    if (was === undefined) changes.push({ ...headOf(item), change: 'added', fields: [] });
    else if (was.record !== item.record) {
      const fields = changedFields(was.record, item.record);
      if (fields.length > 0) changes.push({ ...headOf(item), change: 'changed', fields });
    }
    yield;
  }
  return changes;
}

const headOf = (item: Item): Pick<ObjectDiff, 'collection' | 'id' | 'name'> => ({
  collection: item.collection,
  id: item.id,
  name: nameOf(item),
});

const changedFields = (was: Item['record'], is: Item['record']): ObjectDiff['fields'] =>
  Object.keys({ ...was, ...is })
    .filter((field) => !IGNORED.has(field) && !isDeepStrictEqual(was[field], is[field]))
    .map((field) => ({ field, from: was[field] ?? null, to: is[field] ?? null }));
