import { z } from 'zod';
import { unless } from '../../computes/client/errors.ts';
import type { Place } from '../../computes/computes.ts';
import { type ListedNode, listed, nodePath } from '../../computes/nodes/remote-nodes.ts';
import type { LabContext } from '../context.ts';
import { linkAt } from '../link/cabling.ts';
import { parsePort } from '../port/ports.ts';

const projects = z.array(z.looseObject({ project_id: z.string(), status: z.string().optional() }));

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
    if (record.state === 'closed') await compute.client.request('POST', `/projects/${id}/close`).catch(unlessGone);
    else if (compute.isTopolog)
      for (const node of await listed(compute.client, id))
        if (committed.get('node', node.node_id)?.compute_id !== computeId)
          await remove(context, compute.client, { project_id: id, ...node });
        else await clearPorts(context, computeId, { project_id: id, ...node });
  }
};

type Listed = Pick<ListedNode, 'node_id' | 'node_type' | 'nios'> & { project_id: string };

const remove = async (
  { kinds, logger }: LabContext,
  client: Place['compute']['client'],
  { node_type, ...node }: Listed,
): Promise<void> => {
  const kind = kinds.get(node_type);
  if (kind === undefined) return;
  logger.info(
    { project_id: node.project_id },
    `node ${node.node_id} is not in the project any more, and is deleted there`,
  );
  await client.request('DELETE', nodePath(kind, node)).catch(unlessGone);
};

/** Ends of tunnels whose link has gone, or leads elsewhere now. */
const clearPorts = async (
  context: LabContext,
  compute_id: string,
  { node_type, nios, ...node }: Listed,
): Promise<void> => {
  const { kinds, logger, tunnels } = context;
  const kind = kinds.get(node_type);
  if (kind === undefined) return;
  for (const key of nios) {
    const side = { kind, node, compute_id, port: { node_id: node.node_id, ...parsePort(key) } };
    if (linkAt(context, side) !== undefined) continue;
    logger.info({ project_id: node.project_id }, `port ${key} of node ${node.node_id} has no link any more`);
    await tunnels.clear(side);
  }
};

const unlessGone = unless('not_found');
