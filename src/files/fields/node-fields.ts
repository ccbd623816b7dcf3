import { LENGTHS } from '../../common/bounds.ts';
import type { CustomAdapter, Label } from '../../events/fields.ts';
import { NODE } from '../../model/node.ts';
import type { ParsedNode } from '../read/parsed.ts';
import * as f from './field-table.ts';
import type { Bag } from './json.ts';

/** Fields of a node in the file, except id and type. */
export type NodeValues = Omit<ParsedNode, 'node_id' | 'kind' | 'extra' | 'given' | 'problem'>;

export const NODE_FIELDS: f.Fields<NodeValues> = {
  name: f.required(f.word('')),
  compute_id: f.word('local'),
  template_id: f.orNull(f.text('')),
  console: f.orNull(f.integer(1, 1, 65535)),
  console_type: f.filledByKind(f.word('')),
  properties: { ...f.bag(), filled: true } satisfies f.Field<Bag>,
  label: f.label() satisfies f.Field<Label | null>,
  symbol: f.filledByKind(f.text('')),
  ...f.readersOf(NODE),
  width: f.filledByKind(f.integer(0, 0)),
  height: f.filledByKind(f.integer(0, 0)),
  port_name_format: f.filledByKind(f.text('', LENGTHS.name)),
  port_segment_size: f.filledByKind(f.integer(0, 0)),
  first_port_name: f.orNull(f.text('', LENGTHS.name)),
  custom_adapters: f.customAdapters() satisfies f.Field<CustomAdapter[]>,
};

/** Keys that are valid in existing tools' schema but computed by the server. */
export const NODE_DERIVED = [
  'node_id',
  'node_type',
  'project_id',
  'node_directory',
  'command_line',
  'console_host',
  'status',
  'ports',
];

/** Name for a node without one. */
export const unnamed = (nodeId: string): string => `unnamed-${nodeId}`;
