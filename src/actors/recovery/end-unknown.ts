import { z } from 'zod';
import { streamTexts } from '../../events/read.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { ignoreErrors } from '../../computes/client/errors.ts';
import type { Place } from '../../computes/computes.ts';
import { type ListedNode, listNodes, nodePath } from '../../computes/nodes/remote-nodes.ts';
import type { LabContext } from '../context.ts';
import type { Directory } from '../directory.ts';
import { linkAt } from '../link/cabling.ts';
import { parsePort } from '../port/port-key.ts';

const projects = z.array(z.looseObject({ project_id: z.string() }));

/**
 * Ends what a compute has of us and no record knows: what was deleted, moved or closed while it was away. It is of us only where our log
 * has put it there: a compute can have the same projects for itself, as of a copy. Only a Topolog tells which nodes it has; another one is
 * asked to delete each that has left it.
 */
export const endUnknown = async (directory: Directory, computeId: string, { compute }: Place): Promise<void> => {
  const { context } = directory;
  const { committed, log, logger } = context;
  for (const { project_id: id } of projects.parse(await compute.client.request('GET', '/projects'))) {
    if (log.version(id) === 0) continue;
    const record = committed.get('project', id);
    if (record !== undefined && record.state !== 'closed') {
      const place = { client: compute.client, project_id: id };
      await (compute.isTopolog ? endUnknownOf : endLeft)(directory, computeId, place);
    } else if (await isPutThere(context, computeId, id)) {
      if (record === undefined)
        logger.info(`${compute.target.name}: project ${id} is not ours any more, and is deleted there`);
      const [method, path] = record === undefined ? (['DELETE', ''] as const) : (['POST', '/close'] as const);
      await compute.client.request(method, `/projects/${id}${path}`).catch(unlessGone);
    }
  }
};

interface OfProject {
  client: Place['compute']['client'];
  project_id: string;
}

const endUnknownOf = async (
  directory: Directory,
  computeId: string,
  { client, project_id }: OfProject,
): Promise<void> => {
  const { context } = directory;
  const isHere = ({ node_id }: ListedNode): boolean => context.committed.get('node', node_id)?.compute_id === computeId;
  const nodes = await listNodes(client, project_id);
  for (const node of nodes.filter(isHere)) await clearPorts(context, computeId, { project_id, ...node });
  const others = nodes.filter((node) => !isHere(node));
  if (others.length === 0) return;
  const ours = new Set<string>();
  for await (const { node_id } of putThere(context, computeId, project_id)) ours.add(node_id);
  for (const node of others)
    if (ours.has(node.node_id))
      await unlessMovedBack(directory, computeId, node.node_id, () => remove(context, client, { project_id, ...node }));
};

/** Nodes whose move or deletion was cut off between its event and the compute. */
const endLeft = async (directory: Directory, computeId: string, { client, project_id }: OfProject): Promise<void> => {
  const { context } = directory;
  const { committed } = context;
  const left = new Map<string, string>();
  for await (const { node_id, kind } of putThere(context, computeId, project_id))
    if (committed.get('node', node_id)?.compute_id !== computeId && kind !== undefined) left.set(node_id, kind);
  for (const [node_id, kind] of left) {
    const known = context.kinds.get(kind);
    if (known === undefined) continue;
    await unlessMovedBack(directory, computeId, node_id, async () => {
      await client.request('DELETE', nodePath(known, { project_id, node_id })).catch(unlessGone);
    });
  }
};

/** A move to the compute waits for the removal there, or is seen before it. */
const unlessMovedBack = async (
  directory: Directory,
  computeId: string,
  nodeId: string,
  removal: () => Promise<void>,
): Promise<void> => {
  const isBack = (): boolean => directory.context.committed.get('node', nodeId)?.compute_id === computeId;
  const unlessBack = async (): Promise<void> => (isBack() ? undefined : removal());
  const actor = directory.findNode(nodeId);
  await (actor === undefined ? unlessBack() : actor.exclusive(unlessBack));
};

/** The first event tells: a project that was closed while the compute was away may have a million. */
const isPutThere = async (context: LabContext, computeId: string, projectId: string): Promise<boolean> => {
  for await (const _ of putThere(context, computeId, projectId)) return true;
  return false;
};

/** Nodes of a project that were ever at a compute. `kind`: as far as their creation is in the log. */
async function* putThere(
  { log }: LabContext,
  computeId: string,
  projectId: string,
): AsyncGenerator<{ node_id: string; kind: string | undefined }> {
  const kinds = new Map<string, string>();
  for await (const text of streamTexts(log.store, projectId, 1)) {
    // Few have one; the others need not be read.
    if (!text.includes('"compute_id"')) continue;
    const event = JSON.parse(text) as AnyEvent;
    const isMade = event.type === 'node.created' || event.type === 'node.restored';
    if (isMade) kinds.set(event.data.node_id, event.data.kind);
    const isThere =
      (event.type === 'node.updated' && event.data.changes.compute_id === computeId) ||
      (isMade && event.data.compute_id === computeId);
    if (isThere) yield { node_id: event.data.node_id, kind: kinds.get(event.data.node_id) };
  }
}

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

const unlessGone = ignoreErrors('not_found');
