import { isDeepStrictEqual } from 'node:util';
import { conflict, invalid, notFound, TopologError } from '../../common/errors.ts';
import { Mailboxes } from '../../common/mailbox.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { history, parseMoment } from '../../events/history.ts';
import { type Edit, type EditType, isSamePerson, nextOf, type EditState, editStates } from '../../projections/edits.ts';
import type { RecordView } from '../../projections/records.ts';
import { performBatch } from '../batch/batch.ts';
import type { BatchStep } from '../batch/interface.ts';
import type { Caller } from '../caller.ts';
import { type LabContext, openProjectOf, projectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { consoleSupply, lookAtConsoles } from '../node/consoles.ts';
import type { ProjectCommands } from '../project/interface.ts';
import { checkProjectName } from '../project/names.ts';
import type { Left, LeftReason, ObjectAddress, Restored, UndoCommands, Undone } from './interface.ts';
import { withoutLostFiles } from './kept-files.ts';
import { type Plan, planOf, type Target, targetsOf } from './plan.ts';

/** As many are named. */
const MOST = 3;

/** What stays as it is, and why, as a sentence. */
const sentenceOf = (left: readonly Left[]): string => {
  const named = left.slice(0, MOST).map(sayOne);
  const more = left.length - named.length;
  return [...named, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
};

const SAYS: Record<LeftReason, (what: string, by: string, fields: string) => string> = {
  changed: (what, by, fields) => `${fields}${what} was changed${by} since`,
  deleted: (what, by) => `${what} was deleted${by} since`,
  exists: (what) => `${what} is there again`,
  linked: (what) => `${what} has links that are not of this edit`,
  no_end: (what) => `${what} misses a node, or its port has another link`,
  not_kept: (what, _by, fields) => `the log does not keep ${fields}${what}`,
};

const sayOne = ({ type, name, fields, why, by }: Left): string => {
  const what = name ?? `a ${type}`;
  const said = fields.length === 0 ? '' : `${fields.slice(0, MOST).map(plain).join(', ')} of `;
  return SAYS[why](what, by === null ? '' : ` by ${by.principal}`, said);
};

const plain = (field: string): string =>
  field.startsWith('nodes.') ? 'a label' : field.replace(/^properties\./, '').replace(/^label\./, 'label ');

/** What objects are to be as they were in a view: those that are asked for, or all of the lab. */
const targetsAt = (
  { pending }: LabContext,
  projectId: string,
  then: RecordView,
  objects: readonly ObjectAddress[] | undefined,
): Target[] => {
  const of = (view: RecordView, { type, id }: ObjectAddress): Target['before'] => {
    const record = view.get(type, id);
    return record?.project_id === projectId ? record : null;
  };
  return (objects ?? allOf(projectId, [then, pending])).flatMap((address, index) => {
    const before = of(then, address);
    const after = of(pending, address);
    if (objects !== undefined && before === null && after === null)
      throw invalid(`there was no such ${address.type} at that moment, and there is none`, {
        field: `objects.${index}.id`,
      });
    if (before === null && after === null) return [];
    return [{ ...address, before, after, notKept: [] } as unknown as Target];
  });
};

const allOf = (projectId: string, views: readonly RecordView[]): ObjectAddress[] => {
  const found = new Map<string, ObjectAddress>([[projectId, { type: 'project', id: projectId }]]);
  const add = (type: ObjectAddress['type'], id: string): void => void found.set(id, { type, id });
  for (const view of views) {
    for (const { node_id } of view.ofProject('node', projectId)) add('node', node_id);
    for (const { link_id } of view.ofProject('link', projectId)) add('link', link_id);
    for (const { drawing_id } of view.ofProject('drawing', projectId)) add('drawing', drawing_id);
  }
  return [...found.values()];
};

type Settings = Pick<ProjectCommands, 'updateProject'>;
type What = 'undo' | 'redo';

/**
 * Undo is a change like any other, of the same person: what its edit touched becomes what it was, where nobody has changed it since. Its
 * events have the edit as their cause, so that the log alone tells what is undone. To redo is to undo that.
 */
export const undoCommands = (directory: Directory, projects: Settings): UndoCommands => {
  const { context } = directory;
  // One at a time in a project: a second one takes back what is then the last.
  const queues = new Mailboxes();
  const again = (caller: Caller, projectId: string, what: What, position?: number): Promise<Undone> =>
    queues.run(projectId, () => takeBack({ directory, projects, caller, projectId }, what, position));
  return {
    undo: (caller, projectId, position) => again(caller, projectId, 'undo', position),
    redo: (caller, projectId, position) => again(caller, projectId, 'redo', position),
    async restore(caller, projectId, { at, objects, plan }) {
      projectOf(context.pending, projectId);
      const { log, moments } = context;
      const position = await parseMoment(log.store, log.status().position, at);
      const then = await moments.at(projectId, position);
      if (then.get('project', projectId) === undefined)
        throw conflict('the project was not there at that moment', { field: 'at' });
      const planned = (): Steps<Plan> => planOf(context, targetsAt(context, projectId, then, objects));
      const { changes, left } = await inSlices(planned());
      if (plan !== true) await perform({ directory, projects, caller, projectId }, planned);
      return { position, changes, left: await withNames(context, projectId, left, position) } satisfies Restored;
    },
  };
};

interface Asked {
  directory: Directory;
  projects: Settings;
  caller: Caller;
  projectId: string;
}

const takeBack = async (asked: Asked, what: What, position?: number): Promise<Undone> => {
  const { context } = asked.directory;
  const { caller, projectId } = asked;
  projectOf(context.pending, projectId);
  const all = editStates(await context.edits.of(projectId));
  const standing = chosen(all, caller, what, position);
  const { edit, latest } = standing;
  const targets = targetsOf(await context.edits.stepsOf(projectId, latest));
  const planned = (): Steps<Plan> => planOf(context, targets);
  const plan = await inSlices(planned());
  const left = await withNames(context, projectId, plan.left, latest.last);
  if (plan.changes.length === 0)
    throw conflict(`nothing is left to ${what}${left.length === 0 ? '' : `: ${sentenceOf(left)}`}`, {
      ...{ position: edit.position, nothing_left: true, left },
    });
  await perform(
    { ...asked, caller: { by: caller.by, request_id: caller.request_id, cause: latest.position } },
    planned,
  );
  return { edit, changes: plan.changes, left };
};

const DONE: Record<What, string> = { undo: 'undone', redo: 'done' };

const chosen = (all: readonly EditState[], { by }: Caller, what: What, position?: number): EditState => {
  if (position === undefined) {
    const next = nextOf(all, by, what);
    if (next === undefined) throw conflict(`you have nothing to ${what}`);
    return next;
  }
  const standing = all.find(({ edit }) => edit.position === position);
  if (standing === undefined) throw notFound('Edit', String(position));
  const why = refusalOf(standing, by, what);
  if (why !== null) throw conflict(why, { position });
  return standing;
};

/** Why somebody cannot take back an edit, or make it again; null: nothing is known that keeps them from it. */
const refusalOf = ({ edit, isUndone, isOver }: EditState, by: Edit['by'], what: What): string | null => {
  if (!isSamePerson(edit.by, by)) return `that edit is by ${edit.by.principal}: you can ${what} your own`;
  if (isUndone !== (what === 'redo')) return `that edit is ${DONE[what]} already`;
  return what === 'redo' && isOver ? 'you have edited the lab since: that edit cannot be redone' : null;
};

/** The steps do not fit any more. */
class Outrun extends Error {}
const MOST_TRIES = 5;

/** Carries out a plan that is right at the moment that it is decided on: all of it or nothing. */
const perform = async (
  { directory, projects, caller, projectId }: Asked,
  planned: () => Steps<Plan>,
): Promise<void> => {
  const { context } = directory;
  for (let tries = 1; ; tries++) {
    const { steps, settings, changes } = await inSlices(planned());
    if (changes.length === 0) return;
    const check = function* (): Steps<void> {
      const now = (yield* planned()).steps;
      if (now.length !== steps.length) throw new Outrun();
      for (const [index, step] of steps.entries()) {
        if (!isDeepStrictEqual(now[index], step)) throw new Outrun();
        yield;
      }
    };
    try {
      if (settings.name !== undefined) checkProjectName(context.pending, settings.name, projectId);
      if (steps.length > 0) {
        openProjectOf(context.pending, projectId);
        const ready = await withFreeConsoles(context, await withoutLostFiles(context, projectId, steps));
        await performBatch({ directory, caller, projectId, steps: ready, check });
      }
      if (Object.keys(settings).length > 0) await projects.updateProject(caller, projectId, settings);
      return;
    } catch (error) {
      if (!(error instanceof Outrun)) throw withoutStep(error);
      if (tries === MOST_TRIES) throw conflict('somebody changes the same all the time; try again');
    }
  }
};

/** Nobody who undoes knows of steps. */
const withoutStep = (error: unknown): unknown => {
  if (!(error instanceof TopologError) || error.details['step'] === undefined) return error;
  const { step: _, ...details } = error.details;
  return TopologError.saying(error.code, error.message.replace(/^steps\.\d+: /, ''), details);
};

/** A console port that another has now is replaced by a free one. */
const withFreeConsoles = async (context: LabContext, steps: readonly BatchStep[]): Promise<BatchStep[]> => {
  const inputs = steps.flatMap((step) => (step.type === 'node' && step.action === 'create' ? [step.input] : []));
  if (inputs.every(({ console }) => console == null)) return [...steps];
  await lookAtConsoles(context, inputs);
  const supply = consoleSupply(context);
  return steps.map((step) => {
    if (step.type !== 'node' || step.action !== 'create' || step.input.console == null) return step;
    if (supply.isFree(step.input.console)) return step;
    const { console: _, ...input } = step.input;
    return { ...step, input };
  });
};

/** As many are looked up. */
const MOST_NAMED = 20;

/** With who it was that changed them after a position. */
const withNames = (context: LabContext, projectId: string, left: Plan['left'], after: number): Promise<Left[]> =>
  Promise.all(
    left.map(async (one, index) => ({
      ...one,
      by: index < MOST_NAMED && LOOKED_UP.has(one.why) ? await changedBy(context, projectId, one, after) : null,
    })),
  );

const LOOKED_UP: ReadonlySet<string> = new Set(['changed', 'deleted', 'exists']);
const TYPES: Record<EditType, readonly string[]> = {
  project: ['project.updated'],
  node: ['node.created', 'node.updated', 'node.deleted'],
  link: ['link.created', 'link.updated', 'link.deleted'],
  drawing: ['drawing.created', 'drawing.updated', 'drawing.deleted'],
};

const changedBy = async (
  { log }: LabContext,
  project_id: string,
  { type, id, fields }: Plan['left'][number],
  after: number,
): Promise<Edit['by'] | null> => {
  const { texts } = await history(log.store, log.status().position, {
    ...{ project_id, from: after + 1, types: TYPES[type] },
    ...(type === 'project' ? {} : { object: id }),
  });
  const events = texts.map((text) => JSON.parse(text) as { by: Edit['by']; data: { changes?: object } });
  const tops = new Set(fields.map((field) => field.split('.')[0]));
  const concerns = ({ data: { changes } }: (typeof events)[number]): boolean =>
    changes === undefined || Object.keys(changes).some((key) => tops.has(key));
  return events.findLast(concerns)?.by ?? null;
};
