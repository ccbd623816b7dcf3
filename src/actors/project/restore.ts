import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { conflict, messageOf, reporting, TopologError } from '../../common/errors.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { projectSettings } from '../../events/fields.ts';
import type { PreparedBatch } from '../../events/log/stage.ts';
import type { AnyDraft, DataOf } from '../../events/schemas.ts';
import { isOwnDirectory } from '../../files/project/parts.ts';
import { restoreDirectory, stageRestore } from '../../files/project/snapshot-files.ts';
import { removeTree } from '../../files/project/tree.ts';
import { SETTINGS_WHEN_ABSENT } from '../../model/project.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../../projections/records.ts';
import { draft, type LabContext, projectOf, recordOf, toKindNode } from '../context.ts';
import { plumb } from '../link/cabling.ts';
import { engineOf } from '../node/engine.ts';
import { nodeDirectory } from '../node/fields.ts';
import { inChunks } from '../runtime/chunks.ts';
import { takeBack } from '../runtime/outcomes.ts';
import { endWeather } from '../weather/apply.ts';
import { leaveComputes } from './closing.ts';
import type { ProjectContext } from './nodes.ts';

interface PreparedRestore {
  /** The project's own event is the last. Throws a conflict where another project has an id of the snapshot. */
  batch: () => PreparedBatch;
  /** Once they are on disk. */
  forget: () => Promise<void>;
  /** Of `append`: a failure leaves the files as they were. */
  attempt: <T>(append: () => Promise<T>) => Promise<T>;
}

/**
 * Files are made ready beside and checked, nodes stopped, and then one batch of events brings the records back: until it is on disk
 * nothing is restored, and from then on everything is (opening the project moves the files, however often it has to be begun).
 * After a failure what ran no longer runs.
 */
export const prepareRestore = async (restoring: ProjectContext): Promise<PreparedRestore> => {
  const { context, projectId } = restoring;
  const record = projectOf(context.pending, projectId);
  const snapshot = recordOf(context.pending, 'snapshot', record.restore?.snapshot_id ?? '');
  const staged = randomUUID();
  await stageRestore(record.path, isOwnDirectory(context.settings.filesDir, record), snapshot, staged);
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (projectOf(context.pending, projectId).restore?.staged !== staged)
        await takeBack(context.log, () => removeTree(restoreDirectory(record.path, staged)).catch(() => undefined));
      throw error;
    }
  };
  return attempt(async () => {
    const then = await context.moments.at(projectId, snapshot.created);
    // Before anything is stopped, and once more when it counts.
    refuseElsewhere(context.pending, projectId, then);
    await endEverything(restoring);
    const before = context.pending.ofProject('node', projectId);
    const of = { snapshot_id: snapshot.snapshot_id, position: snapshot.created, staged };
    // Nobody changes a project that is being restored.
    const batch = await context.log.prepare(await inSlices(restoredEvents(restoring, then, of)));
    const checked = (): PreparedBatch => {
      refuseElsewhere(context.pending, projectId, then);
      return batch;
    };
    return { batch: checked, forget: () => forget(restoring, before), attempt };
  });
};

/** A file of the project, loaded while the project had lost them, has given them to another one. */
const refuseElsewhere = (view: RecordView, projectId: string, then: RecordView): void => {
  for (const collection of ['node', 'link', 'drawing'] as const)
    for (const record of then.ofProject(collection, projectId)) {
      const other = view.get(collection, idOf(record))?.project_id ?? projectId;
      if (other === projectId) continue;
      const owner = view.get('project', other)?.name ?? other;
      throw conflict(
        `the ${collection} ${idOf(record)} of the snapshot is in the project ${owner} by now; delete it there first`,
      );
    }
};

/** After a failure: cables, what always runs, and the nodes that ran. */
export const resumeLab = async (
  { context, directory, projectId, caller }: ProjectContext,
  running: readonly string[],
): Promise<void> => {
  const about = { project_id: projectId, request_id: caller.request_id };
  try {
    for (const node of context.pending.ofProject('node', projectId)) directory.addNode(node);
    await plumb(context, projectId);
    const wanted = context.pending
      .ofProject('node', projectId)
      .filter((n) => running.includes(n.node_id) || context.kinds.get(n.kind)?.capabilities.always_on === true);
    const results = await inChunks(wanted, (n, turn) => directory.node(n.node_id).actInSlot(turn, caller, 'start'));
    for (const result of results)
      if (result.status === 'rejected') context.logger.warn(about, messageOf(result.reason));
  } catch (error) {
    context.logger.warn(about, `after a snapshot that could not be restored: ${messageOf(error)}`);
  }
};

const endEverything = async ({ context, directory, projectId, caller }: ProjectContext): Promise<void> => {
  await endWeather(context, projectId, caller);
  await Promise.all(directory.capturesOf(projectId).map((capture) => capture.end(caller)));
  const nodes = context.pending.ofProject('node', projectId);
  const results = await inChunks(nodes, (n, turn) => directory.addNode(n).actInSlot(turn, caller, 'stop'));
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    const error: unknown = result.reason;
    throw error instanceof TopologError ? error : conflict(messageOf(error));
  }
  await context.plumbing.removeProject(projectId);
  // They are made there again, with the files of the snapshot.
  await leaveComputes(context, projectId, 'delete');
};

/** Nodes that are gone leave nothing behind in their engines; those that stay start again from their records. */
const forget = async (
  { context, directory, projectId, caller }: ProjectContext,
  before: readonly NodeRecord[],
): Promise<void> => {
  const about = { project_id: projectId, request_id: caller.request_id };
  for (const node of before) {
    directory.forgetNode(node.node_id);
    if (context.pending.get('node', node.node_id)?.project_id === projectId) continue;
    await engineOf(context, node)
      ?.remove(toKindNode(context, node), AbortSignal.timeout(30_000))
      .catch(reporting(context.logger, about, `after restoring without ${node.name}`));
  }
};

type Restored = Pick<DataOf<'project.restored'>, 'snapshot_id' | 'position' | 'staged'>;

/** What differs between the lab and what it was, and the project's own event as the last. */
function* restoredEvents(
  { context, projectId, caller }: ProjectContext,
  then: RecordView,
  restored: Restored,
): Steps<AnyDraft[]> {
  const { pending } = context;
  const of = { project_id: projectId };
  const now = projectOf(pending, projectId);
  const was = then.get('project', projectId) ?? now;
  const gone = (collection: 'node' | 'link' | 'drawing'): string[] =>
    pending
      .ofProject(collection, projectId)
      .map((r) => idOf(r))
      .filter((id) => then.get(collection, id) === undefined);
  const make = <T extends AnyDraft['type']>(type: T, data: DataOf<T>): AnyDraft => draft(caller, projectId, type, data);
  // Text comparison would depend on the order of keys.
  const differs = (a: object, b: object | undefined): boolean => b === undefined || !isDeepStrictEqual(a, b);
  const current = {
    node: (id: string) => mapped(pending.get('node', id), (r) => nodeAsItWas(context, now, r)),
    link: (id: string) => mapped(pending.get('link', id), linkAsItWas),
    drawing: (id: string) => mapped(pending.get('drawing', id), drawingAsItWas),
  };
  const back: AnyDraft[] = [];
  for (const record of then.ofProject('node', projectId)) {
    const node = nodeAsItWas(context, now, record);
    if (differs(node, current.node(node.node_id))) back.push(make('node.restored', node));
    yield;
  }
  for (const link of then.ofProject('link', projectId).map(linkAsItWas)) {
    if (differs(link, current.link(link.link_id))) back.push(make('link.restored', link));
    yield;
  }
  for (const drawing of then.ofProject('drawing', projectId).map(drawingAsItWas)) {
    if (differs(drawing, current.drawing(drawing.drawing_id))) back.push(make('drawing.restored', drawing));
    yield;
  }
  return [
    ...gone('link').map((link_id) => make('link.deleted', { link_id, ...of })),
    ...gone('node').map((node_id) => make('node.deleted', { node_id, ...of })),
    ...gone('drawing').map((drawing_id) => make('drawing.deleted', { drawing_id, ...of })),
    ...back,
    make('project.restored', { ...of, ...restored, settings: settingsOf(pending, was, now), extra: was.extra }),
  ];
}

const idOf = (record: NodeRecord | LinkRecord | DrawingRecord): string =>
  'drawing_id' in record ? record.drawing_id : 'link_id' in record ? record.link_id : record.node_id;

const mapped = <T, R>(value: T | undefined, map: (value: T) => R): R | undefined =>
  value === undefined ? undefined : map(value);

/** A name that another project has taken meanwhile stays with that one. */
const settingsOf = (
  view: RecordView,
  was: ProjectRecord,
  now: ProjectRecord,
): DataOf<'project.restored'>['settings'] => {
  const taken = view.projects().some((p) => p.name === was.name && p.project_id !== was.project_id);
  // What it has got since is told to be gone.
  const unsaid = Object.fromEntries(Object.entries(SETTINGS_WHEN_ABSENT).filter(([key]) => Object.hasOwn(now, key)));
  return projectSettings.parse({ ...unsaid, ...was, name: taken ? now.name : was.name });
};

/** Stopped, and in the project's directory as that is now. */
const nodeAsItWas = (context: LabContext, project: ProjectRecord, record: NodeRecord): DataOf<'node.restored'> => {
  const {
    state: _s,
    pid: _p,
    pid_started: _i,
    captures: _c,
    recording: _r,
    ports: _x,
    changed: _h,
    warnings: _w,
    restart: _o,
    ...kept
  } = record;
  const kind = context.kinds.get(record.kind);
  const node_directory = kind === undefined ? null : nodeDirectory(project, kind, record.node_id);
  return { ...kept, node_directory, failure: record.failure?.code === 'broken' ? record.failure : null };
};

const linkAsItWas = ({ state: _s, weather: _w, changed: _h, ...kept }: LinkRecord): DataOf<'link.restored'> => kept;

const drawingAsItWas = ({ changed: _h, ...kept }: DrawingRecord): DataOf<'drawing.restored'> => kept;
