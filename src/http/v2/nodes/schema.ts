import { z } from 'zod';
import { MOST_ITEMS } from '../../../common/bounds.ts';
import type { KindNames } from '../../kind-names.ts';
import { input, label, labelRecord, line, name, once, tcpPort, uuid, word } from '../schema.ts';

const consoleType = z.enum(['vnc', 'telnet', 'http', 'https', 'spice', 'spice+agent', 'none']);

const placement = word.meta({ description: 'A compute_id; auto: the best one' });

const customAdapter = z.strictObject({
  adapter_number: z.int().nonnegative(),
  port_name: word.exactOptional(),
  adapter_type: word.exactOptional(),
  mac_address: word.exactOptional(),
});

/** What can be given at creation and changed afterwards. */
const changes = {
  console: tcpPort.nullable().exactOptional(),
  console_type: consoleType.nullable().exactOptional(),
  console_auto_start: z.boolean().exactOptional(),
  /** Checked by the kind's own schema. */
  properties: z.record(z.string(), z.unknown()).exactOptional(),
  label: label.exactOptional(),
  symbol: line.nullable().exactOptional(),
  x: z.int().exactOptional(),
  y: z.int().exactOptional(),
  z: z.int().exactOptional(),
  locked: z.boolean().exactOptional(),
  port_name_format: word.exactOptional(),
  port_segment_size: z.int().nonnegative().exactOptional(),
  first_port_name: word.nullable().exactOptional(),
  custom_adapters: z.array(customAdapter).max(MOST_ITEMS).exactOptional(),
};
const READ_ONLY = [
  'project_id',
  'status',
  'ports',
  'width',
  'height',
  'node_directory',
  'command_line',
  'console_host',
] as const;

export const nodeCreate = once((names: KindNames) =>
  input(
    {
      name,
      node_type: z.enum(names.accepted),
      compute_id: placement.exactOptional(),
      node_id: uuid.exactOptional(),
      template_id: uuid.nullable().exactOptional(),
      ...changes,
    },
    READ_ONLY,
    misplaced(names),
  ),
);

/** Settings of a kind that stand beside its properties instead of in them. */
const misplaced =
  (names: KindNames): z.core.$ZodErrorMap =>
  (issue) => {
    if (issue.code !== 'unrecognized_keys') return undefined;
    const { node_type } = issue.input as { node_type?: unknown };
    const shape = typeof node_type === 'string' ? names.kind(node_type)?.properties.shape : undefined;
    const found = issue.keys.filter((key) => shape !== undefined && Object.hasOwn(shape, key));
    return found.length === 0 ? undefined : `; send ${found.map((key) => `properties.${key}`).join(', ')}`;
  };

export const nodeUpdate = input({ name: name.exactOptional(), compute_id: placement.exactOptional(), ...changes }, [
  ...READ_ONLY,
  'node_id',
  'node_type',
  'template_id',
]);

export const nodeDuplicate = z.strictObject({ x: z.int(), y: z.int(), z: z.int().exactOptional() });

export const portRecord = z.object({
  name: z.string(),
  short_name: z.string(),
  adapter_number: z.int(),
  port_number: z.int(),
  link_type: z.enum(['ethernet', 'serial']),
  data_link_types: z.record(z.string(), z.string()),
  adapter_type: z.string().optional(),
  mac_address: z.string().optional(),
});

/** Closed: existing clients build objects from it and fail on a key they do not know. */
export const nodeRecord = z.strictObject({
  compute_id: z.string(),
  project_id: z.string(),
  node_id: z.string(),
  template_id: z.string().nullable(),
  node_type: z.string(),
  node_directory: z.string().nullable(),
  name: z.string(),
  command_line: z.string().nullable(),
  console: z.int().nullable(),
  console_host: z.string(),
  console_type: consoleType,
  console_auto_start: z.boolean(),
  properties: z.record(z.string(), z.unknown()),
  status: z.enum(['stopped', 'started', 'suspended']),
  label: labelRecord,
  symbol: z.string().nullable(),
  width: z.number(),
  height: z.number(),
  x: z.number(),
  y: z.number(),
  z: z.number(),
  locked: z.boolean(),
  port_name_format: z.string(),
  port_segment_size: z.number(),
  first_port_name: z.string().nullable(),
  custom_adapters: z.array(
    z.object({
      adapter_number: z.int(),
      port_name: z.string().optional(),
      adapter_type: z.string().optional(),
      mac_address: z.string().optional(),
    }),
  ),
  ports: z.array(portRecord),
});
