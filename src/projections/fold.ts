import type { AnyEvent } from '../events/schemas.ts';
import type {
  CollectionName,
  Collections,
  DrawingRecord,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  RecordView,
  SnapshotRecord,
  Stamp,
  TemplateRecord,
} from './records.ts';
import { CAPTURE_EVENTS, CAPTURE_STATES, nodeStateAfter, PROJECT_EVENTS, type ProjectState } from './states.ts';

/** What one event does to the records. `record` null: it is gone. Pure: same view, same event, same changes. */
export type RecordChange = {
  [C in CollectionName]: { collection: C; id: string; record: Collections[C] | null };
}[CollectionName];

/** A new record has no stamp yet: `fold` sets it from the event's position. */
type Unstamped<T extends Stamp> = Omit<T, keyof Stamp> & Partial<Stamp>;
const project = (record: Unstamped<ProjectRecord>): RecordChange[] => [
  { collection: 'project', id: record.project_id, record: record as ProjectRecord },
];
const node = (record: Unstamped<NodeRecord>): RecordChange[] => [
  { collection: 'node', id: record.node_id, record: record as NodeRecord },
];
const link = (record: Unstamped<LinkRecord>): RecordChange[] => [
  { collection: 'link', id: record.link_id, record: record as LinkRecord },
];
const drawing = (record: Unstamped<DrawingRecord>): RecordChange[] => [
  { collection: 'drawing', id: record.drawing_id, record: record as DrawingRecord },
];
const template = (record: Unstamped<TemplateRecord>): RecordChange[] => [
  { collection: 'template', id: record.template_id, record: record as TemplateRecord },
];
const snapshot = (record: Unstamped<SnapshotRecord>): RecordChange[] => [
  { collection: 'snapshot', id: record.snapshot_id, record: record as SnapshotRecord },
];
const gone = (collection: CollectionName, id: string): RecordChange[] => [{ collection, id, record: null }];

/** Everything inside a project, in the order links, nodes, drawings. */
const emptied = (view: RecordView, id: string): RecordChange[] => [
  ...view.ofProject('link', id).flatMap((r) => gone('link', r.link_id)),
  ...view.ofProject('node', id).flatMap((r) => gone('node', r.node_id)),
  ...view.ofProject('drawing', id).flatMap((r) => gone('drawing', r.drawing_id)),
];

const without = <T>(map: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(map).filter(([k]) => k !== key));

/** Exactly optional fields: an absent change keeps the value. */
const merge = <T extends object>(record: T, changes: { [K in keyof T]?: T[K] | undefined }): T => {
  const next = { ...record };
  for (const key of Object.keys(changes) as (keyof T)[]) {
    const value = changes[key];
    if (value !== undefined) next[key] = value;
  }
  return next;
};

const onProject = (view: RecordView, id: string, change: (r: ProjectRecord) => ProjectRecord): RecordChange[] => {
  const record = view.get('project', id);
  return record === undefined ? [] : project(change(record));
};
const onNode = (view: RecordView, id: string, change: (r: NodeRecord) => NodeRecord): RecordChange[] => {
  const record = view.get('node', id);
  return record === undefined ? [] : node(change(record));
};
const onLink = (view: RecordView, id: string, change: (r: LinkRecord) => LinkRecord): RecordChange[] => {
  const record = view.get('link', id);
  return record === undefined ? [] : link(change(record));
};
const portKey = (d: { adapter_number: number; port_number: number }): string => `${d.adapter_number}/${d.port_number}`;

/** A record that was folded ahead of its place in the log has positions below 0: they become those that they stand for. */
export const moveOn = ({ collection, record }: RecordChange, by: number): void => {
  if (record === null) return;
  if (record.created < 0) record.created += by;
  if (record.changed < 0) record.changed += by;
  if (collection === 'project' && (record.unattended ?? 0) < 0) record.unattended = (record.unattended ?? 0) + by;
};

export const fold = (view: RecordView, event: AnyEvent): RecordChange[] => {
  const changes = changesOf(view, event);
  for (const { record } of changes)
    if (record !== null) {
      record.created ??= event.position;
      record.changed = event.position;
    }
  return changes;
};

const changesOf = (view: RecordView, event: AnyEvent): RecordChange[] => {
  switch (event.type) {
    case 'event.lost':
      return [];
    case 'log.repaired':
    case 'project.repaired':
      return event.data.records.map(
        ({ collection, id, record }) =>
          ({ collection, id, record: record === null ? null : { ...(record as object) } }) as RecordChange,
      );
    case 'server.started':
    case 'server.stopped':
    case 'request.refused':
    case 'request.keyed':
    case 'request.answered':
    case 'warning.raised':
    case 'symbol.stored':
    case 'license.changed':
    case 'project.nodes_requested':
    case 'file.written':
    case 'image.uploaded':
    case 'operation.requested':
    case 'operation.finished':
      return [];
    case 'project.created':
      // The first logs have no `record_consoles`.
      return project({ ...event.data, record_consoles: event.data.record_consoles ?? false, state: 'closed' });
    case 'project.replaced':
      return [
        ...emptied(view, event.data.project_id),
        ...onProject(view, event.data.project_id, (r) => ({ ...r, ...event.data })),
      ];
    case 'project.updated':
      return onProject(view, event.data.project_id, (r) => merge(r, event.data.changes));
    case 'project.open_requested':
      return onProject(view, event.data.project_id, (r) => ({ ...r, state: after(event) }));
    case 'project.nodes_finished':
      return view.get('project', event.data.project_id)?.starting
        ? onProject(view, event.data.project_id, started)
        : [];
    case 'project.opened':
    case 'project.restore_failed': {
      const isStarting = event.type === 'project.opened' && event.data.starting;
      const starting = isStarting ? { starting: true as const } : {};
      return onProject(view, event.data.project_id, ({ restore: _, ...r }) => ({
        ...r,
        state: after(event),
        ...starting,
      }));
    }
    case 'project.close_requested':
      return onProject(view, event.data.project_id, (r) => ({ ...started(attended(r)), state: after(event) }));
    case 'project.unattended':
      return onProject(view, event.data.project_id, (r) => ({ ...r, unattended: event.position }));
    case 'project.attended':
      return onProject(view, event.data.project_id, attended);
    case 'project.open_failed':
    case 'project.closed':
      return onProject(view, event.data.project_id, (r) => ({ ...r, state: after(event) }));
    case 'project.file_written':
      return onProject(view, event.data.project_id, (r) => ({ ...r, file_sha256: event.data.file_sha256 }));
    case 'project.deleted':
      return [
        ...emptied(view, event.data.project_id),
        ...view.ofProject('snapshot', event.data.project_id).flatMap((r) => gone('snapshot', r.snapshot_id)),
        ...gone('project', event.data.project_id),
      ];
    case 'project.restore_requested': {
      const { project_id, snapshot_id, running } = event.data;
      return onProject(view, project_id, (r) => ({
        ...r,
        state: after(event),
        restore: { snapshot_id, running, staged: null },
      }));
    }
    case 'project.restored': {
      const { project_id, snapshot_id, staged, settings, extra } = event.data;
      const restore = { snapshot_id, running: [], staged };
      return onProject(view, project_id, (r) => ({ ...r, ...settings, extra, state: after(event), restore }));
    }
    case 'snapshot.created':
      return snapshot({ ...event.data });
    case 'snapshot.deleted':
      return gone('snapshot', event.data.snapshot_id);
    case 'drawing.created':
      return drawing({ ...event.data });
    case 'drawing.updated': {
      const record = view.get('drawing', event.data.drawing_id);
      return record === undefined ? [] : drawing(merge(record, event.data.changes));
    }
    case 'drawing.deleted':
      return gone('drawing', event.data.drawing_id);
    case 'template.created':
      return template({ ...event.data, builtin: event.data.builtin ?? false });
    case 'template.updated': {
      const record = view.get('template', event.data.template_id);
      return record === undefined ? [] : template(merge(record, event.data.changes));
    }
    case 'template.deleted':
      return gone('template', event.data.template_id);
    case 'drawing.restored':
      return drawing({ ...event.data });
    default:
      if (event.type.startsWith('capture.')) return foldCapture(view, event as CaptureEvent);
      return event.type.startsWith('link.') ? foldLink(view, event as LinkEvent) : foldNode(view, event as NodeEvent);
  }
};

type CaptureEvent = Extract<AnyEvent, { type: `capture.${string}` }>;
type LinkEvent = Extract<AnyEvent, { type: `link.${string}` }>;
type NodeEvent = Extract<AnyEvent, { type: `node.${string}` }>;

const foldLink = (view: RecordView, event: LinkEvent): RecordChange[] => {
  const id = event.data.link_id;
  switch (event.type) {
    case 'link.created':
      return link({ ...event.data, state: 'idle', capture: null });
    case 'link.updated':
      return onLink(view, id, (r) => merge(r, event.data.changes));
    case 'link.deleted':
      return gone('link', id);
    case 'link.restored':
      return link({ ...event.data, state: 'idle' });
  }
};

/** Off takes a port's entry away; a link keeps its last file. */
const foldCapture = (view: RecordView, event: CaptureEvent): RecordChange[] => {
  const state = CAPTURE_EVENTS[event.type].to;
  const { link_id, node_id, adapter_number, port_number } = event.data;
  if (link_id !== null)
    return onLink(view, link_id, (r) => {
      if (event.type !== 'capture.start_requested') return { ...r, state: CAPTURE_STATES[state].shown };
      const { file_name, path, data_link_type } = event.data;
      const capture = { file_name, path, data_link_type, node_id, adapter_number, port_number };
      return { ...r, state: CAPTURE_STATES[state].shown, capture };
    });
  const key = portKey(event.data);
  return onNode(view, node_id, (r) => {
    if (state === 'off') return { ...r, captures: without(r.captures, key) };
    const known = r.captures[key];
    const { file_name, path, data_link_type } =
      event.type === 'capture.start_requested' ? event.data : (known ?? NO_CAPTURE);
    return { ...r, captures: { ...r.captures, [key]: { file_name, path, data_link_type, state } } };
  });
};
const NO_CAPTURE = { file_name: '', path: '', data_link_type: '' };

const after = ({ type }: { type: Exclude<keyof typeof PROJECT_EVENTS, 'project.deleted'> }): ProjectState =>
  PROJECT_EVENTS[type].to;

const started = ({ starting: _, ...record }: ProjectRecord): ProjectRecord => record;
const attended = ({ unattended: _, ...record }: ProjectRecord): ProjectRecord => record;

const withoutProcess = (record: NodeRecord): NodeRecord => {
  // Leaving a key out while copying costs as much as the rest of the fold; most nodes are no processes.
  if (record.pid_started === undefined) return { ...record, pid: null };
  const { pid_started: _, ...rest } = record;
  return { ...rest, pid: null };
};

const foldNode = (view: RecordView, event: NodeEvent): RecordChange[] => {
  const id = event.data.node_id;
  switch (event.type) {
    case 'node.created':
      return node({
        ...event.data,
        state: 'stopped',
        command_line: '',
        engine: null,
        pid: null,
        nios: {},
        captures: {},
        trace: null,
        recording: null,
      });
    case 'node.updated':
      return onNode(view, id, (r) => merge(r, event.data.changes));
    case 'node.deleted':
      return gone('node', id);
    case 'node.restored':
      return node({ ...event.data, state: 'stopped', pid: null, captures: {}, recording: null });
    case 'node.start_requested':
      return onNode(view, id, ({ warnings: _, ...r }) => ({ ...r, state: nodeStateAfter(event), failure: null }));
    case 'node.started':
    case 'node.reloaded':
    case 'node.adopted': {
      const { pid, pid_started, engine, command_line, warnings } = event.data;
      const state = nodeStateAfter(event);
      return onNode(view, id, (r) => ({
        ...withoutProcess(r),
        state,
        pid,
        ...(pid_started == null ? {} : { pid_started }),
        engine,
        command_line,
        console: event.data.console ?? r.console,
        failure: null,
        ...(warnings === undefined ? {} : { warnings }),
      }));
    }
    case 'node.start_failed':
      return onNode(view, id, (r) => ({
        ...withoutProcess(r),
        state: nodeStateAfter(event),
        failure: event.data.failure,
      }));
    case 'node.stopped':
    case 'node.exited':
    case 'node.lost':
      return onNode(view, id, (r) => ({ ...withoutProcess(r), state: nodeStateAfter(event) }));
    case 'node.stop_requested':
    case 'node.stop_failed':
    case 'node.suspend_requested':
    case 'node.suspended':
    case 'node.suspend_failed':
    case 'node.resume_requested':
    case 'node.resumed':
    case 'node.resume_failed':
    case 'node.reload_requested':
    case 'node.reload_failed':
      return onNode(view, id, (r) => ({ ...r, state: nodeStateAfter(event) }));
    case 'node.recording_started':
      return onNode(view, id, (r) => ({ ...r, recording: event.data.file }));
    case 'node.recording_stopped':
      return onNode(view, id, (r) => ({ ...r, recording: null }));
    case 'node.nio_added':
    case 'node.nio_updated':
      return onNode(view, id, (r) => ({ ...r, nios: { ...r.nios, [portKey(event.data)]: event.data.nio } }));
    case 'node.nio_removed':
      return onNode(view, id, (r) => ({ ...r, nios: without(r.nios, portKey(event.data)) }));
    case 'node.trace_finished': {
      const { destination, reached, hops } = event.data;
      return onNode(view, id, (r) => ({ ...r, trace: { destination, reached, hops } }));
    }
  }
};
