import { randomUUID } from 'node:crypto';
import type { DrawingFields, LinkFields, NodeFields, ProjectFields } from '../events/fields.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord, RecordView } from '../projections/records.ts';
import type { AnyDraft } from '../events/facts.ts';
import { type Caller } from './commands.ts';
import { checkRoom, draft, type LabContext } from './context.ts';
import { nodeDirectory } from './node-fields.ts';

/** What a project holds, for another project: with ids of its own, everything stopped. */
export interface ContentCopy {
  nodes: NodeCopy[];
  links: LinkFields[];
  drawings: DrawingFields[];
  /** Ids of the original's nodes to those of the copies. */
  ids: ReadonlyMap<string, string>;
}

export interface NodeCopy {
  fields: NodeFields;
  /** Directory of the original's files, as it is now. */
  from: string | null;
}

export const copyContent = (
  context: LabContext,
  view: RecordView,
  from: string,
  project: ProjectRecord,
): ContentCopy => {
  // A lab of a log that is older than the bounds.
  for (const collection of ['node', 'link', 'drawing'] as const)
    checkRoom(context.pending, project.project_id, collection, view.count(collection, from));
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
  return { nodes, links, drawings, ids };
};

// A record is its fields and what folds added; only the fields are facts of the copy.
export const fieldsOf = ({
  state: _s,
  restore: _r,
  created: _c,
  changed: _d,
  ...fields
}: ProjectRecord): ProjectFields => fields;
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
    ports: _x,
    created: _c,
    changed: _d,
    ...fields
  } = record;
  return { ...fields, failure: record.failure?.code === 'broken' ? record.failure : null };
};
const linkFields = ({ state: _s, capture: _t, created: _c, changed: _d, ...fields }: LinkRecord): LinkFields => fields;
const drawingFields = ({ created: _c, changed: _d, ...fields }: DrawingRecord): DrawingFields => fields;

/** The facts of a copy and its content: one batch. */
export const copyFacts = (caller: Caller, fields: ProjectFields, copy: Omit<ContentCopy, 'ids'>): AnyDraft[] => {
  const { project_id } = fields;
  const of = { project_id };
  return [
    draft(caller, project_id, 'project.created', fields),
    ...copy.nodes.map((node) => draft(caller, project_id, 'node.created', { ...node.fields, ...of })),
    ...copy.links.map((link) => draft(caller, project_id, 'link.created', { ...link, ...of })),
    ...copy.drawings.map((drawing) => draft(caller, project_id, 'drawing.created', { ...drawing, ...of })),
  ];
};
