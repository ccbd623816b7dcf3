import type { Kind } from '../../../emulators/kit/contract.ts';
import type { NodeRecord } from '../../../projections/records.ts';
import { shownStatus } from '../../../projections/states.ts';

/** The compute group's record of a node, as its kind shapes it. */
export const computeNodeToJson = (kind: Kind, n: NodeRecord, asExisting: boolean): Record<string, unknown> =>
  (asExisting ? kind.asExisting : kind).record(kindNode(n));

const kindNode = (n: NodeRecord): Parameters<Kind['record']>[0] => ({
  node_id: n.node_id,
  project_id: n.project_id,
  name: n.name,
  status: shownStatus(n.state),
  console: n.console,
  console_type: n.console_type,
  command_line: n.command_line,
  node_directory: n.node_directory,
  properties: n.properties,
  port_name_format: n.port_name_format,
  port_segment_size: n.port_segment_size,
  first_port_name: n.first_port_name,
  custom_adapters: n.custom_adapters,
});
