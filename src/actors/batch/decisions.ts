import { randomUUID } from 'node:crypto';
import { conflict, notFound } from '../../common/errors.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import type { NodeFields } from '../../events/fields.ts';
import type { LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { BatchStep, Caller, NodeChanges, NodeInput } from '../commands.ts';
import { draft, type LabContext, nodeOf, openProjectOf } from '../context.ts';
import { drawingChanges, newDrawing } from '../drawing/commands.ts';
import { linkChanges, newLink } from '../link/commands.ts';
import type { ConsoleSupply } from '../node/consoles.ts';
import { changesOf, nameFor, newNode } from '../node/fields.ts';

/** The events of one step, and what is to be done once they are on disk. Deciding waits for nothing. */
export interface Decision {
  step: BatchStep;
  /** Of the record that the step is about. */
  id: string;
  drafts: AnyDraft[];
  created?: NodeFields & { given?: Record<string, unknown> | undefined };
  deleted?: { node: NodeRecord; links: LinkRecord[] };
}

/** `consoles`: for the new nodes of all steps. */
export const decideStep = (
  context: LabContext,
  caller: Caller,
  projectId: string,
  step: BatchStep,
  consoles: ConsoleSupply,
): Decision => {
  switch (step.type) {
    case 'node':
      return decideNode(context, caller, projectId, step, consoles);
    case 'link':
      return decideLink(context, caller, projectId, step);
    case 'drawing':
      return decideDrawing(context, caller, projectId, step);
  }
};

type Of<T extends BatchStep['type']> = Extract<BatchStep, { type: T }>;

const decideNode = (
  context: LabContext,
  caller: Caller,
  project_id: string,
  step: Of<'node'>,
  consoles: ConsoleSupply,
): Decision => {
  if (step.action === 'create') return createNode(context, caller, project_id, step, step.input, consoles);
  const node = nodeOf(context.pending, project_id, step.id);
  if (step.action === 'update') return updateNode(context, caller, step, node, step.changes);
  if (node.locked) throw conflict(`${node.name} is locked`);
  if (node.state !== 'stopped' && context.kinds.get(node.kind)?.capabilities.always_on !== true)
    throw conflict(`${node.name} runs; stop it first`);
  const links = context.pending.linksOf(node.node_id);
  return {
    ...{ step, id: step.id, deleted: { node, links } },
    drafts: [
      ...links.map(({ link_id }) => draft(caller, project_id, 'link.deleted', { link_id, project_id })),
      draft(caller, project_id, 'node.deleted', { node_id: step.id, project_id }),
    ],
  };
};

const createNode = (
  context: LabContext,
  caller: Caller,
  project_id: string,
  step: BatchStep,
  input: NodeInput,
  consoles: ConsoleSupply,
): Decision => {
  const { pending } = context;
  const node_id = input.node_id ?? randomUUID();
  if (pending.get('node', node_id) !== undefined) throw conflict(`node_id ${node_id} is in use`, { field: 'node_id' });
  const name = nameFor(pending, project_id, input.name, 'make_unique');
  const project = openProjectOf(pending, project_id);
  const fields = newNode(context, project, { ...input, node_id, name }, consoles);
  const drafts = [draft(caller, project_id, 'node.created', fields)];
  return { step, id: node_id, drafts, created: { ...fields, given: input.properties } };
};

const updateNode = (
  context: LabContext,
  caller: Caller,
  step: BatchStep,
  record: NodeRecord,
  changes: NodeChanges,
): Decision => {
  const { node_id, project_id } = record;
  const next = changesOf(context, record, changes, 'make_unique');
  const isNone = Object.keys(next).length === 0;
  const drafts = isNone ? [] : [draft(caller, project_id, 'node.updated', { node_id, project_id, changes: next })];
  return { step, id: node_id, drafts };
};

const decideLink = (context: LabContext, caller: Caller, project_id: string, step: Of<'link'>): Decision => {
  if (step.action === 'create') {
    const fields = { ...newLink(context, project_id, step.input), filters: step.input.filters ?? {} };
    return { step, id: fields.link_id, drafts: [draft(caller, project_id, 'link.created', fields)] };
  }
  const link_id = step.id;
  const record = context.pending.get('link', link_id);
  if (record?.project_id !== project_id) throw notFound('Link', link_id);
  if (step.action === 'delete')
    return { step, id: link_id, drafts: [draft(caller, project_id, 'link.deleted', { link_id, project_id })] };
  const changes = linkChanges(record, step.changes);
  const isNone = Object.keys(changes).length === 0;
  const drafts = isNone ? [] : [draft(caller, project_id, 'link.updated', { link_id, project_id, changes })];
  return { step, id: link_id, drafts };
};

const decideDrawing = (context: LabContext, caller: Caller, project_id: string, step: Of<'drawing'>): Decision => {
  if (step.action === 'create') {
    const fields = newDrawing(context.pending, project_id, step.input);
    return { step, id: fields.drawing_id, drafts: [draft(caller, project_id, 'drawing.created', fields)] };
  }
  const drawing_id = step.id;
  const record = context.pending.get('drawing', drawing_id);
  if (record?.project_id !== project_id) throw notFound('Drawing', drawing_id);
  if (step.action === 'delete') {
    if (record.locked) throw conflict('the drawing is locked');
    return { step, id: drawing_id, drafts: [draft(caller, project_id, 'drawing.deleted', { drawing_id, project_id })] };
  }
  const changes = drawingChanges(record, step.changes);
  const isNone = Object.keys(changes).length === 0;
  const drafts = isNone ? [] : [draft(caller, project_id, 'drawing.updated', { drawing_id, project_id, changes })];
  return { step, id: drawing_id, drafts };
};
