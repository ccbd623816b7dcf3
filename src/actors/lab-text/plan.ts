import { randomUUID } from 'node:crypto';
import { TopologError } from '../../common/errors.ts';
import { HIDDEN, replaceSecrets } from '../../common/lab-secrets/texts.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import type { LabReading } from '../../files/lab/model.ts';
import { problemAmong } from '../../files/lab/problems.ts';
import { scratchOf } from '../../projections/past/scratch.ts';
import type { NodeRecord, ProjectRecord, RecordView } from '../../projections/records.ts';
import type { BatchStep } from '../batch/interface.ts';
import type { Caller } from '../caller.ts';
import { type LabContext, projectOf, SYSTEM_CALLER } from '../context.ts';
import { decideDrawing } from '../drawing/decide.ts';
import { decideLink } from '../link/decide.ts';
import { consoleSupply } from '../node/consoles.ts';
import { decideNode } from '../node/decide.ts';
import { DEFAULT_SETTINGS } from '../../model/project.ts';
import { type Decision, draftsOf } from '../runtime/decision.ts';
import { addRest, addSettings, nameOfThing, type Outcome, settingsOf, take, type Work } from './changes.ts';
import { addLessons, addWeather, tryExpressions } from './lessons.ts';
import { etagOfPlan, type LabPlan, type LabTextInput } from './interface.ts';
import { mistakesIn } from './lint.ts';
import { readyTargets, withoutKeptTexts } from './nodes.ts';
import { type Given, stepsFor } from './steps.ts';
import { targetsOf } from './look.ts';
import { atPlace, linkTargetsOf } from './targets.ts';

/** Plans the changes; `project` null: a new one, so all of the lab. `lint`: also notes unfinished parts. */
export const workFor = async (
  context: LabContext,
  { lab, placeOf }: LabReading,
  project: ProjectRecord | null,
  { lint = false } = {},
): Promise<Work> => {
  const { pending } = context;
  const projectId = project?.project_id ?? randomUUID();
  const nodes = project === null ? [] : pending.ofProject('node', projectId);
  const records = new Map(nodes.map((record) => [record.name, record]));
  const wrong = problemAmong(placeOf);
  const said = { context, nodes: lab.nodes, wrong, records };
  const looked = { ...lab, links: [...lab.links.entries()], stages: [...(lab.stages ?? []).entries()] };
  const all = await inSlices(targetsOf(said, looked));
  const found = await withoutKeptTexts(context, all);
  const targets = await readyTargets(
    context,
    { projectId, compute: lab.settings.default_compute, links: lab.links, targets: found.map(({ target }) => target) },
    wrong,
  );
  const links = await linkTargetsOf(lab.links, targets, wrong);
  const texts = new Map(found.map((one) => [one.target.id, one]));
  const byId = {
    records: new Map(nodes.map((record) => [record.node_id, record])),
    targets: new Map(targets.map((target) => [target.id, target])),
    links: new Map(links.map((link) => [link.key, link])),
  };
  const given: Given = { context, lab, project, projectId, nodes, targets, links, texts, wrong, byId };
  const { work, view } = await inSlices(working(given));
  await tryExpressions(given);
  await addWeather(given, view, work);
  work.notes.push(...(await inSlices(mistakesIn({ given, view, targets: all, placeOf }, lint))));
  return work;
};

/** null: there is none. */
export const projectFor = (
  { pending }: LabContext,
  { lab }: LabReading,
  { project_id }: LabTextInput,
): ProjectRecord | null =>
  project_id === undefined
    ? (pending.projects().find(({ name }) => name === lab.name) ?? null)
    : projectOf(pending, project_id);

export const planOf = (
  { lab, notes }: LabReading,
  project: ProjectRecord | null,
  { changes, notes: more }: Work,
): LabPlan => {
  const other = project !== null && project.name !== lab.name ? [`the project keeps its name, ${project.name}`] : [];
  return {
    project_id: project?.project_id ?? null,
    name: project?.name ?? lab.name,
    changes: changes.map(({ path: _path, id: _id, fields, ...change }) => ({
      ...change,
      fields: replaceSecrets(fields, () => HIDDEN),
    })),
    notes: [...notes, ...other, ...more],
  };
};

/** Refuses what somebody has agreed to another plan for. */
export const checkPlanned = ({ expected }: Pick<Caller, 'expected'>, plan: LabPlan): void => {
  if (expected === undefined || expected.includes('*')) return;
  const etag = etagOfPlan(plan);
  if (!expected.includes(etag))
    throw new TopologError('precondition_failed', { what: `the plan for ${plan.name}`, etag });
};

function* working(given: Given): Steps<{ work: Work; view: RecordView }> {
  const { context, project, projectId, nodes, targets, wrong } = given;
  const kept = new Set(targets.flatMap(({ record }) => (record === null ? [] : [record.node_id])));
  const gone = nodes.filter(({ node_id }) => !kept.has(node_id));
  const scratch = yield* scratchOf(context.pending);
  const staged = { ...context, pending: scratch.view };
  const foldAll = (events: Parameters<typeof draftsOf>[2]): void =>
    draftsOf(SYSTEM_CALLER, projectId, events).forEach((event) => scratch.fold(event));
  if (project === null) foldAll(newProject(given));
  // Applying opens it.
  else if (project.state !== 'opened') foldAll(opening(projectId));
  // Everything stands still here: what cannot be changed while it runs is stopped first.
  foldAll(stopped(nodes));
  const consoles = consoleSupply(staged);
  const work: Work = {
    changes: [],
    changed: new Map(),
    settings: settingsOf(given),
    lessons: {},
    stops: [],
    moves: [],
    steps: [],
    files: [],
    notes: [],
  };
  addSettings(given, work);
  for (const planned of stepsFor(given, gone)) {
    const { step, path } = planned;
    try {
      const before = recordOf(staged, step);
      const decision = decided(staged, projectId, step, consoles);
      foldAll(decision.events);
      take(given, work, planned, { before, decision });
    } catch (error) {
      throw step.action === 'delete' ? notRemoved(given, step, error) : atPlace(wrong, path, error);
    }
    yield;
  }
  for (const { node_id, state, kind } of gone)
    if (state !== 'stopped' && context.kinds.get(kind)?.capabilities.always_on !== true)
      work.stops.push({ node_id, again: false });
  addRest(given, work);
  addLessons(given, scratch.view, work);
  return { work, view: scratch.view };
}

const recordOf = ({ pending }: Pick<LabContext, 'pending'>, step: BatchStep): Outcome['before'] =>
  step.action === 'create' ? undefined : pending.get(step.type, step.id);

const decided = (
  context: LabContext,
  projectId: string,
  step: BatchStep,
  consoles: ReturnType<typeof consoleSupply>,
): Decision => {
  if (step.type === 'node') return decideNode(context, projectId, step, { names: 'conflict', consoles });
  if (step.type === 'link') return decideLink(context, projectId, step);
  return decideDrawing(context.pending, projectId, step);
};

const newProject = ({ lab, projectId: project_id }: Given): Parameters<typeof draftsOf>[2] => {
  const place = { path: '', filename: '', file_sha256: null, extra: {} };
  return [
    { type: 'project.created', data: { ...DEFAULT_SETTINGS, name: lab.name, project_id, ...place } },
    ...opening(project_id),
  ];
};

const opening = (project_id: string): Parameters<typeof draftsOf>[2] => [
  { type: 'project.open_requested', data: { project_id } },
  { type: 'project.opened', data: { project_id } },
];

/** No line of the text is at fault for what it does not have. */
const notRemoved = (given: Given, step: BatchStep, error: unknown): unknown => {
  if (!(error instanceof TopologError)) return error;
  const what = `${step.type} ${nameOfThing(given, step, recordOf(given.context, step))}`;
  return TopologError.saying(error.code, `${what}, which the text does not have, cannot be removed: ${error.message}`);
};

const stopped = (nodes: readonly NodeRecord[]): Parameters<typeof draftsOf>[2] =>
  nodes.flatMap(({ node_id, project_id, state }) =>
    state === 'stopped' ? [] : [{ type: 'node.stopped' as const, data: { node_id, project_id } }],
  );
