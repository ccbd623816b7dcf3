import { randomUUID } from 'node:crypto';
import { reverseFilters } from '../../common/forms/filters.ts';
import type { Lab, LabDrawing, ProblemAt } from '../../files/lab/model.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord } from '../../projections/records.ts';
import type { BatchStep } from '../batch/interface.ts';
import type { LabContext } from '../context.ts';
import { changesOf, type TextChange } from './nodes.ts';
import { keyOf, type LinkTarget, type ReadyTarget } from './targets.ts';
import { fromLab } from '../../model/derive.ts';
import { LINK, LINK_IN_LAB } from '../../model/link.ts';

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
  wrong: ProblemAt;
  /** The same by id, and links of the text by their ports: large labs have thousands of each. */
  byId: {
    records: ReadonlyMap<string, NodeRecord>;
    targets: ReadonlyMap<string, ReadyTarget>;
    links: ReadonlyMap<string, LinkTarget>;
  };
}

/** A step, with what of the text it is for. */
export interface Planned {
  step: BatchStep;
  path: PropertyKey[];
  /** Texts that become files: no event says what they were. */
  texts?: readonly TextChange[];
}

/** What goes, first links and then nodes; then what changes, what comes, and links between all of that. */
export function* stepsFor(given: Given, gone: readonly NodeRecord[]): Generator<Planned> {
  const links = linkSteps(given);
  const drawings = drawingSteps(given);
  yield* links.removed;
  for (const { node_id: id } of gone) yield { step: { action: 'delete', type: 'node', id }, path: ['nodes'] };
  yield* renames(given, gone);
  for (const target of given.targets) yield nodeStep(given, target);
  yield* links.others;
  yield* drawings;
}

/** In an order in which each name is free. */
const renames = ({ targets, nodes, wrong }: Given, gone: readonly NodeRecord[]): Planned[] => {
  const left = new Map(targets.flatMap((target) => (isRenamed(target) ? [[target.said.name, target] as const] : [])));
  const goes = new Set(gone);
  const held = new Set(nodes.filter((record) => !goes.has(record)).map(({ name }) => name));
  const free = [...left.values()].filter(({ said }) => !held.has(said.name));
  const planned: Planned[] = [];
  for (let target = free.shift(); target !== undefined; target = free.shift()) {
    const { name } = target.said;
    planned.push({ step: { action: 'update', type: 'node', id: target.id, changes: { name } }, path: pathOf(target) });
    left.delete(name);
    const next = left.get(target.record?.name ?? '');
    if (next !== undefined) free.unshift(next);
  }
  for (const target of left.values())
    throw wrong(pathOf(target), 'goes in a circle: rename one of them to a third name first');
  return planned;
};

const isRenamed = ({ record, said }: ReadyTarget): boolean => record !== null && record.name !== said.name;
const pathOf = ({ said }: ReadyTarget): PropertyKey[] => ['nodes', said.name, 'was'];

const nodeStep = ({ texts }: Given, target: ReadyTarget): Planned => {
  const { id, said, input } = target;
  const path = ['nodes', said.name];
  if (input !== null) return { step: { action: 'create', type: 'node', input }, path };
  const changed = texts.get(id)?.texts ?? [];
  return { step: { action: 'update', type: 'node', id, changes: changesOf(target) }, path, texts: changed };
};

const linkSteps = ({
  context,
  projectId,
  project,
  links,
}: Given): { removed: Planned[]; others: Iterable<Planned> } => {
  const there = project === null ? [] : context.pending.ofProject('link', projectId);
  const byKey = new Map(there.map((record) => [keyOf(record.nodes), record]));
  const wanted = new Set(links.map(({ key }) => key));
  return {
    removed: there
      .filter((record) => !wanted.has(keyOf(record.nodes)))
      .map(({ link_id }) => ({ step: { action: 'delete', type: 'link', id: link_id }, path: ['links'] })),
    others: otherLinks(links, byKey),
  };
};

function* otherLinks(links: Given['links'], byKey: ReadonlyMap<string, LinkRecord>): Generator<Planned> {
  for (const [i, link] of links.entries()) yield { step: linkStep(link, byKey.get(link.key)), path: ['links', i] };
}

const linkStep = ({ ends, filters, said }: LinkTarget, record: LinkRecord | undefined): BatchStep => {
  const settings = { suspend: LINK.suspend.initial, ...fromLab(LINK_IN_LAB, said) };
  if (record === undefined)
    return { action: 'create', type: 'link', input: { link_id: randomUUID(), nodes: ends, ...settings, filters } };
  const isTurned = record.nodes[0]?.node_id !== ends[0]?.node_id;
  const changes = { ...settings, filters: isTurned ? reverseFilters(filters) : filters };
  return { action: 'update', type: 'link', id: record.link_id, changes };
};

const drawingKey = ({ svg, x, y, z, rotation, locked = false }: LabDrawing): string =>
  JSON.stringify([svg, x, y, z, rotation, locked]);

const drawingSteps = ({ context, lab, project, projectId }: Given): Planned[] => {
  if (lab.drawings === undefined) return [];
  const left = new Map<string, DrawingRecord[]>();
  for (const record of project === null ? [] : context.pending.ofProject('drawing', projectId)) {
    const same = left.get(drawingKey(record));
    if (same === undefined) left.set(drawingKey(record), [record]);
    else same.push(record);
  }
  const added: Planned[] = [];
  for (const [i, drawing] of lab.drawings.entries())
    if (left.get(drawingKey(drawing))?.shift() === undefined)
      added.push({ step: { action: 'create', type: 'drawing', input: { ...drawing } }, path: ['drawings', i] });
  const gone = [...left.values()].flat().map(({ drawing_id: id }): Planned => ({
    step: { action: 'delete', type: 'drawing', id },
    path: ['drawings'],
  }));
  return [...gone, ...added];
};
