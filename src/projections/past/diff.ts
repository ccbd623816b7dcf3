import { isDeepStrictEqual } from 'node:util';
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

type Item = { collection: CollectionName; id: string; record: Record<string, unknown> };

const itemsOf = (view: RecordView, projectId: string): Map<string, Item> => {
  const items: Item[] = [];
  const project = view.get('project', projectId);
  if (project !== undefined) items.push({ collection: 'project', id: projectId, record: { ...project } });
  for (const r of view.ofProject('node', projectId))
    items.push({ collection: 'node', id: r.node_id, record: { ...r } });
  for (const r of view.ofProject('link', projectId))
    items.push({ collection: 'link', id: r.link_id, record: { ...r } });
  for (const r of view.ofProject('drawing', projectId))
    items.push({ collection: 'drawing', id: r.drawing_id, record: { ...r } });
  for (const r of view.ofProject('snapshot', projectId))
    items.push({ collection: 'snapshot', id: r.snapshot_id, record: { ...r } });
  return new Map(items.map((item) => [`${item.collection}/${item.id}`, item]));
};

const nameOf = ({ record }: Item): string | null => (typeof record['name'] === 'string' ? record['name'] : null);

/** What changed in a project from one moment to another, object by object. */
export const diff = (before: RecordView, after: RecordView, projectId: string): ObjectDiff[] => {
  const old = itemsOf(before, projectId);
  const now = itemsOf(after, projectId);
  const changes: ObjectDiff[] = [];
  for (const [key, item] of old)
    if (!now.has(key))
      changes.push({ collection: item.collection, id: item.id, name: nameOf(item), change: 'removed', fields: [] });
  for (const [key, item] of now) {
    const was = old.get(key);
    const head = { collection: item.collection, id: item.id, name: nameOf(item) };
    if (was === undefined) changes.push({ ...head, change: 'added', fields: [] });
    else {
      const fields = Object.keys({ ...was.record, ...item.record })
        .filter((f) => !IGNORED.has(f) && !isDeepStrictEqual(was.record[f], item.record[f]))
        .map((field) => ({ field, from: was.record[field] ?? null, to: item.record[field] ?? null }));
      if (fields.length > 0) changes.push({ ...head, change: 'changed', fields });
    }
  }
  return changes;
};
