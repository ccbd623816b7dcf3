import { messageOf, reporting, TopologError } from '../../common/errors.ts';
import type { ComputesListener } from '../../computes/computes.ts';
import type { ComputeCapabilities } from '../../events/server-fields.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { appendOne, draft, type LabContext, SYSTEM_CALLER } from '../context.ts';
import type { Directory } from '../directory.ts';
import { Barrier } from '../recovery/barrier.ts';
import { recoverCompute } from '../recovery/recover-compute.ts';
import { recoverNode } from '../recovery/recover-node.ts';
import { Mailboxes } from '../../common/mailbox.ts';

/** Nodes of a compute, of every project. */
export const nodesAt = ({ pending }: LabContext, computeId: string): NodeRecord[] =>
  pending
    .projects()
    .flatMap(({ project_id }) => pending.ofProject('node', project_id))
    .filter(({ compute_id }) => compute_id === computeId);

/** Puts on record what becomes of the connections to computes; what was away is looked at when it is back. */
export const watchComputes = (directory: Directory): void => {
  const { context } = directory;
  // What is told of one compute is put on record in the order in which it happened.
  const turns = new Mailboxes();
  const inTurn = (computeId: string, work: () => Promise<void>): Promise<void> =>
    turns.run(computeId, work).catch(reporting(context.logger, { compute_id: computeId }));
  const hearing: ComputesListener = {
    async connected(id, capabilities) {
      const onRecord = inTurn(id, () => connected(directory, id, capabilities));
      // What is looked at there may take long, and nobody waits for it.
      void inTurn(id, () => recoverCompute(directory, id));
      await onRecord;
    },
    lost: (id, reason) => void inTurn(id, () => lost(context, id, reason)),
    logMessage: (id, { level, message, project_id }) =>
      void inTurn(id, () => told(context, id, { level, message, project_id })),
    exited: ({ node_id, code, signal, output }) => {
      const observed = directory.findNode(node_id)?.observe('node.exited', { code, signal, output });
      observed?.catch(reporting(context.logger, { node_id }, `the end of node ${node_id} is not on record`));
    },
    restarting: (nodeId) => {
      // A start there waits for the one that is under way.
      const recovery = { directory, resume: true, barrier: new Barrier([nodeId]), ended: false, lost: () => undefined };
      recoverNode(recovery, nodeId).catch(reporting(context.logger, { node_id: nodeId }));
    },
    loadChanged: () => undefined,
  };
  context.computes.listen(hearing);
  for (const record of context.committed.ofServer('compute')) context.computes.put(record);
};

const connected = async (directory: Directory, id: string, capabilities: ComputeCapabilities): Promise<void> => {
  const { context } = directory;
  if (context.pending.get('compute', id) === undefined) return;
  await appendOne(context, SYSTEM_CALLER, null, 'compute.connected', { compute_id: id, ...capabilities });
  const back = nodesAt(context, id).filter(({ unreachable }) => unreachable !== undefined);
  await appendAll(
    context,
    back.map(({ node_id, project_id }) => draft(SYSTEM_CALLER, project_id, 'node.reachable', { node_id, project_id })),
  );
};

const lost = async (context: LabContext, id: string, reason: string): Promise<void> => {
  const record = context.pending.get('compute', id);
  if (record === undefined || context.computes.find(id)?.compute.isConnected === true) return;
  if (record.connected || record.last_error !== reason)
    await appendOne(context, SYSTEM_CALLER, null, 'compute.disconnected', { compute_id: id, reason });
  const away = nodesAt(context, id).filter(({ unreachable }) => unreachable === undefined);
  await appendAll(
    context,
    away.map(({ node_id, project_id }) =>
      draft(SYSTEM_CALLER, project_id, 'node.unreachable', { node_id, project_id, reason }),
    ),
  );
};

const appendAll = async ({ log }: LabContext, drafts: readonly AnyDraft[]): Promise<void> => {
  if (drafts.length > 0) await log.append(drafts);
};

const told = async (
  context: LabContext,
  id: string,
  { level, message, project_id }: { level: string; message: string; project_id: string },
): Promise<void> => {
  const name = context.pending.get('compute', id)?.name ?? id;
  if (context.pending.get('project', project_id) === undefined || level === 'info') return;
  const data = { message: `${name}: ${message}`, node_id: null };
  await appendOne(context, SYSTEM_CALLER, project_id, 'warning.raised', data).catch((error: unknown) => {
    if (!(error instanceof TopologError)) throw error;
    context.logger.warn({ project_id }, `${data.message} (${messageOf(error)})`);
  });
};
