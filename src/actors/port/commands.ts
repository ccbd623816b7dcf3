import { isDeepStrictEqual } from 'node:util';
import { conflict, notFound } from '../../common/errors.ts';
import type { Nio } from '../../events/fields.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller, PortAddress } from '../caller.ts';
import { draft, type LabContext } from '../context.ts';
import { hostUse } from '../../emulators/kit/host-uses.ts';
import type { Directory } from '../directory.ts';
import { leaveUnlinked, serveLinked } from '../node/served-ports.ts';
import { settleNio } from '../link/cabling.ts';
import { kindOf } from '../node/fields.ts';
import type { PortCommands } from './interface.ts';
import { portKey } from './port-key.ts';
import { portAt } from './ports.ts';
import type { UdpPorts } from './udp-ports.ts';

/** What the compute group does at a port of a node. */
export const portCommands = (directory: Directory, udpPorts: UdpPorts, { context } = directory): PortCommands => ({
  async addNio(caller, at, nio) {
    const { node, key } = portAt(context, at);
    checkNio(context, node, nio);
    if (node.nios[key] !== undefined)
      throw conflict(`port ${key} of ${node.name} has a NIO already; update or delete it`);
    for (const link of context.pending.linksOf(node.node_id))
      if (link.nodes.some((n) => n.node_id === node.node_id && portKey(n) === key))
        throw conflict(`port ${key} of ${node.name} is used by link ${link.link_id}`);
    await putNio(directory, caller, at, { nio, before: null });
    return nio;
  },

  async updateNio(caller, at, nio) {
    const { node, key } = portAt(context, at);
    checkNio(context, node, nio);
    const before = node.nios[key];
    if (before === undefined) throw notFound(`NIO of ${node.name}`, key);
    // A controller that connects again puts them all again.
    if (isDeepStrictEqual(nio, before)) await settleNio(context, at);
    else await putNio(directory, caller, at, { nio, before });
    return nio;
  },

  async removeNio(caller, at) {
    const { node, key } = portAt(context, at);
    if (node.nios[key] === undefined) throw notFound(`NIO of ${node.name}`, key);
    await context.log.append([draft(caller, at.project_id, 'node.nio_removed', at)]);
    await context.plumbing.removeNio(at);
    await leaveUnlinked(directory, [at.node_id]);
  },

  leasedUdpPorts: () => udpPorts.leased(),
  leaseUdpPort: (projectId) => udpPorts.lease(projectId),
});

const checkNio = (context: LabContext, node: NodeRecord, nio: Nio): void => {
  if (!context.settings.local && nio.type !== 'nio_udp')
    throw hostUse({ field: 'type', reason: `a NIO of type ${nio.type} is at an interface of the server’s machine` });
  const types = kindOf(context, node.kind).capabilities.nio_types;
  if (!types.includes(nio.type)) throw conflict(`${node.name} takes NIOs of type ${types.join(', ')}, not ${nio.type}`);
};

/** `before`: null for one that is new. What cannot be had in the world is taken back. */
const putNio = async (
  directory: Directory,
  caller: Caller,
  at: PortAddress,
  { nio, before }: { nio: Nio; before: Nio | null },
): Promise<void> => {
  const { context } = directory;
  const { log, logger } = context;
  const make = (put: Nio) =>
    before === null
      ? draft(caller, at.project_id, 'node.nio_added', { ...at, nio: put })
      : draft(caller, at.project_id, 'node.nio_updated', { ...at, nio: put });
  await log.append([make(nio)]);
  try {
    if (before === null) await serveLinked(directory, [at.node_id]);
    await settleNio(context, at);
  } catch (error) {
    await log.append([before === null ? draft(caller, at.project_id, 'node.nio_removed', at) : make(before)]);
    // Recovery may have brought its cable up meanwhile.
    const about = { node_id: at.node_id, request_id: caller.request_id };
    await settleNio(context, at).catch((e: unknown) => logger.warn(about, String(e)));
    await leaveUnlinked(directory, [at.node_id]);
    throw error;
  }
};
