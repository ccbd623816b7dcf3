import type { NodeRecord } from '../../projections/records.ts';
import type { PortAddress } from '../caller.ts';
import type { LabContext } from '../context.ts';
import { parsePort, portKey } from '../port/ports.ts';
import { inChunks } from '../runtime/chunks.ts';
import { watchPath } from './path-mtu.ts';

/**
 * Brings one cable to what its record says. Commands may overtake one another while the fabric works, so the record is looked
 * at again afterwards: the last one finds the cable as the last event has it. `current` gives null when there is to be
 * no cable.
 */
const settle = async <T>(
  current: () => T | null,
  put: (wanted: T) => Promise<void>,
  remove: () => Promise<void>,
): Promise<void> => {
  for (let wanted = current(); ; wanted = current()) {
    if (wanted === null) return remove();
    await put(wanted);
    if (current() === wanted) return;
  }
};

/** Cables are there while their project is open, and already while it is being opened. */
const hasCables = (context: LabContext, projectId: string): boolean =>
  ['opening', 'opened'].includes(context.committed.get('project', projectId)?.state ?? 'closed');

/** The cable of a link as its record has it now. */
export const settleLink = (context: LabContext, linkId: string): Promise<void> =>
  settle(
    () => {
      const link = context.committed.get('link', linkId);
      return link !== undefined && hasCables(context, link.project_id) ? link : null;
    },
    async ({ link_id, project_id, suspend, filters, nodes: [a, b] }) => {
      if (a === undefined || b === undefined) return;
      await context.plumbing.putLink({ link_id, project_id, ends: [a, b], suspend, filters });
    },
    () => context.plumbing.removeCable(linkId),
  );

/** The cable of a NIO as its node's record has it now. */
export const settleNio = (context: LabContext, port: Omit<PortAddress, 'project_id'>): Promise<void> => {
  const key = portKey(port);
  const owner = (): NodeRecord | undefined => context.committed.get('node', port.node_id);
  return settle(
    () => {
      const node = owner();
      return node !== undefined && hasCables(context, node.project_id) ? (node.nios[key] ?? null) : null;
    },
    async (nio) => {
      const project_id = owner()?.project_id;
      if (project_id === undefined) return;
      await context.plumbing.putNio({ ...port, project_id, nio });
      if (typeof nio['rhost'] === 'string') watchPath(context, project_id, nio['rhost']);
    },
    () => context.plumbing.removeNio(port),
  );
};

/** Brings up every cable of a project. One that cannot be brought up is reported and does not keep the others down. */
export const plumb = async (context: LabContext, projectId: string): Promise<void> => {
  const cables = [
    ...context.committed.ofProject('link', projectId).map(
      ({ link_id }) =>
        () =>
          settleLink(context, link_id),
    ),
    ...context.committed
      .ofProject('node', projectId)
      .flatMap(({ node_id, nios }) =>
        Object.keys(nios).map((key) => () => settleNio(context, { node_id, ...parsePort(key) })),
      ),
  ];
  const results = await inChunks(cables, async (settled, turn) => {
    await turn;
    await settled();
  });
  for (const result of results)
    if (result.status === 'rejected')
      context.logger.warn({ project_id: projectId }, `a cable of project ${projectId}: ${String(result.reason)}`);
};
