import { portsOf } from '../../emulators/ports/ports-of.ts';
import { notFound } from '../../common/errors.ts';
import type { Port } from '../../events/fields.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { PortAddress } from '../caller.ts';
import { type LabContext, nodeOf, openProjectOf } from '../context.ts';

/** What names a port of a node that is known. */
type PortNumbers = Pick<PortAddress, 'adapter_number' | 'port_number'>;

/** As the keys of a node's NIOs and captures have it: `<adapter>/<port>`. */
export const portKey = ({ adapter_number, port_number }: PortNumbers): string => `${adapter_number}/${port_number}`;

export const parsePort = (key: string): PortNumbers => {
  const [adapter = '0', port = '0'] = key.split('/');
  return { adapter_number: Number(adapter), port_number: Number(port) };
};

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
