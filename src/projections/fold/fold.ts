import type { AnyEvent, EventType } from '../../events/schemas.ts';
import { CLAIM, type ComputeRecord, type RecordView } from '../records.ts';
import {
  claim,
  compute,
  drawing,
  type EventOf,
  type Folds,
  gone,
  merge,
  nothing,
  type RecordChange,
  snapshot,
  template,
} from './change.ts';
import { linkFolds } from './link.ts';
import { nodeFolds } from './node.ts';
import { projectFolds } from './project.ts';
import { weatherFolds } from './weather.ts';
import { runFolds } from './run.ts';

export type { RecordChange };

/** What lay in a log that was repaired. */
const repaired = (_view: RecordView, { data }: EventOf<'log.repaired' | 'project.repaired'>): RecordChange[] =>
  data.records.map(
    ({ collection, id, record }) =>
      ({ collection, id, record: record === null ? null : { ...(record as object) } }) as RecordChange,
  );

const onCompute = (view: RecordView, id: string, change: (record: ComputeRecord) => ComputeRecord): RecordChange[] => {
  const record = view.get('compute', id);
  return record === undefined ? [] : compute(change(record));
};

const FOLDS: Folds<EventType> = {
  ...projectFolds,
  ...nodeFolds,
  ...linkFolds,
  ...weatherFolds,
  ...runFolds,
  'event.lost': nothing,
  'log.repaired': repaired,
  'project.repaired': repaired,
  'server.started': nothing,
  'server.stopped': nothing,
  'server.took_over': nothing,
  'request.refused': nothing,
  'request.keyed': nothing,
  'request.answered': nothing,
  'warning.raised': nothing,
  'symbol.stored': nothing,
  'symbol.deleted': nothing,
  'license.changed': nothing,
  'file.written': nothing,
  'image.uploaded': nothing,
  'image.deleted': nothing,
  'operation.requested': nothing,
  'operation.finished': nothing,
  'snapshot.created': (_view, { data }) => snapshot({ ...data }),
  'snapshot.deleted': (_view, { data }) => gone('snapshot', data.snapshot_id),
  'drawing.created': (_view, { data }) => drawing({ ...data }),
  'drawing.updated': (view, { data }) => {
    const record = view.get('drawing', data.drawing_id);
    return record === undefined ? [] : drawing(merge(record, data.changes));
  },
  'drawing.deleted': (_view, { data }) => gone('drawing', data.drawing_id),
  'drawing.restored': (_view, { data }) => drawing({ ...data }),
  'compute.added': (_view, { data }) => compute({ ...data, connected: false, capabilities: null, last_error: null }),
  'compute.updated': (view, { data }) => onCompute(view, data.compute_id, (r) => merge(r, data.changes)),
  'compute.removed': (_view, { data }) => gone('compute', data.compute_id),
  'compute.connected': (view, { data: { compute_id, ...capabilities } }) =>
    onCompute(view, compute_id, (r) => ({ ...r, connected: true, capabilities, last_error: null })),
  'compute.disconnected': (view, { data }) =>
    onCompute(view, data.compute_id, (r) => ({ ...r, connected: false, last_error: data.reason })),
  'template.created': (_view, { data }) => template({ ...data, builtin: data.builtin ?? false }),
  'template.updated': (view, { data }) => {
    const record = view.get('template', data.template_id);
    return record === undefined ? [] : template(merge(record, data.changes));
  },
  'template.deleted': (_view, { data }) => gone('template', data.template_id),
  'compute.claimed': (_view, { data }) => claim({ ...data }),
  'compute.released': () => gone('claim', CLAIM),
};

/** A record that was folded ahead of its place in the log has positions below 0: they become those that they stand for. */
export const moveOn = ({ collection, record }: RecordChange, by: number): void => {
  if (record === null) return;
  if (record.created < 0) record.created += by;
  if (record.changed < 0) record.changed += by;
  if (collection !== 'project') return;
  if ((record.unattended ?? 0) < 0) record.unattended = (record.unattended ?? 0) + by;
  if ((record.asked?.position ?? 0) < 0 && record.asked !== undefined)
    record.asked = { ...record.asked, position: record.asked.position + by };
  if ((record.apply?.position ?? 0) < 0 && record.apply !== undefined)
    record.apply = { ...record.apply, position: record.apply.position + by };
};

export const fold = (view: RecordView, event: AnyEvent): RecordChange[] => {
  const changes = (FOLDS[event.type] as (view: RecordView, event: AnyEvent) => RecordChange[])(view, event);
  for (const { record } of changes)
    if (record !== null) {
      record.created ??= event.position;
      record.changed = event.position;
    }
  return changes;
};
