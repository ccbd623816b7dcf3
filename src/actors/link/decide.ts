import { randomUUID } from 'node:crypto';
import { conflict, invalid, notFound } from '../../common/errors.ts';
import type { Label, LinkEnd, LinkFields, Port } from '../../events/fields.ts';
import type { DataOf } from '../../events/schemas.ts';
import { newValues, pick } from '../../model/derive.ts';
import { LINK } from '../../model/link.ts';
import type { LinkRecord, NodeRecord, RecordView } from '../../projections/records.ts';
import type { LinkAddress } from '../caller.ts';
import { portKey } from '../port/port-key.ts';
import { portOf } from '../port/ports.ts';
import type { LinkChanges, LinkInput } from './interface.ts';
import { checkRoom, type LabContext, nodeOf, openProjectOf, recordOf } from '../context.ts';
import { type Decision, isNothing, realChanges, type StepOf } from '../runtime/decision.ts';

const LABEL_STYLE = 'font-family: TypeWriter;font-size: 10.0;font-weight: bold;fill: #000000;fill-opacity: 1.0;';

interface End {
  node: NodeRecord;
  port: Port;
  end: LinkEnd;
}

export const linkOf = (view: RecordView, { project_id, link_id }: LinkAddress): LinkRecord => {
  openProjectOf(view, project_id);
  return recordOf(view, 'link', link_id, project_id);
};

/** Filters of the step have been compiled. */
export const decideLink = (
  context: Pick<LabContext, 'pending' | 'kinds'>,
  project_id: string,
  step: StepOf<'link'>,
): Decision => {
  if (step.action === 'create') {
    const data = newLink(context, project_id, step.input);
    return { id: data.link_id, events: [{ type: 'link.created', data }] };
  }
  const link_id = step.id;
  const record = linkOf(context.pending, { project_id, link_id });
  if (step.action === 'delete')
    return { id: link_id, events: [{ type: 'link.deleted', data: { link_id, project_id } }] };
  const changes = linkChanges(record, step.changes);
  if (isNothing(changes)) return { id: link_id, events: [] };
  return { id: link_id, events: [{ type: 'link.updated', data: { link_id, project_id, changes } }] };
};

export const defaultEndLabel = (adapter: number, port: number): Label => ({
  text: `${adapter}/${port}`,
  style: LABEL_STYLE,
});

const newLink = (context: Pick<LabContext, 'pending' | 'kinds'>, projectId: string, input: LinkInput): LinkFields => {
  openProjectOf(context.pending, projectId);
  const link_id = input.link_id ?? randomUUID();
  checkRoom(context.pending, projectId, 'link');
  if (context.pending.get('link', link_id) !== undefined)
    throw conflict(`link_id ${link_id} is in use`, { field: 'link_id' });
  const [a, b, more] = input.nodes.map((end) => endOf(context, projectId, end));
  if (a === undefined || b === undefined || more !== undefined)
    throw invalid('nodes must be the two ends of the link', { field: 'nodes' });
  checkPair(context, a, b);
  checkFree(context, [a, b]);
  return {
    link_id,
    project_id: projectId,
    link_type: a.port.link_type,
    nodes: [a.end, b.end],
    ...newValues(LINK, input),
    extra: {},
    ...input.kept,
  };
};

const endOf = (
  context: Pick<LabContext, 'pending' | 'kinds'>,
  projectId: string,
  given: LinkInput['nodes'][number],
): End => {
  const { node_id, adapter_number, port_number } = given;
  const node = nodeOf(context.pending, { project_id: projectId, node_id });
  const port = portOf(context, node, given);
  if (port === undefined) throw notFound(`Port of ${node.name}`, portKey(given));
  const label = given.label ?? defaultEndLabel(adapter_number, port_number);
  return { node, port, end: { node_id, adapter_number, port_number, label } };
};

const checkPair = (context: Pick<LabContext, 'kinds'>, a: End, b: End): void => {
  if (a.node.node_id === b.node.node_id) throw conflict('a link cannot join a node to itself');
  if (a.port.link_type !== b.port.link_type)
    throw conflict(
      `${a.node.name} ${a.port.name} is ${a.port.link_type} and ${b.node.name} ${b.port.name} is ${b.port.link_type}`,
    );
  const leadsOut = (e: End): boolean => context.kinds.get(e.node.kind)?.capabilities.leads_out === true;
  if (leadsOut(a) && leadsOut(b))
    throw conflict(`${a.node.name} and ${b.node.name} both lead out of the lab and cannot be linked`);
};

const checkFree = (context: Pick<LabContext, 'pending'>, ends: End[]): void => {
  for (const { node, end } of ends) {
    const key = portKey(end);
    if (node.nios[key] !== undefined) throw conflict(`port ${key} of ${node.name} has a NIO`);
    for (const link of context.pending.linksOf(end.node_id))
      if (link.nodes.some((n) => n.node_id === end.node_id && portKey(n) === key))
        throw conflict(`port ${key} of ${node.name} is already used by link ${link.link_id}`);
  }
};

/** Labels replace those of the ends they name; ends themselves stay where they are. */
const linkChanges = (record: LinkRecord, given: LinkChanges): DataOf<'link.updated'>['changes'] => {
  const changes: DataOf<'link.updated'>['changes'] = pick(given, LINK);
  for (const { node_id } of given.nodes ?? [])
    if (!record.nodes.some((n) => n.node_id === node_id)) throw notFound('Node of the link', node_id);
  if (given.nodes !== undefined)
    changes.nodes = record.nodes.map((end) => {
      const label = given.nodes?.find((n) => n.node_id === end.node_id)?.label;
      return label === undefined ? end : { ...end, label };
    });
  return realChanges(record, changes);
};
