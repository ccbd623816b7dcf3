import { messageOf, reporting, TopologError } from '../../common/errors.ts';
import { dropAllDeleted } from '../../files/project/deleted-nodes.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { inChunks } from '../runtime/chunks.ts';
import { whenWritable } from '../runtime/outcomes.ts';
import type { EffectRun } from '../runtime/runtime.ts';
import { type LabContext, projectOf } from '../context.ts';
import { endWeather } from '../weather/apply.ts';
import type { ProjectContext } from './nodes.ts';

type Refused = EffectRun['refused'];

/** Ends what runs in a project. `refused`: the caller is told that the log cannot be written; what is to end ends once it can be. */
export const closeProject = async (closing: ProjectContext, refused: Refused): Promise<void> => {
  const { context, directory, projectId, caller } = closing;
  const nodes = (): readonly NodeRecord[] => context.pending.ofProject('node', projectId);
  await whenWritable(
    () => endWeather(context, projectId, caller),
    (error) => Promise.resolve(refused(error)),
  );
  await endCaptures(closing, refused);
  await inChunks(nodes(), ({ node_id }, turn) => stopNode(closing, node_id, turn, refused));
  await leaveFabric(closing);
  for (const { node_id } of nodes()) {
    const actor = directory.findNode(node_id);
    // What had happened to it while the log could not be written is on record now: it can be stopped.
    if (actor?.isUnderWay === true)
      await actor.idle().then(() => stopNode(closing, node_id, Promise.resolve(), refused).catch(() => undefined));
    // It has lost its cables with the project: a closed one holds nothing that runs.
    const reason = 'it could not be stopped when its project was closed';
    if (actor?.state !== 'stopped') await actor?.observe('node.lost', { reason }, caller.cause);
  }
  await leaveComputes(context, projectId, 'close');
  const { path } = projectOf(context.pending, projectId);
  await dropAllDeleted(path).catch(reporting(context.logger, { project_id: projectId }, 'files of deleted nodes'));
  for (const { node_id } of nodes()) directory.forgetNode(node_id);
};

const endCaptures = async (
  { context, directory, projectId, caller }: ProjectContext,
  refused: Refused,
): Promise<void> => {
  const ends = directory.capturesOf(projectId).map((capture) =>
    whenWritable(
      () => capture.end(caller),
      (error) => {
        refused(error);
        return capture.idle();
      },
    ),
  );
  const about = { project_id: projectId, request_id: caller.request_id };
  for (const end of await Promise.allSettled(ends))
    if (end.status === 'rejected') context.logger.error(about, `a capture in closing: ${messageOf(end.reason)}`);
};

const stopNode = async (
  { directory, caller }: ProjectContext,
  nodeId: string,
  turn: Promise<void>,
  refused: Refused,
): Promise<void> => {
  const actor = directory.findNode(nodeId);
  await whenWritable(
    async () => actor?.actInSlot(turn, caller, 'stop'),
    async (error) => {
      refused(error);
      await actor?.idle();
    },
  );
};

/** Other computes that have nodes of a project close it, or delete it; one that is away does so when it is back. */
export const leaveComputes = async (context: LabContext, projectId: string, how: 'close' | 'delete'): Promise<void> => {
  const ids = new Set(context.pending.ofProject('node', projectId).map(({ compute_id }) => compute_id));
  await Promise.all(
    [...ids].map((id) =>
      context.computes.leave(id, projectId, how).catch(reporting(context.logger, { project_id: projectId })),
    ),
  );
};

/** A fabric whose connection was lost may be found again, with everything in it. */
const leaveFabric = async ({ context: { plumbing, logger }, projectId, caller }: ProjectContext): Promise<void> => {
  const { request_id } = caller;
  const isLost = (error: unknown): boolean => error instanceof TopologError && error.code === 'fabric_lost';
  await plumbing
    .removeProject(projectId)
    .catch((error: unknown) => (isLost(error) ? plumbing.removeProject(projectId) : Promise.reject(error as Error)))
    .catch(reporting(logger, { project_id: projectId, request_id }, `project ${projectId} in the fabric`));
};
