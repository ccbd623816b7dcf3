import type { Texts } from '../../common/forms/property-text.ts';
import { textsOf } from '../../model/derive.ts';
import { placeFields } from '../../model/place.ts';

/** What people read of the records: forms are made of it, by the OpenAPI document. */

const ID = 'Never changes.';

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
  console_auto_start: {
    title: 'Open the console',
    help: 'Clients open it when the node starts.',
    group: 'Console',
  },
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
  ...textsOf(placeFields(1)),
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

export const PROJECT_TEXTS: Texts = {
  name: { title: 'Name', help: 'What the lab is called.' },
  folder: { title: 'Folder', help: 'Where the list of projects shows it, one a line, from the outermost on.' },
  tags: { title: 'Tags', help: 'Words that it is found by, one a line.' },
  checks: { title: 'Checks', help: 'What must hold while it runs.', widget: 'none' },
  stages: { title: 'Stages', help: 'What its checks count for those who learn with it.', widget: 'none' },
  groups: { title: 'Groups', help: 'Nodes that the map shows and moves together.', widget: 'none' },
  seed: {
    title: 'Seed',
    help: 'Of what happens at random on links: the same lab on another machine loses the same frames. 0: none.',
  },
  record_consoles: { title: 'Record consoles', help: 'They can be played back later.' },
  record_hidden_input: {
    title: 'Record hidden input',
    help: 'Also what consoles do not show, such as passwords.',
  },
  auto_open: { title: 'Open with the server', help: 'The project is opened when the server starts.' },
  auto_start: { title: 'Start its nodes', help: 'All nodes start when the project is opened.' },
  auto_close: {
    title: 'Close when nobody looks',
    help: 'It closes, and its nodes stop, when its last viewer leaves.',
  },
  default_compute: {
    title: 'New nodes go to',
    help: 'Compute of nodes that do not say theirs; auto: the best one.',
    widget: 'compute',
  },
  on_takeover: {
    title: 'When another server takes over',
    help: 'What becomes of its nodes at a server that wrote the log.',
    options: { leave: 'They stay there, out of reach', restart: 'They start again here' },
  },
  show_interface_labels: { title: 'Show names of ports', help: 'Beside the ends of links.', group: 'Map' },
  show_grid: { title: 'Show the grid', help: 'Lines behind the lab.', group: 'Map' },
  snap_to_grid: { title: 'Snap to the grid', help: 'What is moved goes to the next line.', group: 'Map' },
  show_layers: { title: 'Show layers', help: 'The layer of each object stands beside it.', group: 'Map' },
  grid_size: { title: 'Grid of nodes', help: 'Distance of its lines.', unit: 'px', group: 'Map' },
  drawing_grid_size: { title: 'Grid of drawings', help: 'Distance of its lines.', unit: 'px', group: 'Map' },
  scene_width: { title: 'Width of the map', help: 'For clients that limit it.', unit: 'px', group: 'Map' },
  scene_height: { title: 'Height of the map', help: 'For clients that limit it.', unit: 'px', group: 'Map' },
  zoom: { title: 'Zoom', help: 'How large clients show the map at first.', unit: '%', group: 'Map' },
  variables: {
    title: 'Variables',
    help: 'Names and values that appliances may read.',
    group: 'Advanced',
  },
  supplier: { title: 'Supplier', help: 'Whose lab it is: a logo and an address.', group: 'Advanced' },
  project_id: { title: 'Project', help: ID },
  path: { title: 'Directory', help: 'Where its files are.' },
  filename: { title: 'Project file', help: 'Name of its file in that directory.' },
  status: { title: 'State', help: 'Whether it is opened.' },
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
