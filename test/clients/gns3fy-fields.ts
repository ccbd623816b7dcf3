import assert from 'node:assert/strict';
import type { Bag } from '../api/api.ts';
import type { FieldTable } from '../api/fields.ts';
import { bags, reads } from './client.ts';
import { NODE_TYPES } from './web-ui-fields.ts';

/** What the scripting library reads from each record. */

/** Its records are closed in its older versions: a key that it does not know ends the script. */
const LINK_KEYS = [
  ...['link_id', 'link_type', 'link_style', 'project_id', 'suspend', 'nodes', 'filters', 'capturing'],
  ...['capture_file_path', 'capture_file_name', 'capture_compute_id'],
];
const NODE_KEYS = [
  ...['name', 'project_id', 'node_id', 'compute_id', 'node_type', 'node_directory', 'status', 'ports'],
  ...['port_name_format', 'port_segment_size', 'first_port_name', 'locked', 'label', 'console', 'console_host'],
  ...['console_type', 'console_auto_start', 'command_line', 'custom_adapters', 'height', 'width', 'symbol'],
  ...['x', 'y', 'z', 'template_id', 'properties'],
];
const NODE: FieldTable = {
  ...{ node_id: 'uuid', project_id: 'uuid', name: 'string', node_type: NODE_TYPES, compute_id: 'string' },
  ...{ status: ['stopped', 'started', 'suspended'], console: 'integer|null', ports: 'array', properties: 'object' },
  console_type: ['vnc', 'telnet', 'http', 'https', 'spice', 'spice+agent', 'none'],
};
const PORT: FieldTable = { name: 'string', port_number: 'integer', adapter_number: 'integer' };
export const DRAWING: FieldTable = {
  ...{ drawing_id: 'uuid', svg: 'string', locked: 'boolean', x: 'integer', y: 'integer', z: 'integer' },
};

const known = (record: Bag, keys: readonly string[]): void => {
  assert.deepEqual(
    Object.keys(record).filter((key) => !keys.includes(key)),
    [],
  );
};
export const asNode = (record: Bag): Bag => {
  known(record, NODE_KEYS);
  reads(record, NODE);
  if (bags(record['ports']).length > 0) reads(bags(record['ports']), PORT);
  return record;
};
export const asLink = (record: Bag): Bag => {
  known(record, LINK_KEYS);
  reads(record, { link_id: 'uuid', link_type: ['ethernet', 'serial'], nodes: 'array' });
  reads(bags(record['nodes']), { node_id: 'uuid', adapter_number: 'integer', port_number: 'integer' });
  return record;
};
export const asProject = (record: Bag): Bag => {
  reads(record, {
    name: 'string',
    project_id: 'uuid',
    status: ['opened', 'closed'],
    path: 'string',
    filename: 'string',
  });
  reads(record, { auto_close: 'boolean', auto_open: 'boolean', auto_start: 'boolean', zoom: 'integer' });
  reads(record, {
    scene_height: 'integer',
    scene_width: 'integer',
    grid_size: 'integer',
    drawing_grid_size: 'integer',
  });
  reads(record, {
    show_grid: 'boolean',
    show_interface_labels: 'boolean',
    show_layers: 'boolean',
    snap_to_grid: 'boolean',
  });
  assert.ok('supplier' in record && 'variables' in record);
  return record;
};
export const TEMPLATE: FieldTable = {
  ...{ name: 'string', template_id: 'uuid', template_type: NODE_TYPES, builtin: 'boolean', category: 'string' },
};
