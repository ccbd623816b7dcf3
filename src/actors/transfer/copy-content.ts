import { randomUUID } from 'node:crypto';
import { type LinkName, renamed } from '../../common/forms/check.ts';
import type { DrawingFields, LinkFields, NodeFields, ProjectFields } from '../../events/fields.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../../projections/records.ts';
import type { PreparedBatch } from '../../events/log/stage.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import type { Caller } from '../caller.ts';
import { stageProject } from '../../files/project/staged-project.ts';
import { checkRoom, draft, type LabContext, projectOf } from '../context.ts';
import { takeBack } from '../runtime/outcomes.ts';
import { nodeDirectory } from '../node/fields.ts';
import { removeIfDeleted } from '../project/directory.ts';
import { checkProjectName } from '../project/names.ts';
import { refuseTaken } from '../project/place.ts';

/** What a project holds, for another project: with ids of its own, everything stopped. */
export interface ContentCopy {
  nodes: NodeCopy[];
  links: LinkFields[];
  drawings: DrawingFields[];
  /** Ids of the original's nodes and links to those of the copies. */
  ids: ReadonlyMap<string, string>;
}

export interface NodeCopy {
  fields: NodeFields;
  /** Id of the original. */
  original: string;
  /** Directory of its files, as it is now. */
  from: string | null;
}

/** Does not hold up the event loop: the records are those of one moment all the same. */
export const copyContent = (
  context: LabContext,
  view: RecordView,
  from: string,
  project: ProjectRecord,
): Promise<ContentCopy> => {
  // A lab of a log that is older than the bounds.
  for (const collection of ['node', 'link', 'drawing'] as const)
    checkRoom(context.pending, project.project_id, collection, view.count(collection, from));
  const lab = {
    nodes: view.ofProject('node', from),
    links: view.ofProject('link', from),
    drawings: view.ofProject('drawing', from),
  };
  return inSlices(copied(context, lab, project));
};

interface Lab {
  nodes: readonly NodeRecord[];
  links: readonly LinkRecord[];
  drawings: readonly DrawingRecord[];
}

function* copied(context: LabContext, lab: Lab, project: ProjectRecord): Steps<ContentCopy> {
  const ids = new Map<string, string>();
  const copy = { nodes: [] as NodeCopy[], links: [] as LinkFields[], drawings: [] as DrawingFields[], ids };
  for (const record of lab.nodes) {
    const node_id = randomUUID();
    ids.set(record.node_id, node_id);
    const kind = context.kinds.get(record.kind);
    const node_directory = kind === undefined ? null : nodeDirectory(project, kind, node_id);
    copy.nodes.push({
      fields: { ...nodeFields(record), node_id, node_directory },
      original: record.node_id,
      from: record.node_directory,
    });
    yield;
  }
  for (const record of lab.links) {
    const nodes = record.nodes.map((end) => ({ ...end, node_id: ids.get(end.node_id) ?? end.node_id }));
    const link_id = randomUUID();
    ids.set(record.link_id, link_id);
    copy.links.push({ ...linkFields(record), link_id, nodes });
    yield;
  }
  for (const record of lab.drawings) {
    copy.drawings.push({ ...drawingFields(record), drawing_id: randomUUID() });
    yield;
  }
  return copy;
}

// A record is its fields and what folds added; only the fields are events of the copy.
export const fieldsOfCopy = (
  {
    state: _s,
    restore: _r,
    asked: _a,
    weather_run: _w,
    created: _c,
    changed: _d,
    forked_from: _f,
    ...fields
  }: ProjectRecord,
  own: Pick<ProjectFields, 'project_id' | 'name' | 'path' | 'filename'>,
): ProjectFields => ({ ...fields, ...own, file_sha256: null, auto_open: false, auto_start: false });

/** What settings say of nodes and links, of those of the copy. */
export const withCopiedIds = <S extends Pick<ProjectFields, 'groups' | 'checks' | 'weather'>>(
  settings: S,
  idOf: (id: string) => string | undefined,
): S => {
  const { groups, checks, weather } = settings;
  const known = (id: string): string => idOf(id) ?? id;
  const copied = (ids: readonly string[]): string[] => ids.map(idOf).filter((id) => id !== undefined);
  const names = { node: known, link: (id: LinkName) => (typeof id === 'string' ? known(id) : id) };
  return {
    ...settings,
    ...(groups && {
      groups: groups.map((group) => ({ ...group, group_id: randomUUID(), nodes: copied(group.nodes) })),
    }),
    ...(checks && { checks: checks.map((check) => ({ ...renamed(check, names), check_id: randomUUID() })) }),
    ...(weather && {
      weather: weather.map(({ links, crash, ...entry }) => ({
        ...{ ...entry, weather_id: randomUUID() },
        ...(links && { links: copied(links) }),
        ...(crash && { crash: copied(crash) }),
      })),
    }),
  };
};

const nodeFields = (record: NodeRecord): NodeFields => {
  const {
    state: _s,
    command_line: _l,
    engine: _e,
    pid: _p,
    pid_started: _i,
    nios: _n,
    captures: _t,
    trace: _r,
    recording: _f,
    warnings: _w,
    restart: _o,
    unreachable: _u,
    server: _v,
    ports: _x,
    created: _c,
    changed: _d,
    ...fields
  } = record;
  return { ...fields, failure: record.failure?.code === 'broken' ? record.failure : null };
};
const linkFields = ({
  state: _s,
  capture: _t,
  tunnel: _w,
  joined: _j,
  unproved: _u,
  weather: _e,
  created: _c,
  changed: _d,
  ...fields
}: LinkRecord): LinkFields => fields;
/** The names of pictures are those of the original's directory. */
const drawingFields = ({ created: _c, changed: _d, as_read: _a, ...fields }: DrawingRecord): DrawingFields => fields;

/** The events of a copy and its content: one batch. */
const copyEvents = (
  { log }: LabContext,
  caller: Caller,
  fields: ProjectFields,
  copy: ContentCopy,
): Promise<PreparedBatch> => {
  const { project_id } = fields;
  const of = { project_id };
  return log.prepare([
    draft(
      ...[caller, project_id, 'project.created' as const],
      withCopiedIds(fields, (id) => copy.ids.get(id)),
    ),
    ...copy.nodes.map((node) => draft(caller, project_id, 'node.created', { ...node.fields, ...of })),
    ...copy.links.map((link) => draft(caller, project_id, 'link.created', { ...link, ...of })),
    ...copy.drawings.map((drawing) => draft(caller, project_id, 'drawing.created', { ...drawing, ...of })),
  ]);
};

/** Makes the copy, with its files before its events: one that is on record has them, whatever ends the server in between. */
export const makeCopy = async (
  context: LabContext,
  caller: Caller,
  { source, fields, copy }: { source: string; fields: ProjectFields; copy: ContentCopy },
  copyFiles: (to: string) => Promise<void>,
): Promise<ProjectRecord> => {
  const { committed, log, pending, placing, settings } = context;
  log.check();
  await placing.settled(source);
  const staged = await stageProject(settings.filesDir, fields.path);
  try {
    await copyFiles(staged.directory);
    await staged.ready();
    const events = await copyEvents(context, caller, fields, copy);
    checkProjectName(pending, fields.name);
    refuseTaken(context, fields.project_id, fields.path);
    await log.append(events);
  } catch (error) {
    await takeBack(log, () => staged.discard());
    throw error;
  }
  try {
    await staged.place();
  } finally {
    await removeIfDeleted(context, fields);
  }
  return projectOf(committed, fields.project_id);
};
