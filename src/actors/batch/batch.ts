import { randomUUID } from 'node:crypto';
import { checkFilters } from '../../fabric/client/plumbing.ts';
import { conflict, TopologError } from '../../common/errors.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import { scratchOf } from '../../projections/past/scratch.ts';
import { atOnce, eachInTurns, inSlices, type Steps } from '../../common/slices.ts';
import type { NodeInput } from '../node/interface.ts';
import { type Asked, carryOut, type Decided, type Undone } from './carry-out.ts';
import type { BatchCommand, BatchRecord, BatchStep } from './interface.ts';
import { decideDrawing } from '../drawing/decide.ts';
import { decideLink } from '../link/decide.ts';
import { checkWishedConsole, type ConsoleSupply, consoleSupply, lookAtConsoles } from '../node/consoles.ts';
import { decideNode } from '../node/decide.ts';
import type { Numbers } from '../node/fields.ts';
import { type LabContext, openProjectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { stillFits } from '../project/load.ts';
import { type Decision, draftsOf } from '../runtime/decision.ts';
import { NodeActor } from '../node/actor.ts';
import { endCapturesAt, standStill } from '../node/removal.ts';
import { NodeTexts, withKeptTexts } from '../node/texts.ts';
import type { Append } from '../runtime/together.ts';
import { asPlaced } from '../compute/placing.ts';

type Given = Omit<Asked, 'context' | 'texts'>;

/**
 * Many changes of a project as one batch of events. First everything that takes time: filters are compiled, console ports tried, nodes
 * to be deleted stopped. Then every step is decided on a scratch copy of the records, and what came out is appended when nobody has
 * changed anything meanwhile and the machine of each deleted node finds it possible. What events bring about in the world follows, as
 * it does after each command alone: all of it, and then what could not be is thrown.
 */
export const performBatch = async (given: Given): Promise<BatchRecord[]> => {
  const { decisions, undone } = await carryOutBatch(given);
  const [first] = undone;
  if (first !== undefined) throw first.error;
  return inSlices(recordsOf(given.directory.context, decisions));
};

function* recordsOf(
  { committed }: LabContext,
  decisions: readonly Pick<Decided, 'step' | 'id'>[],
): Steps<BatchRecord[]> {
  const records: BatchRecord[] = [];
  for (const { step, id } of decisions) {
    records.push(step.action === 'delete' ? null : (committed.get(step.type, id) ?? null));
    yield;
  }
  return records;
}

/** `performBatch` that throws only where the batch is not on record. */
export const carryOutBatch = async (
  given: Given,
): Promise<{ decisions: readonly Pick<Decided, 'step' | 'id'>[]; undone: Undone[] }> => {
  const { directory, projectId } = given;
  const { context } = directory;
  openProjectOf(context.pending, projectId);
  const steps = await eachInTurns(given.steps, (step, index) =>
    inStep(index, () => prepared({ context, projectId }, step)),
  );
  await lookAtConsoles(context, steps.flatMap(withoutConsole));
  const texts = new NodeTexts(context, projectId);
  const asked = { ...given, context, steps, texts };
  try {
    const decisions = await appendSteps(asked);
    return { decisions, undone: await carryOut(asked, decisions) };
  } finally {
    await texts.end();
  }
};

const appendSteps = async (asked: Asked): Promise<Decided[]> => {
  const { context, directory, caller } = asked;
  const gone = await toBeDeleted(asked);
  return NodeActor.exclusiveOfAll(gone, async () => {
    for (const node of gone) await standStill(directory, caller, node);
    const decisions = await NodeActor.remove(context, gone, (append) => appended(asked, gone, append));
    // A step after its deletion may have made a node with its id.
    for (const { id } of gone) directory.forgetNode(id);
    return decisions;
  });
};

export const batchCommand = (directory: Directory): BatchCommand => ({
  batch: (caller, projectId, steps) => performBatch({ directory, caller, projectId, steps }),
});

/** The console port that a step asks for. */
const wishedConsole = (step: BatchStep): number[] => {
  if (step.type !== 'node' || step.action === 'delete') return [];
  const { console } = step.action === 'create' ? step.input : step.changes;
  return console == null ? [] : [console];
};

/** A node that is to get a console port. */
const withoutConsole = (step: BatchStep): NodeInput[] =>
  step.type === 'node' && step.action === 'create' && step.input.console == null ? [step.input] : [];

/** What is refused says which step it was. */
const inStep = async <T>(index: number, work: () => Promise<T> | T): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw refused(index, error);
  }
};

const refused = (index: number, error: unknown): unknown =>
  error instanceof TopologError
    ? TopologError.saying(error.code, `steps.${index}: ${error.message}`, { ...error.details, step: index })
    : error;

const prepared = async (
  { context, projectId }: Pick<Asked, 'context' | 'projectId'>,
  step: BatchStep,
): Promise<BatchStep> => {
  if (step.action === 'delete') return step;
  if (step.type === 'node') {
    const { console } = step.action === 'create' ? step.input : step.changes;
    const own = step.action === 'update' ? context.pending.get('node', step.id) : undefined;
    if (console != null && console !== own?.console) await checkWishedConsole(context, console, own?.node_id);
    if (step.action === 'create') {
      // Decided more than once, it is the same node.
      const input = { ...step.input, node_id: step.input.node_id ?? randomUUID() };
      return { ...step, input: await asPlaced(context, projectId, input) };
    }
    if (step.changes.compute_id !== undefined && step.changes.compute_id !== own?.compute_id)
      throw conflict('a node is put on another compute by a request of its own', { field: 'compute_id' });
    return own === undefined ? step : { ...step, changes: await withKeptTexts(context, own, step.changes) };
  }
  if (step.type === 'drawing') return step;
  if (step.action === 'create' && step.input.filters !== undefined)
    return { ...step, input: { ...step.input, filters: await checkFilters(step.input.filters) } };
  if (step.action === 'update' && step.changes.filters !== undefined)
    return { ...step, changes: { ...step.changes, filters: await checkFilters(step.changes.filters) } };
  return step;
};

/** Decided in turns for nothing when others write all the time; then once more without a pause. */
const MOST_TRIES = 3;

/** Every step decided, and its events appended: between what they were decided on and their places in the log nobody changes anything. */
const appended = async (asked: Asked, gone: readonly NodeActor[], append: Append): Promise<Decided[]> => {
  const { context, projectId } = asked;
  for (let tries = 1; tries < MOST_TRIES; tries++) {
    await endCaptures(asked, gone);
    const before = context.log.version(projectId);
    const isAsBefore = (): boolean => context.log.version(projectId) === before;
    const ready = await inSlices(decide(asked))
      .then(async (decided) => ({ ...decided, batch: await context.log.prepare(decided.drafts) }))
      .catch((error: unknown) => {
        if (isAsBefore()) throw error;
        return null;
      });
    if (ready !== null) await asked.texts.stage();
    if (ready === null || !isAsBefore() || !stillFits(context, projectId, ready)) continue;
    await append(ready.batch);
    return ready.decisions;
  }
  await endCaptures(asked, gone);
  return asked.texts.decided(
    () => atOnce(decide(asked)),
    async ({ decisions, drafts }) => {
      await append(drafts);
      return decisions;
    },
  );
};

/** All of the batch, in its order. */
interface DecidedBatch {
  decisions: Decided[];
  drafts: AnyDraft[];
}

function* decide({ context, caller, projectId, steps, check, beside, texts }: Asked): Steps<DecidedBatch> {
  openProjectOf(context.pending, projectId);
  texts.begin();
  if (check !== undefined) yield* check();
  const scratch = yield* scratchOf(context.pending);
  const staged = { ...context, pending: scratch.view };
  const consoles = consoleSupply(staged);
  for (const port of steps.flatMap(wishedConsole)) consoles.spare(port);
  const numbers: Numbers = new Map();
  const decisions: Decided[] = [];
  const before = draftsOf(caller, projectId, beside?.before ?? []);
  for (const event of before) scratch.fold(event);
  for (const [index, step] of steps.entries()) {
    try {
      const before = deletedBy(staged, step);
      // It may set a name free.
      if (step.type === 'node' && step.action !== 'create') numbers.clear();
      const decision = decideStep(staged, projectId, step, { consoles, numbers, texts });
      const drafts = draftsOf(caller, projectId, decision.events);
      for (const event of drafts) scratch.fold(event);
      decisions.push({ ...decision, step, drafts, ...before });
    } catch (error) {
      throw refused(index, error);
    }
    yield;
  }
  const after = draftsOf(caller, projectId, beside?.after ?? []);
  return { decisions, drafts: [...before, ...decisions.flatMap(({ drafts }) => drafts), ...after] };
}

/**
 * The nodes that are there and will not be; for good only when all the rest would be accepted: a dry run has decided so. It refuses
 * nodes that somebody started; those that always run are stopped on the way.
 */
const toBeDeleted = async (asked: Asked): Promise<NodeActor[]> => {
  const { context, directory, projectId, steps } = asked;
  if (!steps.some(({ action, type }) => action === 'delete' && type !== 'drawing')) return [];
  await inSlices(decide(asked));
  // One whose creation is on its way to the disk has a machine once it is there: without it, it would be started behind its deletion.
  await context.log.settled();
  openProjectOf(context.pending, projectId);
  const ids = new Set(steps.flatMap((step) => (step.type === 'node' && step.action === 'delete' ? [step.id] : [])));
  return [...ids].flatMap((id) => {
    const record = context.committed.get('node', id);
    return record === undefined ? [] : [directory.addNode(record)];
  });
};

/** At nodes and links that are to be deleted; one may have begun since the last try. */
const endCaptures = async (asked: Asked, gone: readonly NodeActor[]): Promise<void> => {
  const { context, directory, caller, steps } = asked;
  for (const node of gone) await endCapturesAt(directory, caller, node);
  for (const step of steps) {
    const link = step.type === 'link' && step.action === 'delete' ? context.pending.get('link', step.id) : undefined;
    if (link?.capture != null && link.state !== 'idle') await directory.findCapture(link.capture)?.end(caller);
  }
};

const decideStep = (
  context: LabContext,
  projectId: string,
  step: BatchStep,
  choices: { consoles: ConsoleSupply; numbers: Numbers; texts: NodeTexts },
): Decision => {
  switch (step.type) {
    case 'node':
      return decideNode(context, projectId, step, choices);
    case 'link':
      return decideLink(context, projectId, step);
    case 'drawing':
      return decideDrawing(context.pending, projectId, step);
  }
};

const deletedBy = ({ pending }: LabContext, step: BatchStep): Pick<Decided, 'deleted' | 'unlinked'> => {
  const link = step.type === 'link' && step.action === 'delete' ? pending.get('link', step.id) : undefined;
  if (link !== undefined) return { unlinked: link };
  if (step.type !== 'node' || step.action !== 'delete') return {};
  const record = pending.get('node', step.id);
  return record === undefined ? {} : { deleted: { record, links: [...pending.linksOf(step.id)] } };
};
