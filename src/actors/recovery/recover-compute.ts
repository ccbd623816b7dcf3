import { messageOf, reporting, TopologError } from '../../common/errors.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { appendOne, type LabContext, SYSTEM_CALLER, toKindNode } from '../context.ts';
import type { Directory } from '../directory.ts';
import { sendOwed } from '../compute/files.ts';
import { settleLink } from '../link/cabling.ts';
import { unprove } from '../link/proof.ts';
import { engineOf, kindOfNode } from '../node/engine.ts';
import { Barrier } from './barrier.ts';
import { recoverCaptures } from './recover-captures.ts';
import { recoverNode } from './recover-node.ts';
import { endUnknown } from './end-unknown.ts';

/** Longest look, or end, of one node. Milliseconds. */
const LOOK_MS = 30_000;

/**
 * Brings a compute and the records together after it, this server or the way between them was away: first it only looks. What runs is
 * adopted, what should run and does not is started again, what runs and should not is ended; each of that is an event.
 */
export const recoverCompute = async (directory: Directory, computeId: string): Promise<void> => {
  const { context } = directory;
  const place = context.computes.find(computeId);
  if (place === undefined) return;
  const open = context.committed.projects().filter(({ state }) => state === 'opened' || state === 'opening');
  const nodes = open.flatMap(({ project_id }) =>
    context.committed.ofProject('node', project_id).filter((node) => node.compute_id === computeId),
  );
  context.tunnels.forgetAt(computeId);
  await unprove(context, computeId, nodes).catch(reporting(context.logger, { compute_id: computeId }));
  // Before anything starts with them.
  for (const { path, project_id } of open)
    await sendOwed(context, path, ({ compute_id }) => compute_id === computeId).catch(report(context, project_id));
  await bringBack(directory, nodes);
  await context.tunnels.clearLeftovers(computeId).catch(reporting(context.logger, { compute_id: computeId }));
  await endUnknown(directory, computeId, place).catch(reporting(context.logger, {}));
};

/** What ran at a server that wrote the log before, of a project that now says that it is to run here. */
export const bringHere = async (directory: Directory, projectId: string): Promise<void> => {
  const nodes = directory.context.committed.ofProject('node', projectId).filter(({ server }) => server !== undefined);
  await bringBack(directory, nodes);
};

const bringBack = async (directory: Directory, nodes: readonly NodeRecord[]): Promise<void> => {
  const { context } = directory;
  const links = new Set(nodes.flatMap(({ node_id }) => context.committed.linksOf(node_id)));
  const barrier = new Barrier(nodes.map(({ node_id }) => node_id));
  const recovery = { directory, resume: true, barrier, ended: false, lost: () => undefined };
  await Promise.all(
    nodes.map((node) =>
      node.state === 'stopped'
        ? endStray(directory, node).finally(() => barrier.done(node.node_id))
        : recoverNode(recovery, node.node_id),
    ),
  );
  await Promise.all(
    [...links].map((link) => settleLink(context, link.link_id).catch(report(context, link.project_id))),
  );
  const at = new Set(nodes.map(({ node_id }) => node_id));
  for (const project_id of new Set(nodes.map((node) => node.project_id)))
    await recoverCaptures(directory, project_id, at);
};

/** A node that is stopped on record and runs there: what was asked of it last did not come through, or came too late. */
const endStray = async ({ context }: Directory, record: NodeRecord): Promise<void> => {
  const kind = kindOfNode(context, record);
  const node = toKindNode(context, record);
  try {
    const found = await context.computes.find(record.compute_id)?.nodes.look(kind, node, AbortSignal.timeout(LOOK_MS));
    if (found == null || found.status === 'stopped' || kind.capabilities.always_on) return;
    const { project_id, node_id, name } = record;
    const message = `${name} runs at ${record.compute_id} and should not: it is stopped there`;
    await appendOne(context, SYSTEM_CALLER, project_id, 'warning.raised', { message, node_id });
    await engineOf(context, record)?.stop(node, AbortSignal.timeout(LOOK_MS));
  } catch (error) {
    report(context, record.project_id)(error);
  }
};

/** One that is away again is told elsewhere. */
const report =
  ({ logger }: LabContext, project_id: string) =>
  (error: unknown): void => {
    if (error instanceof TopologError && error.code === 'compute_unreachable') return;
    logger.warn({ project_id }, messageOf(error));
  };
