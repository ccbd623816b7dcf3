import { messageOf, TopologError } from '../../common/errors.ts';
import { withResolvers } from '../../common/promises.ts';
import type { Failure } from '../../events/fields.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { appendOne, type LabContext } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { NodeCommands } from '../node/interface.ts';
import type { ProjectCommands } from '../project/interface.ts';
import { inChunks } from '../runtime/chunks.ts';
import { whenWritable } from '../runtime/outcomes.ts';
import type { LabApplied } from './interface.ts';

type Failed = LabApplied['failed'];
export type Ended = Pick<LabApplied, 'failed' | 'started'>;

export interface Ending {
  directory: Directory;
  others: Pick<ProjectCommands, 'actOnProject' | 'deleteProject'> & Pick<NodeCommands, 'updateNode'>;
  /** Whose text it is; the system for what an end of the server has left. */
  caller: Caller;
  projectId: string;
  /** Why the lab is as it was, where it is. */
  failure: Failure;
  /** Nodes that are to run are started. */
  resume: boolean;
}

type Apply = NonNullable<ProjectRecord['apply']>;

/**
 * The end of a text that is applied, whatever was done of it: a lab that has become new gets what follows outside the log, one that has not is
 * as it was, and nodes that stood still for it run again. What cannot be is told. Once the end is on record there is nothing left to do.
 * Throws only where that cannot be.
 */
const endApply = async (ending: Ending): Promise<Ended> => {
  const { directory, others, projectId, failure, resume } = ending;
  const { context } = directory;
  const applyOf = (): Apply | undefined => context.pending.get('project', projectId)?.apply;
  const apply = applyOf();
  if (apply === undefined) {
    // The log may refuse the deletion that ended it: then it is there again.
    await context.log.settled();
    return { failed: [], started: [] };
  }
  const caller = { by: ending.caller.by, request_id: ending.caller.request_id, cause: apply.position };
  const isOld = apply.isNew !== true;
  const failed: Failed = [];
  if (isOld && apply.made === true && isEmpty(context, projectId)) {
    await others.deleteProject(caller, projectId);
    return { failed, started: [] };
  }
  if (!isOld) failed.push(...(await moveAll(ending, caller, apply)));
  if (resume) failed.push(...(await startAgain(ending, caller, apply)));
  const all = resume && !isOld && apply.start === true ? await startAll(ending, caller, failed) : null;
  if (all !== null) failed.push(...all.failed);
  // Somebody else may have ended it meanwhile.
  if (applyOf()?.position !== apply.position) await context.log.settled();
  else {
    const end = { project_id: projectId, failed, ...(isOld ? { failure } : {}) };
    await appendOne(context, caller, projectId, 'project.apply_finished', end);
  }
  return { failed, started: all?.started ?? [] };
};

/** The same, also where the log cannot be written: it throws what the log says, and goes on once it can be. */
export const ended = async (ending: Ending): Promise<Ended> => {
  const { promise, resolve, reject } = withResolvers<Ended>();
  const refused = (error: Error): Promise<void> => Promise.resolve(reject(error));
  whenWritable(() => endApply(ending), refused).then(resolve, reject);
  return promise;
};

const isEmpty = ({ pending }: LabContext, projectId: string): boolean =>
  (['node', 'link', 'drawing'] as const).every((collection) => pending.count(collection, projectId) === 0);

const failedOf = (results: readonly PromiseSettledResult<unknown>[], name: (i: number) => string | undefined): Failed =>
  results.flatMap((result, i) =>
    result.status === 'fulfilled' ? [] : [{ name: name(i) ?? '', message: messageOf(result.reason) }],
  );

/** One after another: each looks at where the others are by then. */
const moveAll = async ({ directory, others, projectId }: Ending, caller: Caller, { moves }: Apply): Promise<Failed> => {
  const { pending } = directory.context;
  const failed: Failed = [];
  for (const { node_id, to } of moves) {
    const node = pending.get('node', node_id);
    if (node === undefined || node.compute_id === to) continue;
    const at = { project_id: projectId, node_id };
    await others.updateNode(caller, at, { compute_id: to }, 'conflict').catch((error: unknown) => {
      failed.push({ name: node.name, message: messageOf(error) });
    });
  }
  return failed;
};

/** Starts the nodes that stood still; leaves out deleted ones and those whose last start failed. */
const startAgain = async ({ directory, projectId }: Ending, caller: Caller, { running }: Apply): Promise<Failed> => {
  const { pending } = directory.context;
  if (pending.get('project', projectId)?.state !== 'opened') return [];
  const waiting = running
    .map((id) => pending.get('node', id))
    .filter((node) => node !== undefined)
    .filter(({ project_id, state, failure }) => project_id === projectId && state !== 'started' && failure === null);
  const results = await inChunks(waiting, ({ node_id }, turn) =>
    directory.node(node_id).actInSlot(turn, caller, 'start'),
  );
  return failedOf(results, (i) => waiting[i]?.name);
};

const restingIn = ({ pending }: LabContext, projectId: string): string[] =>
  pending.ofProject('node', projectId).flatMap(({ name, state }) => (state === 'started' ? [] : [name]));

/** Whether one of a project's nodes does not run. */
export const rests = (context: LabContext, projectId: string): boolean => restingIn(context, projectId).length > 0;

const startAll = async (
  { directory: { context }, others, projectId }: Ending,
  caller: Caller,
  before: Failed,
): Promise<Ended> => {
  const waiting = restingIn(context, projectId);
  if (waiting.length === 0) return { failed: [], started: [] };
  const known = new Set(before.map(({ name }) => name));
  const failed: Failed = [];
  await others.actOnProject(caller, projectId, 'start').catch((error: unknown) => {
    const isOfNodes = error instanceof TopologError && error.code === 'nodes_failed';
    const name = context.pending.get('project', projectId)?.name ?? '';
    const told = isOfNodes ? (error.details['failed'] as Failed) : [{ name, message: messageOf(error) }];
    failed.push(...told.filter(({ name }) => !known.has(name)).map(({ name, message }) => ({ name, message })));
  });
  const resting = restingIn(context, projectId);
  return { failed, started: waiting.filter((name) => !resting.includes(name)) };
};
