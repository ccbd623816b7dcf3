import { z } from 'zod';
import { customAdapters } from '../../../actors/kinds.ts';
import { withTexts } from '../../../common/forms/property-text.ts';
import { line } from '../../../model/types.ts';
import type { KindNames } from '../../kind-names.ts';
import { NODE_TEXTS } from '../texts.ts';
import { isObject } from '../../server/request-body.ts';
import {
  type Body,
  input,
  label,
  labelRecord,
  name,
  omit,
  once,
  tcpPort,
  uuid,
  withoutNulls,
  word,
} from '../schema.ts';

const consoleType = z.enum(['vnc', 'telnet', 'http', 'https', 'spice', 'spice+agent', 'none']);

const told = <S extends z.ZodRawShape>(shape: S): S => withTexts(shape, NODE_TEXTS);

/** A node that runs cannot take a change. */
const NEEDS_STOP = { 'x-needs-stop': true };

/** What can be given at creation and changed afterwards. */
const changes = told({
  console: tcpPort.nullable().exactOptional().meta(NEEDS_STOP),
  console_type: consoleType.nullable().exactOptional().meta(NEEDS_STOP),
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
  custom_adapters: customAdapters.exactOptional(),
});
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

/** Fields of a node that existing clients also send among its properties. */
const BESIDE = ['console', 'console_type', 'custom_adapters'];

/** With these fields beside the properties, where they are not there already. */
const withBeside = (body: Body): Body => {
  const { properties } = body;
  if (!isObject(properties)) return body;
  const beside = BESIDE.filter((key) => (properties[key] ?? null) !== null);
  if (beside.length === 0) return body;
  const moved = beside.map((key) => [key, body[key] ?? properties[key]]);
  return { ...body, properties: omit(properties, beside), ...(Object.fromEntries(moved) as Body) };
};

export const nodeCreate = once((names: KindNames) =>
  input(
    {
      ...told({ name, node_type: z.enum(names.accepted), compute_id: word.exactOptional() }),
      node_id: uuid.exactOptional(),
      template_id: uuid.nullable().exactOptional(),
      ...changes,
    },
    READ_ONLY,
    { before: (body) => withBeside(withoutNulls(body, ['node_id'])), error: misplaced(names) },
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

export const nodeUpdate = input(
  { ...told({ name: name.exactOptional(), compute_id: word.exactOptional() }), ...changes },
  [...READ_ONLY, 'node_id', 'node_type', 'template_id'],
  { before: withBeside },
);

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
export const nodeRecord = z.strictObject(
  told({
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
  }),
);
