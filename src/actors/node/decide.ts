import { randomUUID } from 'node:crypto';
import { conflict } from '../../common/errors.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { NamePolicy } from '../caller.ts';
import { type LabContext, nodeOf, openProjectOf } from '../context.ts';
import { type Decision, isNothing, type StepOf } from '../runtime/decision.ts';
import { type ConsoleSupply, consoleSupply } from './consoles.ts';
import { changesOf, kindOf, nameFor, newNode, type Numbers } from './fields.ts';
import type { NodeChanges } from './interface.ts';
import type { NodeTexts } from './texts.ts';

interface Choices {
  /** What becomes of a name that another node has. */
  names?: NamePolicy;
  /** Console ports for new nodes, and numbers of their names, shared by those that are decided together. */
  consoles?: ConsoleSupply;
  numbers?: Numbers;
  /** Texts that become files of the node. Absent: nothing comes of the decision. */
  texts?: NodeTexts;
}

/** A node that runs is stopped, and one with captures has none, before its deletion is decided. */
export const decideNode = (
  context: LabContext,
  project_id: string,
  step: StepOf<'node'>,
  { names = 'make_unique', consoles, numbers, texts }: Choices = {},
): Decision => {
  const { pending, secrets } = context;
  if (step.action === 'create') {
    const project = openProjectOf(pending, project_id);
    const properties = secrets.known(project_id, step.input.properties ?? {});
    const node_id = step.input.node_id ?? randomUUID();
    if (pending.get('node', node_id) !== undefined)
      throw conflict(`node_id ${node_id} is in use`, { field: 'node_id' });
    const name = nameFor(pending, { project_id }, step.input.name, { policy: names, numbers });
    const input = { ...step.input, properties, node_id, name };
    const data = newNode(context, project, input, consoles ?? consoleSupply(context));
    const written = texts?.told(kindOf(context, data.kind), properties, data);
    return { id: node_id, events: [{ type: 'node.created', data: { ...data, ...written } }] };
  }
  const node_id = step.id;
  const record = nodeOf(pending, { project_id, node_id });
  if (step.action === 'update') {
    const wished = withKnown(context, record, step.changes);
    const changes = changesOf(context, record, wished, names);
    if (isNothing(changes)) return { id: node_id, events: [] };
    const elsewhere = !context.computes.isHere(record.compute_id);
    const named = { ...record, name: changes.name ?? record.name };
    const given = { ...record.properties, ...wished.properties };
    const written = texts?.told(kindOf(context, record.kind), given, named, elsewhere);
    return { id: node_id, events: [{ type: 'node.updated', data: { node_id, project_id, changes, ...written } }] };
  }
  refuseLocked(record);
  if (record.state !== 'stopped' && context.kinds.get(record.kind)?.capabilities.always_on !== true)
    throw conflict(`${record.name} runs; stop it first`);
  return {
    id: node_id,
    events: [
      ...pending
        .linksOf(node_id)
        .map(({ link_id }) => ({ type: 'link.deleted' as const, data: { link_id, project_id } })),
      { type: 'node.deleted', data: { node_id, project_id } },
    ],
  };
};

/** Secrets that the node has already stay what they are, also where they are sent back as they are shown. */
const withKnown = (
  { secrets }: LabContext,
  { project_id, texts, properties: before }: NodeRecord,
  changes: NodeChanges,
): NodeChanges => {
  const { properties } = changes;
  if (properties === undefined) return changes;
  return { ...changes, properties: secrets.known(project_id, properties, { ...texts, ...before }) };
};

export const refuseLocked = ({ locked, name }: NodeRecord): void => {
  if (locked) throw conflict(`${name} is locked`);
};
