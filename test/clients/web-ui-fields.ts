import assert from 'node:assert/strict';
import type { Bag } from '../api/api.ts';
import type { FieldTable } from '../api/fields.ts';
import { bag, bags, reads } from './client.ts';

/** What the web client reads from each record. */

export const NODE_TYPES = [
  ...['cloud', 'nat', 'ethernet_hub', 'ethernet_switch', 'frame_relay_switch', 'atm_switch', 'docker', 'dynamips'],
  ...['vpcs', 'traceng', 'virtualbox', 'vmware', 'iou', 'qemu'],
];
export const CONSOLE_TYPES = ['vnc', 'telnet', 'http', 'https', 'spice', 'spice+agent', 'none'];

const NODE: FieldTable = {
  ...{ node_id: 'uuid', project_id: 'uuid', name: 'string', status: ['stopped', 'started', 'suspended'] },
  ...{ node_type: NODE_TYPES, symbol: 'string', x: 'integer', y: 'integer', z: 'integer', width: 'integer' },
  ...{ height: 'integer', label: 'object', locked: 'boolean', console: 'integer|null', console_host: 'string' },
  // It calls methods of strings on the type of the console.
  ...{ console_type: CONSOLE_TYPES, console_auto_start: 'boolean', command_line: 'string|null' },
  ...{
    node_directory: 'string|null',
    compute_id: 'string',
    first_port_name: 'string|null',
    port_name_format: 'string',
  },
  ...{ port_segment_size: 'integer', ports: 'array', properties: 'object', custom_adapters: 'array' },
};
const LABEL: FieldTable = {
  text: 'string',
  style: 'string|null',
  x: 'integer|null',
  y: 'integer',
  rotation: 'integer',
};
const PORT: FieldTable = {
  ...{ name: 'string', short_name: 'string', adapter_number: 'integer', port_number: 'integer' },
  link_type: ['ethernet', 'serial'],
};

export const readNode = (node: Bag): Bag => {
  reads(node, NODE);
  reads(bag(node['label']), LABEL);
  const ports = bags(node['ports']);
  if (ports.length > 0) reads(ports, PORT);
  return node;
};

export const readLink = (link: Bag): Bag => {
  reads(link, {
    ...{ link_id: 'uuid', project_id: 'uuid', link_type: ['ethernet', 'serial'], nodes: 'array', capturing: 'boolean' },
    ...{ capture_file_name: 'string|null', capture_file_path: 'string|null', filters: 'object', suspend: 'boolean' },
  });
  const ends = bags(link['nodes']);
  assert.equal(ends.length, 2);
  reads(ends, { node_id: 'uuid', adapter_number: 'integer', port_number: 'integer', label: 'object' });
  for (const end of ends) reads(bag(end['label']), { text: 'string', style: 'string' });
  return link;
};

export const readDrawing = (drawing: Bag): Bag => {
  reads(drawing, {
    ...{ drawing_id: 'uuid', project_id: 'uuid', svg: 'string', x: 'integer', y: 'integer', z: 'integer' },
    ...{ rotation: 'integer', locked: 'boolean' },
  });
  assert.match(String(drawing['svg']), /<(rect|ellipse|line|text|image)\b/);
  return drawing;
};

export const readProject = (project: Bag): Bag => {
  reads(project, {
    ...{ project_id: 'uuid', name: 'string', status: ['opened', 'closed'], path: 'string', filename: 'string' },
    ...{ auto_close: 'boolean', auto_open: 'boolean', auto_start: 'boolean', scene_width: 'integer' },
    ...{ scene_height: 'integer', grid_size: 'integer', drawing_grid_size: 'integer', snap_to_grid: 'boolean' },
    ...{ show_grid: 'boolean', show_interface_labels: 'boolean', show_layers: 'boolean' },
  });
  assert.ok(project['variables'] === null || Array.isArray(project['variables']));
  return project;
};

export const readTemplates = (templates: readonly Bag[]): readonly Bag[] => {
  reads(templates, {
    ...{ template_id: 'uuid', name: 'string', template_type: NODE_TYPES, symbol: 'string', builtin: 'boolean' },
    ...{
      category: ['router', 'switch', 'guest', 'firewall'],
      compute_id: 'string|null',
      default_name_format: 'string',
    },
  });
  return templates;
};

export const readComputes = (computes: readonly Bag[]): void => {
  reads(computes, {
    ...{ compute_id: 'string', name: 'string', capabilities: 'object', connected: 'boolean', host: 'string' },
    port: 'integer',
  });
  for (const compute of computes) {
    reads(bag(compute['capabilities']), { platform: 'string', node_types: 'array' });
    for (const field of ['cpu_usage_percent', 'memory_usage_percent'])
      assert.equal(typeof compute[field], 'number', field);
  }
};
