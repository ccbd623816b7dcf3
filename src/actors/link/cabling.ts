import type { TunnelSide } from '../../computes/links/tunnel-ends.ts';
import type { Tunnel } from '../../computes/links/tunnels.ts';
import { seedOf } from '../../common/forms/seed.ts';
import type { LinkRecord, NodeRecord } from '../../projections/records.ts';
import { withWeather } from '../../projections/weather.ts';
import type { PortAddress } from '../caller.ts';
import { type LabContext, toKindNode } from '../context.ts';
import { isLeft } from '../node/engine.ts';
import { parsePort, portKey } from '../port/port-key.ts';
import { inChunks } from '../runtime/chunks.ts';
import type { LinkChanges } from './interface.ts';
import { watchPath } from './path-mtu.ts';
import { lookForProof } from './proof.ts';

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
    try {
      await put(wanted);
      if (current() === wanted) return;
    } catch (error) {
      // Half of it may be there, and nobody wants it any more. Its ends are a change of its record too.
      if (current() !== null) throw error;
    }
  }
};

/** Cables are there while their project is open, and already while it is being opened. */
const hasCables = (context: LabContext, projectId: string): boolean =>
  ['opening', 'opened'].includes(context.committed.get('project', projectId)?.state ?? 'closed');

const NONE_GONE: ReadonlyMap<string, NodeRecord> = new Map();

/** Ends of a link that has one somewhere else; null: both are here, or a node is gone. `gone`: nodes that have no record any more. */
const sidesOf = (
  context: LabContext,
  { nodes }: LinkRecord,
  gone: ReadonlyMap<string, NodeRecord> = NONE_GONE,
): Tunnel['sides'] | null => {
  const sides = nodes.flatMap(({ node_id, adapter_number, port_number }) => {
    const record = context.committed.get('node', node_id) ?? gone.get(node_id);
    const kind = record === undefined ? undefined : context.kinds.get(record.kind);
    if (record === undefined || kind === undefined) return [];
    const port = { node_id, adapter_number, port_number };
    return [{ kind, node: toKindNode(context, record), port, compute_id: record.compute_id }];
  });
  const [a, b] = sides;
  const isElsewhere = sides.some(({ compute_id }) => !context.computes.isHere(compute_id));
  return a === undefined || b === undefined || !isElsewhere ? null : [a, b];
};

/** Id of the link on record at a port of a node that is at this compute. */
export const linkAt = (
  { committed }: LabContext,
  { port, compute_id }: Pick<TunnelSide, 'port' | 'compute_id'>,
): string | undefined => {
  const { node_id } = port;
  if (committed.get('node', node_id)?.compute_id !== compute_id) return undefined;
  const isEnd = (end: LinkRecord['nodes'][number]): boolean =>
    end.node_id === node_id && portKey(end) === portKey(port);
  return committed.linksOf(node_id).find(({ nodes }) => nodes.some(isEnd))?.link_id;
};

/** Longest work on one tunnel: nodes and their images may have to be sent first. Milliseconds. */
const TUNNEL_MS = 1_800_000;

/** An end of it runs at a server that wrote this log before, and the cable or tunnel is there. */
const isThere = (context: LabContext, { nodes }: LinkRecord): boolean =>
  nodes.some(({ node_id }) => {
    const node = context.committed.get('node', node_id);
    return node !== undefined && isLeft(context, node);
  });

/** What a link is called on every machine that has the lab: its ends by their names, each with its port. */
export const lastingName = ({ committed }: Pick<LabContext, 'committed'>, { nodes }: LinkRecord): string =>
  nodes.map((end) => `${committed.get('node', end.node_id)?.name ?? end.node_id} ${portKey(end)}`).join(' ');

/** Of the lab's seed, where it has one: the same lab on another machine, with other ids, loses the same frames. */
const seedOfLink = (context: LabContext, link: LinkRecord): number | undefined => {
  const seed = context.committed.get('project', link.project_id)?.seed ?? 0;
  return seed === 0 ? undefined : seedOf(`${seed} ${lastingName(context, link)}`);
};

/** The cable of a link, or its tunnel to another machine, as its record has it now. */
export const settleLink = (context: LabContext, linkId: string): Promise<void> => {
  let last: LinkRecord | undefined;
  return settle(
    () => {
      const link = context.committed.get('link', linkId);
      return link !== undefined && hasCables(context, link.project_id) ? (last = link) : null;
    },
    async (link) => {
      const { link_id, project_id, nodes } = link;
      const { suspend, filters } = withWeather(link);
      const [a, b] = nodes;
      if (a === undefined || b === undefined || isThere(context, link)) return;
      const sides = sidesOf(context, link);
      if (sides === null) {
        const seed = seedOfLink(context, link);
        await context.plumbing.putLink({ link_id, project_id, ends: [a, b], suspend, filters, seed });
        return lookForProof(context, link_id);
      }
      // An end whose compute there is not has no tunnel until it is put elsewhere.
      if (sides.some(({ compute_id: id }) => !context.computes.isHere(id) && context.computes.find(id) === undefined))
        return;
      const tunnel = { link_id, project_id, sides, suspend, filters, made: link.tunnel, joined: link.joined === true };
      await context.tunnels.put(tunnel, AbortSignal.timeout(TUNNEL_MS));
      watchTunnel(context, context.committed.get('link', link_id));
      await lookForProof(context, link_id);
    },
    () => (last === undefined ? context.plumbing.removeCable(linkId) : removeLink(context, last)),
  );
};

/** This server looks at the path from an end of its own; a compute does so from its. */
const watchTunnel = (context: LabContext, link: LinkRecord | undefined): void => {
  const { project_id, tunnel = [] } = link ?? {};
  const other = tunnel.find(({ compute_id }) => !context.computes.isHere(compute_id));
  const isHere = tunnel.some(({ compute_id }) => context.computes.isHere(compute_id));
  if (project_id !== undefined && other !== undefined && isHere) watchPath(context, project_id, other.host);
};

/** Throws where a link to another machine cannot be as it says, or cannot be changed now. */
export const checkTunnel = (context: LabContext, link: LinkRecord, changes: LinkChanges): void => {
  if (changes.filters === undefined && changes.suspend === undefined) return;
  const { filters = link.filters, suspend = link.suspend } = changes;
  const sides = sidesOf(context, link);
  if (sides !== null) context.tunnels.check({ sides, filters, suspend });
};

/** Takes away the cable of a link that is gone, or its tunnel. `gone`: its nodes without a record. */
export const removeLink = (
  context: LabContext,
  link: LinkRecord,
  gone: ReadonlyMap<string, NodeRecord> = NONE_GONE,
): Promise<void> => removalOf(context, link, gone)();

/** The same for later: from where the ends of the link are now. */
export const removalOf = (
  context: LabContext,
  link: LinkRecord,
  gone: ReadonlyMap<string, NodeRecord> = NONE_GONE,
): (() => Promise<void>) => {
  const { link_id } = link;
  const sides = sidesOf(context, link, gone);
  return () => (sides === null ? context.plumbing.removeCable(link_id) : context.tunnels.remove({ link_id, sides }));
};

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

/** An end of it is at a compute that is not connected. */
const isAway = (context: LabContext, link: LinkRecord): boolean =>
  sidesOf(context, link)?.some(({ compute_id: id }) => context.computes.find(id)?.compute.isConnected === false) ===
  true;

/** Brings up every cable of a project. One that cannot be brought up is reported and does not keep the others down. */
export const plumb = async (context: LabContext, projectId: string): Promise<void> => {
  const cables = [
    ...context.committed.ofProject('link', projectId).flatMap((link) =>
      // They get their tunnels when their computes are there.
      isAway(context, link) ? [] : () => settleLink(context, link.link_id),
    ),
    ...context.committed
      .ofProject('node', projectId)
      .filter((node) => !isLeft(context, node))
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
