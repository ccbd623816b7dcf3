import { portsOf } from '../../emulators/recorded-node.ts';
import { notFound } from '../../common/errors.ts';
import type { Port } from '../../events/fields.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { PortAddress } from '../caller.ts';
import { type LabContext, nodeOf, openProjectOf } from '../context.ts';
import { type PortNumbers, portKey } from './port-key.ts';

export const portOf = ({ kinds }: Pick<LabContext, 'kinds'>, node: NodeRecord, at: PortNumbers): Port | undefined =>
  portsOf(kinds, node).find((p) => p.adapter_number === at.adapter_number && p.port_number === at.port_number);

/** A port of an open project; throws where there is none. */
export const portAt = (context: LabContext, at: PortAddress): { node: NodeRecord; port: Port; key: string } => {
  openProjectOf(context.pending, at.project_id);
  const node = nodeOf(context.pending, at);
  const port = portOf(context, node, at);
  const key = portKey(at);
  if (port === undefined) throw notFound(`Port of ${node.name}`, key);
  return { node, port, key };
};
