import type { AnyDraft } from '../../events/schemas.ts';
import { type LastWriter, lastWriter } from '../../events/read.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { draft, type LabContext, SYSTEM_CALLER } from '../context.ts';

/**
 * At the start, before anything else: puts on record that another server wrote this log before, and what becomes of the nodes that ran at
 * its machine. They cannot be seen from here, and silence is not an end. Those that ran here when it took over can be seen again.
 * One batch, so that no end of this server comes in between.
 */
export const takeOver = async (context: LabContext): Promise<void> => {
  const { log, logger, settings } = context;
  const { id: server, name } = settings.server;
  const before = await lastWriter(log.store);
  const nodes = runningHere(context);
  const drafts: AnyDraft[] = [];
  const { server: from } = before;
  if (from !== null && from !== server) {
    const left = nodes.filter((node) => node.server === undefined);
    drafts.push(draft(SYSTEM_CALLER, null, 'server.took_over', { server, name, from }));
    drafts.push(...left.map((node) => isLeftBehind(context, node, { ...before, server: from })));
    const where = left.length === 0 ? '' : `, where ${left.length} nodes ${before.ended ? 'ran' : 'run'}`;
    logger.info(`this server takes over from ${before.name}${where}`);
  }
  drafts.push(...nodes.filter((node) => node.server === server).map(isBack));
  if (drafts.length > 0) await log.append(drafts);
};

/** Nodes of the server that writes the log, whichever it is. */
const runningHere = ({ committed, computes }: LabContext): NodeRecord[] =>
  committed
    .projects()
    .flatMap(({ project_id }) => committed.ofProject('node', project_id))
    .filter(
      // Computes are connected to later.
      ({ state, compute_id: id }) =>
        state !== 'stopped' && computes.isHere(id) && committed.get('compute', id) === undefined,
    );

const isBack = ({ node_id, project_id }: NodeRecord): AnyDraft =>
  draft(SYSTEM_CALLER, project_id, 'node.reachable', { node_id, project_id });

const isLeftBehind = (
  { committed }: LabContext,
  { node_id, project_id }: NodeRecord,
  { server, name, ended }: LastWriter & { server: string },
): AnyDraft => {
  const node = { node_id, project_id };
  const restarts = committed.get('project', project_id)?.on_takeover === 'restart';
  // Those that are to run here are started by recovery, as long as they are on record as there.
  if (ended && !restarts)
    return draft(SYSTEM_CALLER, project_id, 'node.lost', { ...node, reason: `it was ended with ${name}` });
  const reason = ended ? `it was ended with ${name}` : `it runs at ${name}, which wrote this log before`;
  return draft(SYSTEM_CALLER, project_id, 'node.unreachable', { ...node, reason, server });
};
