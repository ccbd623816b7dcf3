import { z } from 'zod';
import { MOST_ITEMS } from '../../../common/bounds.ts';
import { filledLine, name, uuid, word } from '../schema.ts';
import { line } from '../../../model/types.ts';

/** What the compute group tells of this machine, and what the controller group takes of computes. */

export const image = z.strictObject({
  filename: z.string(),
  path: z.string(),
  filesize: z.int(),
  md5sum: z.string(),
});

const percent = z.int().min(0);
export const statistics = z.strictObject({
  memory_total: z.int(),
  memory_free: z.int(),
  memory_used: z.int(),
  swap_total: z.int(),
  swap_free: z.int(),
  swap_used: z.int(),
  cpu_usage_percent: percent,
  memory_usage_percent: percent,
  swap_usage_percent: percent,
  disk_usage_percent: percent,
  load_average_percent: z.array(percent).length(3),
});
export const computeStatistics = z.strictObject({
  compute_id: z.string(),
  compute_name: z.string(),
  statistics,
});

export const networkInterface = z.strictObject({
  id: z.string(),
  name: z.string(),
  ip_address: z.string(),
  netmask: z.string(),
  mac_address: z.string(),
  type: z.enum(['ethernet', 'tap']),
  special: z.boolean(),
});

const ports = z.array(z.int());
const range = ports.length(2);
export const portsInUse = z.strictObject({
  console_port_range: range,
  console_ports: ports,
  udp_port_range: range,
  udp_ports: ports,
});

const computeFields = {
  protocol: z.enum(['http', 'https']),
  host: filledLine,
  port: z.int().min(1).max(65535),
};
const optionalFields = {
  compute_id: name.nullable().exactOptional(),
  name: word.nullable().exactOptional(),
  user: word.nullable().exactOptional(),
  password: line.nullable().exactOptional(),
  certificate: z.string().max(65_536).nullable().exactOptional().meta({ description: 'PEM; it alone is trusted' }),
  take: z.boolean().exactOptional().meta({ description: 'Take it from the controller that has it' }),
};
export const computeCreate = z.strictObject({ ...computeFields, ...optionalFields });
export const computeUpdate = z.strictObject({
  protocol: computeFields.protocol.exactOptional(),
  host: computeFields.host.exactOptional(),
  port: computeFields.port.exactOptional(),
  ...optionalFields,
});
export type ComputeWish = z.output<typeof computeUpdate>;

export const endpoint = z.strictObject({ endpoint: z.string() });
export const copyDestination = z.strictObject({ destination_node_id: word });

const restart = z
  .boolean()
  .exactOptional()
  .meta({ description: 'Those that run are stopped, moved and started there; absent: they stay' });
const to = name.meta({ description: 'A compute_id; auto: the best one for each node' });
export const moveWish = { to: to.exactOptional(), restart };
export const moveNodes = z.strictObject({
  to,
  nodes: z.array(uuid).min(1).max(MOST_ITEMS).exactOptional().meta({ description: 'Absent: all of the project' }),
  restart,
});
const movedNode = { project_id: z.string(), node_id: z.string(), name: z.string() };
export const moved = z.strictObject({
  moved: z
    .array(z.strictObject({ ...movedNode, compute_id: z.string(), reason: z.string(), started: z.boolean() }))
    .meta({ description: 'Those that were there already are in neither list' }),
  left: z.array(z.strictObject({ ...movedNode, reason: z.string() })),
});
