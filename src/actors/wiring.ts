import type { LinkRecord, NodeRecord } from '../projections/records.ts';
import type { LabContext } from './context.ts';

/** Splits the key of a node's NIO or capture: `<adapter>/<port>`. */
export const parsePort = (key: string): { adapter_number: number; port_number: number } => {
  const [adapter = '0', port = '0'] = key.split('/');
  return { adapter_number: Number(adapter), port_number: Number(port) };
};

export const putLink = (context: LabContext, link: LinkRecord): Promise<void> => {
  const [a, b] = link.nodes;
  if (a === undefined || b === undefined) return Promise.resolve();
  const { link_id, project_id, suspend, filters } = link;
  return context.plumbing.putLink({ link_id, project_id, ends: [a, b], suspend, filters });
};

const putNios = (context: LabContext, node: NodeRecord): Promise<void>[] =>
  Object.entries(node.nios).map(([key, nio]) =>
    context.plumbing.putNio({ node_id: node.node_id, project_id: node.project_id, ...parsePort(key), nio }),
  );

/** Brings up every wire of a project. One that cannot be brought up is reported and does not keep the others down. */
export const plumb = async (context: LabContext, projectId: string): Promise<void> => {
  const wires = [
    ...context.pending.ofProject('link', projectId).map((link) => putLink(context, link)),
    ...context.pending.ofProject('node', projectId).flatMap((node) => putNios(context, node)),
  ];
  for (const result of await Promise.allSettled(wires))
    if (result.status === 'rejected') context.report(`a wire of project ${projectId}: ${String(result.reason)}`);
};
