import type { Texts } from '../../common/forms/property-text.ts';
import { textsOf } from '../../model/derive.ts';
import { NODE } from '../../model/node.ts';

/** Titles and help of nodes and templates, from which the OpenAPI document and so the forms are made. */

const ID = 'Never changes.';
const { console_auto_start: _, ...place } = NODE;

export const NODE_TEXTS: Texts = {
  name: { title: 'Name', help: 'Each name is there once in a project.', unique: true },
  symbol: { title: 'Symbol', help: 'Picture of the node on the map.', widget: 'symbol' },
  compute_id: { title: 'Compute', help: 'Machine that runs it. A move takes its files along.', widget: 'compute' },
  console_type: { title: 'Console type', help: 'How its console is spoken to.', group: 'Console' },
  console: {
    title: 'Console port',
    help: 'TCP port of its console. Empty: a free one.',
    unique: true,
    group: 'Console',
  },
  console_auto_start: NODE.console_auto_start.text,
  port_name_format: {
    title: 'Port name format',
    help: 'Such as Ethernet{0}, where ports are named by a format: {0} is the port, {1} the segment.',
    group: 'Network',
  },
  port_segment_size: {
    title: 'Ports in a segment',
    help: 'For that format. 0: there are no segments.',
    group: 'Network',
  },
  first_port_name: {
    title: 'Name of the first port',
    help: 'Empty: as the format names it.',
    group: 'Network',
  },
  custom_adapters: {
    title: 'Single adapters',
    help: 'Name, type and MAC address of adapters that differ from the others.',
    group: 'Network',
  },
  ...textsOf(place),
  label: { title: 'Label', help: 'The name on the map: where it is, and how it looks.', widget: 'none' },
  properties: { title: 'Properties', help: 'Settings of its kind.', widget: 'none' },
  node_type: { title: 'Kind', help: 'What the node is; it never changes.' },
  node_id: { title: 'Node', help: ID },
  project_id: { title: 'Project', help: 'That it belongs to.' },
  template_id: { title: 'Template', help: 'That it was made from.' },
  status: { title: 'State', help: 'Whether it runs.' },
  ports: { title: 'Ports', help: 'Where links can go.' },
  width: { title: 'Width', help: 'Of its symbol.', unit: 'px' },
  height: { title: 'Height', help: 'Of its symbol.', unit: 'px' },
  node_directory: { title: 'Directory', help: 'Where its files are.' },
  command_line: { title: 'Command line', help: 'What it was started with.' },
  console_host: { title: 'Console host', help: 'Where its console can be reached.' },
};

export const TEMPLATE_TEXTS: Texts = {
  name: { title: 'Name', help: 'What the template is called.' },
  default_name_format: {
    title: 'Names of its nodes',
    help: 'Such as PC{0}: {0} is a running number, {name} the name of the template.',
  },
  symbol: { title: 'Symbol', help: 'Picture of its nodes on the map.', widget: 'symbol' },
  category: {
    title: 'Category',
    help: 'Under which it is listed.',
    options: { router: 'Routers', switch: 'Switches', guest: 'End devices', firewall: 'Firewalls' },
  },
  compute_id: { title: 'Compute', help: 'Machine of its nodes. Empty: the project’s.' },
  template_id: { title: 'Template', help: ID },
  template_type: { title: 'Kind', help: 'What its nodes are.' },
  builtin: { title: 'Built in', help: 'It cannot be changed or deleted.' },
};
