import { turnedRound } from '../../common/forms/filter-names.ts';
import type { Lab, LabDrawing } from '../../files/lab/model.ts';
import type { LinkRecord, NodeRecord, ProjectRecord } from '../../projections/records.ts';
import type { BatchStep } from '../batch/interface.ts';
import type { LabContext } from '../context.ts';
import { changesOf, type TextChange } from './nodes.ts';
import { keyOf, type LinkTarget, type ReadyTarget, type Wrong } from './targets.ts';

/** A text and a lab, as they are held against each other. */
export interface Given {
  context: LabContext;
  lab: Lab;
  project: ProjectRecord | null;
  projectId: string;
  nodes: readonly NodeRecord[];
  targets: readonly ReadyTarget[];
  links: readonly LinkTarget[];
  texts: ReadonlyMap<string, { texts: TextChange[]; files: TextChange[] }>;
  wrong: Wrong;
}

/** A step, with what of the text it is for. */
export interface Planned {
  step: BatchStep;
  path: PropertyKey[];
  /** Texts that become files: no event says what they were. */
  texts?: readonly TextChange[];
}

/** What goes, first links and then nodes; then what changes, what comes, and links between all of that. */
export const stepsFor = (given: Given, gone: readonly NodeRecord[]): Planned[] => {
  const links = linkSteps(given);
  return [
    ...links.removed,
    ...gone.map((record): Planned => ({
      step: { action: 'delete', type: 'node', id: record.node_id },
      path: ['nodes'],
    })),
    ...renames(given, gone),
    ...given.targets.flatMap((target) => nodeStep(given, target)),
    ...links.others,
    ...drawingSteps(given),
  ];
};

/** In an order in which each name is free. */
const renames = ({ targets, nodes, wrong }: Given, gone: readonly NodeRecord[]): Planned[] => {
  const left = targets.filter(({ record, said }) => record !== null && record.name !== said.name);
  const held = new Map(nodes.filter((record) => !gone.includes(record)).map((record) => [record.name, record.node_id]));
  const planned: Planned[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ said }) => !held.has(said.name));
    const [target] = left.splice(Math.max(0, next), 1);
    if (target?.record == null) break;
    const path = ['nodes', target.said.name, 'was'];
    if (next < 0) throw wrong(path, 'goes in a circle: rename one of them to a third name first');
    held.delete(target.record.name);
    planned.push({
      step: { action: 'update', type: 'node', id: target.id, changes: { name: target.said.name } },
      path,
    });
  }
  return planned;
};

const nodeStep = ({ texts }: Given, target: ReadyTarget): Planned[] => {
  const { id, said, input } = target;
  const path = ['nodes', said.name];
  if (input !== null) return [{ step: { action: 'create', type: 'node', input }, path }];
  const changed = texts.get(id)?.texts ?? [];
  return [{ step: { action: 'update', type: 'node', id, changes: changesOf(target) }, path, texts: changed }];
};

const linkSteps = ({ context, projectId, project, links }: Given): { removed: Planned[]; others: Planned[] } => {
  const there = project === null ? [] : context.pending.ofProject('link', projectId);
  const byKey = new Map(there.map((record) => [keyOf(record.nodes), record]));
  const wanted = new Set(links.map(({ key }) => key));
  return {
    removed: there
      .filter((record) => !wanted.has(keyOf(record.nodes)))
      .map(({ link_id }) => ({ step: { action: 'delete', type: 'link', id: link_id }, path: ['links'] })),
    others: links.map((link, i) => ({ step: linkStep(link, byKey.get(link.key)), path: ['links', i] })),
  };
};

const linkStep = ({ ends, filters, said }: LinkTarget, record: LinkRecord | undefined): BatchStep => {
  const { suspend = false, style } = said;
  const more = style === undefined ? {} : { link_style: style };
  if (record === undefined)
    return { action: 'create', type: 'link', input: { nodes: ends, filters, suspend, ...more } };
  const isTurned = record.nodes[0]?.node_id !== ends[0]?.node_id;
  const changes = { filters: isTurned ? turnedRound(filters) : filters, suspend, ...more };
  return { action: 'update', type: 'link', id: record.link_id, changes };
};

const drawingKey = ({ svg, x, y, z, rotation, locked = false }: LabDrawing): string =>
  JSON.stringify([svg, x, y, z, rotation, locked]);

const drawingSteps = ({ context, lab, project, projectId }: Given): Planned[] => {
  if (lab.drawings === undefined) return [];
  const left = project === null ? [] : [...context.pending.ofProject('drawing', projectId)];
  const added: Planned[] = [];
  for (const [i, drawing] of lab.drawings.entries()) {
    const same = left.findIndex((record) => drawingKey(record) === drawingKey(drawing));
    if (same >= 0) left.splice(same, 1);
    else added.push({ step: { action: 'create', type: 'drawing', input: { ...drawing } }, path: ['drawings', i] });
  }
  const gone = left.map(({ drawing_id: id }): Planned => ({
    step: { action: 'delete', type: 'drawing', id },
    path: ['drawings'],
  }));
  return [...gone, ...added];
};
