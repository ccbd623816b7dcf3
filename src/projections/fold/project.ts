import type { EventType } from '../../events/schemas.ts';
import type { ProjectRecord, RecordView } from '../records.ts';
import { PROJECT_EVENTS, type ProjectEventType, type ProjectState } from '../states.ts';
import { emptied, type EventOf, type Folds, gone, merge, onProject, project, type RecordChange } from './change.ts';
import { checksChanged } from './run.ts';

const after = ({ type }: { type: Exclude<ProjectEventType, 'project.deleted'> }): ProjectState =>
  PROJECT_EVENTS[type].to;

const started = ({ starting: _, ...record }: ProjectRecord): ProjectRecord => record;
const settled = ({ asked: _, ...record }: ProjectRecord): ProjectRecord => record;
const applied = ({ apply: _, ...record }: ProjectRecord): ProjectRecord => record;
const attended = ({ unattended: _, ...record }: ProjectRecord): ProjectRecord => record;

/** Its state changes, and nothing else. */
const moves = (
  view: RecordView,
  event: EventOf<'project.open_requested' | 'project.open_failed' | 'project.closed'>,
): RecordChange[] => onProject(view, event.data.project_id, (r) => ({ ...r, state: after(event) }));

const opened = (view: RecordView, event: EventOf<'project.opened' | 'project.restore_failed'>): RecordChange[] => {
  const isStarting = event.type === 'project.opened' && event.data.starting;
  const starting = isStarting ? { starting: true as const } : {};
  return onProject(view, event.data.project_id, ({ restore: _, ...r }) => ({ ...r, state: after(event), ...starting }));
};

export const projectFolds: Folds<Exclude<Extract<EventType, `project.${string}`>, 'project.repaired'>> = {
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
  // Of earlier logs nobody knows whether it was finished.
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
    onProject(view, event.data.project_id, (r) => ({ ...settled(started(attended(r))), state: after(event) })),
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
    return onProject(view, project_id, (r) => ({ ...r, state: after(event), restore }));
  },
  'project.restored': (view, event) => {
    const { project_id, snapshot_id, staged, settings, extra } = event.data;
    const restore = { snapshot_id, running: [], staged };
    return [
      ...checksChanged(view, project_id, settings.checks),
      // A text that was being applied is over with it.
      ...onProject(view, project_id, (r) => ({ ...applied(r), ...settings, extra, state: after(event), restore })),
    ];
  },
};
