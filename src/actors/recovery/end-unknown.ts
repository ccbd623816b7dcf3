import { z } from 'zod';
import { TopologError } from '../../common/errors.ts';
import type { Place } from '../../computes/computes.ts';
import { nodePath } from '../../computes/nodes/remote-nodes.ts';
import type { LabContext } from '../context.ts';

const projects = z.array(z.looseObject({ project_id: z.string(), status: z.string().optional() }));
const nodes = z.array(z.looseObject({ node_id: z.string(), node_type: z.string() }));

/**
 * Ends what a compute has of projects of ours and no record knows: what was deleted, moved or closed while it was away. A project is ours
 * when our log has events of it. Only a Topolog tells which nodes it has.
 */
export const endUnknown = async (context: LabContext, computeId: string, { compute }: Place): Promise<void> => {
  const { committed, log, logger } = context;
  for (const { project_id: id } of projects.parse(await compute.client.request('GET', '/projects'))) {
    if (log.version(id) === 0) continue;
    const record = committed.get('project', id);
    if (record === undefined) {
      logger.info(`${compute.target.name}: project ${id} is not ours any more, and is deleted there`);
      await compute.client.request('DELETE', `/projects/${id}`).catch(unlessGone);
      continue;
    }
    const here = new Set(
      committed.ofProject('node', id).flatMap((n) => (n.compute_id === computeId ? [n.node_id] : [])),
    );
    if (record.state === 'closed') await compute.client.request('POST', `/projects/${id}/close`).catch(unlessGone);
    else if (compute.isTopolog)
      for (const { node_id, node_type } of nodes.parse(await compute.client.request('GET', `/projects/${id}/nodes`)))
        if (!here.has(node_id)) await remove(context, compute.client, { project_id: id, node_id, node_type });
  }
};

const remove = async (
  { kinds, logger }: LabContext,
  client: Place['compute']['client'],
  { node_type, ...node }: { project_id: string; node_id: string; node_type: string },
): Promise<void> => {
  const kind = kinds.get(node_type);
  if (kind === undefined) return;
  logger.info(
    { project_id: node.project_id },
    `node ${node.node_id} is not in the project any more, and is deleted there`,
  );
  await client.request('DELETE', nodePath(kind, node)).catch(unlessGone);
};

const unlessGone = (error: unknown): void => {
  if (!(error instanceof TopologError && error.code === 'not_found')) throw error;
};
