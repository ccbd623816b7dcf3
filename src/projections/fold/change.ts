import type { AnyEvent, EventType } from '../../events/schemas.ts';
import {
  CLAIM,
  type ClaimRecord,
  type CollectionName,
  type Collections,
  type ComputeRecord,
  type DrawingRecord,
  type LinkRecord,
  type NodeRecord,
  type ProjectRecord,
  type RecordView,
  type RunRecord,
  type SnapshotRecord,
  type Stamp,
  type TemplateRecord,
} from '../records.ts';

/** Change of one record by an event. `record` null: deleted. Folds are pure: same view, same event, same changes. */
export type RecordChange = {
  [C in CollectionName]: { collection: C; id: string; record: Collections[C] | null };
}[CollectionName];

/** A new record without its stamp, which `fold` sets from the event's position. */
type Unstamped<T extends Stamp> = Omit<T, keyof Stamp> & Partial<Stamp>;
export const project = (record: Unstamped<ProjectRecord>): RecordChange[] => [
  { collection: 'project', id: record.project_id, record: record as ProjectRecord },
];
export const node = (record: Unstamped<NodeRecord>): RecordChange[] => [
  { collection: 'node', id: record.node_id, record: record as NodeRecord },
];
export const link = (record: Unstamped<LinkRecord>): RecordChange[] => [
  { collection: 'link', id: record.link_id, record: record as LinkRecord },
];
export const drawing = (record: Unstamped<DrawingRecord>): RecordChange[] => [
  { collection: 'drawing', id: record.drawing_id, record: record as DrawingRecord },
];
export const template = (record: Unstamped<TemplateRecord>): RecordChange[] => [
  { collection: 'template', id: record.template_id, record: record as TemplateRecord },
];
export const compute = (record: Unstamped<ComputeRecord>): RecordChange[] => [
  { collection: 'compute', id: record.compute_id, record: record as ComputeRecord },
];
export const snapshot = (record: Unstamped<SnapshotRecord>): RecordChange[] => [
  { collection: 'snapshot', id: record.snapshot_id, record: record as SnapshotRecord },
];
export const run = (record: Unstamped<RunRecord>): RecordChange[] => [
  { collection: 'run', id: record.project_id, record: record as RunRecord },
];
export const claim = (record: Unstamped<ClaimRecord>): RecordChange[] => [
  { collection: 'claim', id: CLAIM, record: record as ClaimRecord },
];
export const gone = (collection: CollectionName, id: string): RecordChange[] => [{ collection, id, record: null }];

/** Deletes everything inside a project, in the order links, nodes, drawings. */
export const emptied = (view: RecordView, id: string): RecordChange[] => [
  ...view.ofProject('link', id).flatMap((r) => gone('link', r.link_id)),
  ...view.ofProject('node', id).flatMap((r) => gone('node', r.node_id)),
  ...view.ofProject('drawing', id).flatMap((r) => gone('drawing', r.drawing_id)),
];

export const without = <T>(map: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(map).filter(([k]) => k !== key));

/** Overwrites fields; undefined keeps the value. */
export const merge = <T extends object>(record: T, changes: { [K in keyof T]?: T[K] | undefined }): T => {
  const next = { ...record };
  for (const key of Object.keys(changes) as (keyof T)[]) {
    const value = changes[key];
    if (value !== undefined) next[key] = value;
  }
  return next;
};

export const onProject = (
  view: RecordView,
  id: string,
  change: (r: ProjectRecord) => ProjectRecord,
): RecordChange[] => {
  const record = view.get('project', id);
  return record === undefined ? [] : project(change(record));
};
export const onNode = (view: RecordView, id: string, change: (r: NodeRecord) => NodeRecord): RecordChange[] => {
  const record = view.get('node', id);
  return record === undefined ? [] : node(change(record));
};
export const onLink = (view: RecordView, id: string, change: (r: LinkRecord) => LinkRecord): RecordChange[] => {
  const record = view.get('link', id);
  return record === undefined ? [] : link(change(record));
};
export const portKey = (d: { adapter_number: number; port_number: number }): string =>
  `${d.adapter_number}/${d.port_number}`;

export type EventOf<T extends EventType> = Extract<AnyEvent, { type: T }>;

/** Folds of some types of events. */
export type Folds<T extends EventType> = {
  readonly [K in T]: (view: RecordView, event: EventOf<K>) => RecordChange[];
};

export const nothing = (): RecordChange[] => [];

/** A change with the record before it. `before` null: new; `record` null: deleted. */
export type Transition = {
  [C in CollectionName]: { collection: C; id: string; before: Collections[C] | null; record: Collections[C] | null };
}[CollectionName];

/** An event and its changes. */
export interface Step {
  event: AnyEvent;
  transitions: Transition[];
}

/** `view`: the records before the event. */
export const stepOf = (view: Pick<RecordView, 'get'>, event: AnyEvent, changes: readonly RecordChange[]): Step => ({
  event,
  transitions: changes.map(({ collection, id, record }) => {
    const before = view.get(collection, id) ?? null;
    return { collection, id, before, record } as Transition;
  }),
});
