import { isDeepStrictEqual } from 'node:util';
import type { CheckRecord } from '../../common/forms/check.ts';
import type { AnyEvent, EventType } from '../../events/schemas.ts';
import {
  type CheckVerdict,
  CLAIM,
  type ComputeRecord,
  type ProjectRecord,
  type RecordView,
  type WeatherRun,
} from '../records.ts';
import { CAPTURE_STATES, type CaptureEventType, PROJECT_STATES } from '../states.ts';
import {
  claim,
  compute,
  drawing,
  emptied,
  type EventOf,
  type Folds,
  gone,
  link,
  merge,
  nothing,
  onLink,
  onNode,
  onProject,
  portKey,
  project,
  type RecordChange,
  run,
  snapshot,
  template,
  without,
} from './change.ts';
import { nodeFolds } from './node.ts';

type VerdictEvent = EventOf<'check.met' | 'check.broken'>;

/** Verdicts of an unknown run, as in a part of a log, are ignored. */
const verdict = (view: RecordView, { type, data, at, position }: VerdictEvent): RecordChange[] => {
  const record = view.get('run', data.project_id);
  if (record === undefined) return [];
  const { check_id, after_ms, text } = data;
  const is_met = type === 'check.met';
  const broken = (record.verdicts[check_id]?.broken ?? 0) + (is_met ? 0 : 1);
  const told: CheckVerdict = { is_met, at, position, after_ms, text, broken };
  const isSoonest = is_met && after_ms < (record.earned[check_id]?.after_ms ?? Infinity);
  return run({
    ...record,
    verdicts: { ...record.verdicts, [check_id]: told },
    earned: isSoonest ? { ...record.earned, [check_id]: { after_ms, position } } : record.earned,
  });
};

const runFolds: Folds<'run.begun' | 'run.ended' | 'check.met' | 'check.broken'> = {
  'run.begun': (view, { data: { project_id }, at, position }) => {
    const before = view.get('run', project_id);
    const record = { project_id, began: at, position, is_over: false, verdicts: {}, earned: before?.earned ?? {} };
    return run(before === undefined ? record : { ...before, ...record });
  },
  'run.ended': (view, { data: { project_id } }) => {
    const record = view.get('run', project_id);
    return record === undefined ? [] : run({ ...record, is_over: true });
  },
  'check.met': verdict,
  'check.broken': verdict,
};

const asked = ({ name: _name, points: _points, ...check }: CheckRecord): object => check;

/** Drops verdicts and earned points of checks that were deleted or now test something else. */
const checksChanged = (view: RecordView, id: string, checks: readonly CheckRecord[] | undefined): RecordChange[] => {
  const record = view.get('run', id);
  if (record === undefined || checks === undefined) return [];
  const stays = (check: CheckRecord): boolean => checks.some((now) => isDeepStrictEqual(asked(now), asked(check)));
  const known = view.get('project', id)?.checks ?? [];
  const left = new Set(known.filter((check) => !stays(check)).map(({ check_id }) => check_id));
  if (left.size === 0) return [];
  const kept = <T>(map: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(map).filter(([check_id]) => !left.has(check_id)));
  return run({ ...record, verdicts: kept(record.verdicts), earned: kept(record.earned) });
};

type Of = { data: { project_id: string }; position: number };

const onRun = (view: RecordView, { data, position }: Of, changes: Partial<WeatherRun>): RecordChange[] =>
  onProject(view, data.project_id, (r) =>
    r.weather_run === undefined ? r : { ...r, weather_run: { ...r.weather_run, ...changes, cause: position } },
  );

const weatherFolds: Folds<Extract<EventType, `weather.${string}`>> = {
  'weather.started': (view, { data: { project_id, seed, since }, position }) =>
    onProject(view, project_id, (r) => ({
      ...r,
      weather_run: { seed, since, at: 0, stepped: -1, storms: [], down: [], up: [], cause: position },
    })),
  'weather.stepped': (view, event) => {
    const { at, since, storms, down, up } = event.data;
    return onRun(view, event, { at, since, storms, down, up, stepped: at });
  },
  'weather.paused': (view, event) => onRun(view, event, { at: event.data.at, since: null }),
  'weather.resumed': (view, event) => onRun(view, event, { at: event.data.at, since: event.data.since }),
  'weather.ended': (view, { data: { project_id } }) => onProject(view, project_id, ({ weather_run: _, ...r }) => r),
};

const started = ({ starting: _, ...record }: ProjectRecord): ProjectRecord => record;
const settled = ({ asked: _, ...record }: ProjectRecord): ProjectRecord => record;
const applied = ({ apply: _, ...record }: ProjectRecord): ProjectRecord => record;
const attended = ({ unattended: _, ...record }: ProjectRecord): ProjectRecord => record;

/** Changes the state only. */
const moves = (
  view: RecordView,
  event: EventOf<'project.open_requested' | 'project.open_failed' | 'project.closed'>,
): RecordChange[] => onProject(view, event.data.project_id, (r) => ({ ...r, state: PROJECT_STATES.after(event) }));

const opened = (view: RecordView, event: EventOf<'project.opened' | 'project.restore_failed'>): RecordChange[] => {
  const isStarting = event.type === 'project.opened' && event.data.starting;
  const starting = isStarting ? { starting: true as const } : {};
  return onProject(view, event.data.project_id, ({ restore: _, ...r }) => ({
    ...r,
    state: PROJECT_STATES.after(event),
    ...starting,
  }));
};

const projectFolds: Folds<Exclude<Extract<EventType, `project.${string}`>, 'project.repaired'>> = {
  // The first logs have no `record_consoles`.
  'project.created': (_view, { data }) =>
    project({ ...data, record_consoles: data.record_consoles ?? false, state: 'closed' }),
  'project.replaced': (view, { data }) => [
    ...emptied(view, data.project_id),
    ...onProject(view, data.project_id, (r) => ({ ...r, ...data })),
  ],
  'project.updated': (view, { data }) => [
    ...checksChanged(view, data.project_id, data.changes.checks),
    ...onProject(view, data.project_id, (r) => merge(r, data.changes)),
  ],
  'project.open_requested': moves,
  'project.open_failed': moves,
  'project.closed': moves,
  'project.opened': opened,
  'project.restore_failed': opened,
  // Earlier logs do not record which request is answered.
  'project.nodes_requested': (view, { data: { project_id, action, asked }, position }) =>
    asked === undefined ? [] : onProject(view, project_id, (r) => ({ ...r, asked: { action, position } })),
  'project.apply_requested': (view, { data: { project_id, after }, position }) =>
    after === undefined ? [] : onProject(view, project_id, (r) => ({ ...r, apply: { ...after, position } })),
  'project.applied': (view, { data: { project_id } }) =>
    onProject(view, project_id, (r) => (r.apply === undefined ? r : { ...r, apply: { ...r.apply, isNew: true } })),
  'project.apply_finished': (view, { data: { project_id } }) =>
    view.get('project', project_id)?.apply === undefined ? [] : onProject(view, project_id, applied),
  'project.nodes_finished': (view, { data: { project_id }, cause }) => {
    const { starting, asked } = view.get('project', project_id) ?? {};
    const isLast = asked !== undefined && asked.position === cause;
    if (starting === undefined && !isLast) return [];
    return onProject(view, project_id, (r) => (isLast ? settled(started(r)) : started(r)));
  },
  'project.close_requested': (view, event) =>
    onProject(view, event.data.project_id, (r) => ({
      ...settled(started(attended(r))),
      state: PROJECT_STATES.after(event),
    })),
  'project.unattended': (view, { data, position }) =>
    onProject(view, data.project_id, (r) => ({ ...r, unattended: position })),
  'project.attended': (view, { data }) => onProject(view, data.project_id, attended),
  'project.file_written': (view, { data }) =>
    onProject(view, data.project_id, (r) => ({ ...r, file_sha256: data.file_sha256 })),
  'project.deleted': (view, { data: { project_id } }) => [
    ...emptied(view, project_id),
    ...view.ofProject('snapshot', project_id).flatMap((r) => gone('snapshot', r.snapshot_id)),
    ...(view.get('run', project_id) === undefined ? [] : gone('run', project_id)),
    ...gone('project', project_id),
  ],
  'project.restore_requested': (view, event) => {
    const { project_id, snapshot_id, running } = event.data;
    const restore = { snapshot_id, running, staged: null };
    return onProject(view, project_id, (r) => ({ ...r, state: PROJECT_STATES.after(event), restore }));
  },
  'project.restored': (view, event) => {
    const { project_id, snapshot_id, staged, settings, extra } = event.data;
    const restore = { snapshot_id, running: [], staged };
    return [
      ...checksChanged(view, project_id, settings.checks),
      // A restore ends the applying of a lab text.
      ...onProject(view, project_id, (r) => ({
        ...applied(r),
        ...settings,
        extra,
        state: PROJECT_STATES.after(event),
        restore,
      })),
    ];
  },
};

const NO_CAPTURE = { file_name: '', path: '', data_link_type: '' };

/** A capture at a port is deleted when it is off; a link keeps its last capture. */
const captures = (view: RecordView, event: EventOf<CaptureEventType>): RecordChange[] => {
  const state = CAPTURE_STATES.after(event);
  const { link_id, node_id, adapter_number, port_number } = event.data;
  if (link_id !== null)
    return onLink(view, link_id, (r) => {
      if (event.type !== 'capture.start_requested') return { ...r, state: CAPTURE_STATES.meta(state).shown };
      const { file_name, path, data_link_type } = event.data;
      const capture = { file_name, path, data_link_type, node_id, adapter_number, port_number };
      return { ...r, state: CAPTURE_STATES.meta(state).shown, capture };
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

const linkFolds: Folds<Extract<EventType, `link.${string}` | `capture.${string}`>> = {
  'link.created': (_view, { data }) => link({ ...data, state: 'idle', capture: null }),
  'link.updated': (view, { data: { link_id, changes } }) =>
    onLink(view, link_id, (r) => {
      const { weather, ...more } = changes;
      const { weather: before, ...record } = merge(r, more);
      const now = weather === undefined ? before : weather;
      return { ...record, ...(now == null ? {} : { weather: now }) };
    }),
  'link.deleted': (_view, { data }) => gone('link', data.link_id),
  'link.restored': (_view, { data }) => link({ ...data, state: 'idle' }),
  'link.tunnel_made': (view, { data }) =>
    onLink(view, data.link_id, ({ joined: _, ...r }) => ({ ...r, tunnel: data.ends })),
  'link.tunnel_joined': (view, { data }) => onLink(view, data.link_id, (r) => ({ ...r, joined: true })),
  'link.unproved': (view, { data }) => onLink(view, data.link_id, (r) => ({ ...r, unproved: data.reason })),
  'link.proved': (view, { data }) => onLink(view, data.link_id, ({ unproved: _, ...r }) => r),
  'capture.start_requested': captures,
  'capture.started': captures,
  'capture.failed': captures,
  'capture.stop_requested': captures,
  'capture.stopped': captures,
};

/** Restores the records that a repair of the log stored. */
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

/** Adds `by` to the negative positions of a record that was folded ahead of its place in the log. */
export const shiftPositions = ({ collection, record }: RecordChange, by: number): void => {
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
