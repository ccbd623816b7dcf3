import { isDeepStrictEqual } from 'node:util';
import { portsOf } from '../../emulators/recorded-node.ts';
import type { ProjectSettings } from '../../events/fields.ts';
import { endText, portText } from '../../files/lab/ends.ts';
import type { DrawingRecord, LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { BatchStep } from '../batch/interface.ts';
import { DEFAULT_SETTINGS, SETTINGS_WHEN_ABSENT } from '../../model/project.ts';
import { knownVariables } from '../project/fields.ts';
import { type Decision, realChanges } from '../runtime/decision.ts';
import type { LabChange } from './interface.ts';
import { isMoved } from './nodes.ts';
import type { Given, Planned } from './steps.ts';
import { keyOf } from './targets.ts';

/** A change, with the place of the text that it is for, and the id of what is there; null: it is new. */
export type PlacedChange = LabChange & { path: readonly PropertyKey[]; id: string | null };

/** All that has to be done for a lab to be what its text says, in the order in which it is. */
export interface Work {
  changes: PlacedChange[];
  /** Changes of nodes among them, by the node's name. */
  changed: Map<string, PlacedChange>;
  settings: Partial<ProjectSettings>;
  /** Those that name nodes and links, once these are there. */
  lessons: Pick<ProjectSettings, 'checks' | 'stages' | 'weather'>;
  /** Nodes that run and have to stand still meanwhile: those that are deleted, and those that run again afterwards. */
  stops: { node_id: string; again: boolean }[];
  moves: { node_id: string; to: string }[];
  steps: BatchStep[];
  files: { node_id: string; name: string; text: string }[];
  /** Sentences about what can be done and is likely a mistake. */
  notes: string[];
}

export const settingsOf = ({ context, lab, project, projectId }: Given): Partial<ProjectSettings> =>
  realChanges(
    { ...DEFAULT_SETTINGS, ...SETTINGS_WHEN_ABSENT, ...project },
    { ...lab.settings, ...knownVariables(context, projectId, lab.settings, project ?? {}) },
  );

export const addSettings = ({ project, lab }: Given, work: Work): void => {
  const before: object = { ...DEFAULT_SETTINGS, ...SETTINGS_WHEN_ABSENT, ...project };
  const fields = Object.entries(work.settings).map(([field, to]) => ({ field, from: valueIn(before, field), to }));
  const about = { type: 'project', name: project?.name ?? lab.name, path: ['settings'], id: null } as const;
  const change = { ...about, compute_id: null, restart: false };
  if (project === null) work.changes.push({ ...change, action: 'add', fields });
  else if (fields.length > 0) work.changes.push({ ...change, action: 'change', fields });
};

const valueIn = (record: object, key: string): unknown => (record as Readonly<Record<string, unknown>>)[key] ?? null;

export interface Outcome {
  /** As it was, standing still; undefined: it is new. */
  before: NodeRecord | LinkRecord | DrawingRecord | undefined;
  decision: Decision;
}

/** Takes a step into the work, unless it changes nothing that the text says: that a node has not started is no difference. */
export const take = (given: Given, work: Work, planned: Planned, outcome: Outcome): void => {
  const { step, path, texts = [] } = planned;
  const { before, decision } = outcome;
  if (decision.events.length === 0) return;
  if (step.action === 'update' && texts.length === 0 && updatedFields(before, decision).length === 0) return;
  work.steps.push(step);
  if (step.type === 'node') takeNode(given, work, { ...planned, step }, outcome);
  else
    work.changes.push({
      ...plainChange(given, step, before),
      path,
      id: idOf(step),
      fields: updatedFields(before, decision),
    });
};

const idOf = (step: BatchStep): string | null => (step.action === 'create' ? null : step.id);

const ACTIONS = { create: 'add', update: 'change', delete: 'remove' } as const;

const plainChange = (
  given: Given,
  step: Exclude<BatchStep, { type: 'node' }>,
  before: Outcome['before'],
): Omit<LabChange, 'fields'> => {
  const name = nameOfThing(given, step, before);
  return { action: ACTIONS[step.action], type: step.type, name, compute_id: null, restart: false };
};

/** As plans have it. */
export const nameOfThing = (given: Given, step: BatchStep, before: Outcome['before']): string => {
  if (step.type === 'drawing') return nameOfDrawing(step, before);
  return step.type === 'link' ? nameOfLink(given, step, before) : ((before as NodeRecord | undefined)?.name ?? '');
};

const nameOfDrawing = (step: Extract<BatchStep, { type: 'drawing' }>, before: Outcome['before']): string => {
  const { x = 0, y = 0 } = step.action === 'create' ? step.input : (before as DrawingRecord);
  return `at ${x}, ${y}`;
};

const nameOfLink = (
  { context: { kinds }, byId: { records, targets, links } }: Given,
  step: Extract<BatchStep, { type: 'link' }>,
  before: Outcome['before'],
): string => {
  const ends = step.action === 'create' ? step.input.nodes : (before as LinkRecord).nodes;
  const said = links.get(keyOf(ends));
  if (said !== undefined) return said.name;
  return ends
    .map(({ node_id, adapter_number, port_number }) => {
      const node = records.get(node_id);
      const ports = node === undefined ? [] : portsOf(kinds, node);
      const port = ports.find((one) => one.adapter_number === adapter_number && one.port_number === port_number);
      const name = targets.get(node_id)?.said.name ?? node?.name ?? node_id;
      return endText({
        node: name,
        port: port === undefined ? `${adapter_number}/${port_number}` : portText(ports, port),
      });
    })
    .join(' – ');
};

/** What the server makes of other fields. */
const DERIVED = new Set(['label', 'texts', 'width', 'height', 'failure', 'text_files']);

const updatedFields = (before: Outcome['before'], { events }: Decision): LabChange['fields'] => {
  const [event] = events;
  if (event === undefined || !('changes' in event.data) || before === undefined) return [];
  return Object.entries<unknown>(event.data.changes).flatMap(([field, to]) => {
    if (DERIVED.has(field)) return [];
    if (field !== 'properties') return [{ field, from: valueIn(before, field), to }];
    const was = (before as NodeRecord).properties;
    const keys = [...new Set([...Object.keys(was), ...Object.keys(to as object)])];
    return keys
      .map((key) => ({ field: key, from: valueIn(was, key), to: valueIn(to as object, key) }))
      .filter(({ from, to: after }) => !isDeepStrictEqual(from, after));
  });
};

/** Fields that a node which runs does not take. */
const NEED_STOP = new Set([
  'console',
  'console_type',
  'port_name_format',
  'port_segment_size',
  'first_port_name',
  'custom_adapters',
]);

const takeNode = (
  { context, byId: { targets, records } }: Given,
  work: Work,
  { step, texts = [], path }: Planned & { step: Extract<BatchStep, { type: 'node' }> },
  { before: record, decision }: Outcome,
): void => {
  const plain = { type: 'node', path, id: idOf(step), restart: false } as const;
  if (step.action === 'create') {
    const { name, compute_id = null } = step.input;
    work.changes.push({ ...plain, fields: [], action: 'add', name, compute_id });
    return;
  }
  const before = record as NodeRecord;
  const { name, compute_id, node_id } = before;
  if (step.action === 'delete') {
    work.changes.push({ ...plain, fields: [], action: 'remove', name, compute_id });
    return;
  }
  const fields = [...updatedFields(before, decision), ...texts.map(({ field, from, to }) => ({ field, from, to }))];
  const target = targets.get(node_id);
  const kind = context.kinds.get(before.kind);
  const after = decision.events.find((event) => event.type === 'node.updated')?.data.changes;
  const needsStop =
    texts.length > 0 ||
    fields.some(({ field }) => NEED_STOP.has(field)) ||
    (after?.properties !== undefined && (kind?.needsStop(before.properties, after.properties).length ?? 0) > 0);
  const runs = records.get(node_id)?.state !== 'stopped';
  const restart = needsStop && runs;
  if (restart) stopOnce(work, node_id);
  const now = target?.said.name ?? name;
  merge(work, { ...plain, path: ['nodes', now], action: 'change', name: now, compute_id, restart, fields });
};

const stopOnce = (work: Work, node_id: string): void => {
  if (!work.stops.some((one) => one.node_id === node_id)) work.stops.push({ node_id, again: true });
};

/** A name and other fields of a node are one change of it. */
const merge = (work: Work, change: PlacedChange): void => {
  const known = work.changed.get(change.name);
  if (known === undefined) {
    work.changes.push(change);
    work.changed.set(change.name, change);
  } else
    Object.assign(known, { restart: known.restart || change.restart, fields: [...known.fields, ...change.fields] });
};

/** What no event of the batch says: nodes that go to another compute, and files. */
export const addRest = ({ targets, texts }: Given, work: Work): void => {
  for (const target of targets) {
    const { id, said, record, compute = null } = target;
    const about = { action: 'change', type: 'node', name: said.name, path: ['nodes', said.name], id } as const;
    const change = { ...about, compute_id: record?.compute_id ?? null };
    const runs = record !== null && record.state !== 'stopped';
    const files = texts.get(id)?.files ?? [];
    work.files.push(...files.map(({ file, to }) => ({ node_id: id, name: file, text: to })));
    const fields = files.map(({ field, from, to }) => ({ field, from, to }));
    if (isMoved(target) && compute !== null) {
      work.moves.push({ node_id: id, to: compute });
      fields.push({ field: 'compute', from: record?.compute_id ?? '', to: compute });
    }
    if (record === null || fields.length === 0) continue;
    if (runs) stopOnce(work, id);
    merge(work, { ...change, restart: runs, fields });
  }
};
