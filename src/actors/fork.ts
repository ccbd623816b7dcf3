import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { conflict, notFound } from '../errors.ts';
import type { DrawingFields, LinkFields, NodeFields, ProjectFields } from '../events/fields.ts';
import { parseMoment } from '../events/history.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../projections/records.ts';
import type { Caller } from './commands.ts';
import { draft, type LabContext } from './context.ts';
import { copyNodeFiles } from './copy-files.ts';
import { nodeDirectory } from './node-fields.ts';

/** A new, closed project with a lab as it was at a moment. Its ids are its own; its nodes are stopped. */
export const fork = async (
  context: LabContext,
  caller: Caller,
  projectId: string,
  input: { at?: string; name: string },
): Promise<ProjectRecord> => {
  const { log, moments, pending, committed, settings } = context;
  const last = log.status().position;
  const position = input.at === undefined ? last : await parseMoment(log.store, last, input.at);
  const view = await moments.at(projectId, position);
  const source = view.get('project', projectId);
  if (source === undefined) throw notFound('Project', projectId);
  if (pending.projects().some((p) => p.name === input.name))
    throw conflict(`another project is named ${input.name}`, { field: 'name' });

  const project_id = randomUUID();
  const fields: ProjectFields = {
    ...fieldsOf(source),
    project_id,
    name: input.name,
    path: path.join(settings.dataDir, 'projects', project_id),
    filename: 'project.gns3',
    file_sha256: null,
    auto_open: false,
    auto_start: false,
  };
  const copies = copyContent(context, view, projectId, { ...fields, state: 'closed', created: 0, changed: 0 });
  const of = { project_id };
  await log.append([
    draft(caller, project_id, 'project.created', fields),
    ...copies.nodes.map((node) => draft(caller, project_id, 'node.created', { ...node.fields, ...of })),
    ...copies.links.map((link) => draft(caller, project_id, 'link.created', { ...link, ...of })),
    ...copies.drawings.map((drawing) => draft(caller, project_id, 'drawing.created', { ...drawing, ...of })),
  ]);
  await copyFiles(context, fields, copies.nodes);
  const record = committed.get('project', project_id);
  if (record === undefined) throw notFound('Project', project_id);
  return record;
};

interface NodeCopy {
  fields: NodeFields;
  /** Directory of the original's files, as it is now. */
  from: string | null;
}

const copyContent = (
  context: LabContext,
  view: RecordView,
  from: string,
  project: ProjectRecord,
): { nodes: NodeCopy[]; links: LinkFields[]; drawings: DrawingFields[] } => {
  const ids = new Map<string, string>();
  const nodes = view.ofProject('node', from).map((record) => {
    const node_id = randomUUID();
    ids.set(record.node_id, node_id);
    const kind = context.kinds.get(record.kind);
    const node_directory = kind === undefined ? null : nodeDirectory(project, kind, node_id);
    return { fields: { ...nodeFields(record), node_id, node_directory }, from: record.node_directory };
  });
  const links = view.ofProject('link', from).map((record) => ({
    ...linkFields(record),
    link_id: randomUUID(),
    nodes: record.nodes.map((end) => ({ ...end, node_id: ids.get(end.node_id) ?? end.node_id })),
  }));
  const drawings = view
    .ofProject('drawing', from)
    .map((record) => ({ ...drawingFields(record), drawing_id: randomUUID() }));
  return { nodes, links, drawings };
};

// A record is its fields and what folds added; only the fields are facts of the copy.
const fieldsOf = ({ state: _s, created: _c, changed: _d, ...fields }: ProjectRecord): ProjectFields => fields;
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
    created: _c,
    changed: _d,
    ...fields
  } = record;
  return { ...fields, failure: record.failure?.code === 'broken' ? record.failure : null };
};
const linkFields = ({ state: _s, capture: _t, created: _c, changed: _d, ...fields }: LinkRecord): LinkFields => fields;
const drawingFields = ({ created: _c, changed: _d, ...fields }: DrawingRecord): DrawingFields => fields;

const copyFiles = async (context: LabContext, project: ProjectFields, nodes: NodeCopy[]): Promise<void> => {
  for (const { fields, from } of nodes) await copyNodeFiles(context, from, fields, project.name);
};
