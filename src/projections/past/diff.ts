import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../../common/slices.ts';
import type { CollectionName, RecordView } from '../records.ts';

/** What one object became between two moments. */
export interface ObjectDiff {
  collection: CollectionName;
  id: string;
  /** Name where it has one. */
  name: string | null;
  change: 'added' | 'removed' | 'changed';
  /** For `changed`: each field with its two values. */
  fields: { field: string; from: unknown; to: unknown }[];
}

/** Positions of events are not what anybody means by a change. */
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

/** What changed in a project from one moment to another, object by object. */
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
