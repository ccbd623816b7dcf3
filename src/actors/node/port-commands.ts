import { conflict, invalid, notFound } from '../../common/errors.ts';
import type { Nio, Port } from '../../events/fields.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { captureFor, portOf } from '../capture/captures.ts';
import type { Commands, PortRef } from '../commands.ts';
import { draft, type LabContext, nodeOf, openProjectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { udpPortIsFree } from '../../emulators/shared/host/leases.ts';
import { hostUse } from '../../emulators/kit/host-uses.ts';
import { kindOf } from './fields.ts';
import { settleNio } from '../link/cabling.ts';

type PortCommands = Pick<
  Commands,
  'addNio' | 'updateNio' | 'removeNio' | 'startNodeCapture' | 'stopNodeCapture' | 'leaseUdpPort' | 'leasedUdpPorts'
>;

/** What the compute group does at a port of a node: NIOs and captures. */
export const portCommands = (context: LabContext, directory: Directory): PortCommands => {
  const { pending, log, plumbing } = context;
  const leases = new Map<number, number>();

  const at = (projectId: string, nodeId: string, ref: PortRef): { node: NodeRecord; port: Port; key: string } => {
    openProjectOf(pending, projectId);
    const node = nodeOf(pending, projectId, nodeId);
    const port = portOf(context, node, ref);
    const key = `${ref.adapter_number}/${ref.port_number}`;
    if (port === undefined) throw notFound(`Port of ${node.name}`, key);
    return { node, port, key };
  };

  const check = (node: NodeRecord, nio: Nio): void => {
    if (!context.settings.local && nio.type !== 'nio_udp')
      throw hostUse({ field: 'type', reason: `a NIO of type ${nio.type} is at an interface of the server’s machine` });
    const types = kindOf(context, node.kind).capabilities.nio_types;
    if (!types.includes(nio.type))
      throw conflict(`${node.name} takes NIOs of type ${types.join(', ')}, not ${nio.type}`);
  };

  return {
    async addNio(caller, projectId, nodeId, ref, nio) {
      const { node, key } = at(projectId, nodeId, ref);
      check(node, nio);
      if (node.nios[key] !== undefined)
        throw conflict(`port ${key} of ${node.name} has a NIO already; update or delete it`);
      for (const link of pending.linksOf(nodeId))
        if (link.nodes.some((n) => n.node_id === nodeId && `${n.adapter_number}/${n.port_number}` === key))
          throw conflict(`port ${key} of ${node.name} is used by link ${link.link_id}`);
      const place = { node_id: nodeId, project_id: projectId, ...ref };
      await log.append([draft(caller, projectId, 'node.nio_added', { ...place, nio })]);
      try {
        await settleNio(context, { node_id: nodeId, ...ref });
      } catch (error) {
        await log.append([draft(caller, projectId, 'node.nio_removed', place)]);
        // Recovery may have brought its cable up meanwhile.
        await settleNio(context, { node_id: nodeId, ...ref }).catch((e: unknown) =>
          context.logger.warn({ node_id: nodeId }, String(e)),
        );
        throw error;
      }
      return nio;
    },

    async updateNio(caller, projectId, nodeId, ref, nio) {
      const { node, key } = at(projectId, nodeId, ref);
      check(node, nio);
      const before = node.nios[key];
      if (before === undefined) throw notFound(`NIO of ${node.name}`, key);
      const place = { node_id: nodeId, project_id: projectId, ...ref };
      await log.append([draft(caller, projectId, 'node.nio_updated', { ...place, nio })]);
      try {
        await settleNio(context, { node_id: nodeId, ...ref });
      } catch (error) {
        await log.append([draft(caller, projectId, 'node.nio_updated', { ...place, nio: before })]);
        await settleNio(context, { node_id: nodeId, ...ref }).catch((e: unknown) =>
          context.logger.warn({ node_id: nodeId }, String(e)),
        );
        throw error;
      }
      return nio;
    },

    async removeNio(caller, projectId, nodeId, ref) {
      const { node, key } = at(projectId, nodeId, ref);
      if (node.nios[key] === undefined) throw notFound(`NIO of ${node.name}`, key);
      await log.append([
        draft(caller, projectId, 'node.nio_removed', { node_id: nodeId, project_id: projectId, ...ref }),
      ]);
      await plumbing.removeNio({ node_id: nodeId, ...ref });
    },

    async startNodeCapture(caller, projectId, nodeId, ref, input) {
      const { node, port } = at(projectId, nodeId, ref);
      const project = openProjectOf(pending, projectId);
      if (input.capture_file_name === undefined)
        throw invalid('capture_file_name is needed', { field: 'capture_file_name' });
      if (kindOf(context, node.kind).capabilities.capture_needs_started && node.state !== 'started')
        throw conflict(`${node.name} is not started`);
      const capture = await captureFor(project, port, input, 'capture.pcap');
      const place = { project_id: projectId, link_id: null, node_id: nodeId, ...ref };
      await directory.startCapture(place, caller, capture);
      return capture;
    },

    async stopNodeCapture(caller, projectId, nodeId, ref) {
      at(projectId, nodeId, ref);
      const capture = directory.findCapture({ node_id: nodeId, ...ref });
      if (capture?.port.link_id === null) await capture.end(caller);
    },

    leasedUdpPorts: () => [...leases].filter(([, until]) => until > Date.now()).map(([port]) => port),

    async leaseUdpPort(projectId) {
      openProjectOf(pending, projectId);
      const [first, last] = context.settings.udpRange;
      const used = new Set(
        pending
          .projects()
          .flatMap((p) =>
            pending
              .ofProject('node', p.project_id)
              .flatMap((n) => Object.values(n.nios).map((nio) => Number(nio['lport']))),
          ),
      );
      for (let port = first; port <= last; port++) {
        const now = Date.now();
        if (used.has(port) || (leases.get(port) ?? 0) > now) continue;
        // A lease that no NIO took up within a minute is free again; so long another program's port is not looked at either.
        leases.set(port, now + 60_000);
        if (await udpPortIsFree('0.0.0.0', port)) return port;
      }
      throw conflict(`every UDP port of ${first}-${last} is taken`);
    },
  };
};
