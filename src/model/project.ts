import { z } from 'zod';
import { MOST, MOST_ITEMS } from '../common/bounds.ts';
import { checkRecord, stageForm } from '../common/forms/check.ts';
import { part, type PropertyText, type Texts } from '../common/forms/property-text.ts';
import { LARGEST_SEED } from '../common/forms/seed.ts';
import { newValues, textsOf, valuesWhenAbsent } from './derive.ts';
import { field, ofType, type Values } from './field.ts';
import { line, name, shortText, uuid } from './types.ts';
import { weatherEntry } from './weather.ts';

/** Nodes that are shown and moved together. Ids of deleted nodes are kept, as an undo may restore the node. */
const group = z.strictObject({
  group_id: part(uuid, 'Group', 'Never changes.'),
  name: part(
    name.refine((text) => text.trim() !== '', 'must not be empty'),
    'Name',
    'Of the group.',
  ),
  color: part(z.string().regex(/^#[\da-f]{6}$/i, 'must be a colour such as #0072b2'), 'Colour', 'Of its frame.'),
  collapsed: part(z.boolean(), 'Collapsed', 'One symbol stands for its nodes.'),
  nodes: part(z.array(uuid).max(MOST.node), 'Nodes', 'That are in it.'),
});

const isOnce = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const groups = z
  .array(group)
  .max(MOST_ITEMS)
  .refine((list) => isOnce(list.map(({ group_id }) => group_id)), 'must not have a group twice')
  .refine((list) => isOnce(list.flatMap(({ nodes }) => nodes)), 'must not have a node twice');
const checks = z
  .array(checkRecord)
  .max(MOST_ITEMS)
  .refine((list) => isOnce(list.map(({ check_id }) => check_id)), 'must not have a check twice');
const stages = z
  .array(stageForm)
  .max(MOST_ITEMS)
  .refine((list) => isOnce(list.map(({ name }) => name)), 'must not have a stage twice');

/** A folder or tag: short, and distinguishable by sight. */
const shortLabel = line
  .min(1)
  .max(64)
  .refine((text) => text.trim() === text, 'must not begin or end with a space')
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line');
const MOST_LABELS = 20;
const tags = z
  .array(shortLabel)
  .max(MOST_LABELS)
  .refine((list) => new Set(list).size === list.length, 'must not have a tag twice');
const labelsInFile = ofType(z.array(shortText).max(MOST_LABELS), `a list of at most ${MOST_LABELS} texts`);

const supplier = z
  .strictObject({ logo: part(line, 'Logo', 'Address of a picture.'), url: part(line, 'Address', 'Of the supplier.') })
  .nullable();
const variables = z
  .array(
    z.strictObject({
      name: part(shortText, 'Name', 'Of the variable.'),
      value: part(line.exactOptional(), 'Value', 'Of the variable.'),
    }),
  )
  .max(MOST_ITEMS)
  .nullable();
/** A value of null in a file counts as absent. */
const variableInFile = z
  .object({ name: shortText, value: line.nullish() })
  .transform(({ name, value }) => (value === undefined || value === null ? { name } : { name, value }));

const flag = (text: PropertyText) => field(z.boolean(), false, { text });
const ownFlag = (text: PropertyText) => field(z.boolean(), false, { own: 'file', text });
/** Canvas sizes and grids, in scene units; project files may have fractions. */
const size = (initial: number, text: PropertyText) => field(z.int(), initial, { stored: z.number(), text });

/** Settings of a project beside its name, in the order of its JSON. */
export const PROJECT = {
  auto_close: flag({
    title: 'Close when nobody looks',
    help: 'It closes, and its nodes stop, when its last viewer leaves.',
  }),
  auto_open: flag({ title: 'Open with the server', help: 'The project is opened when the server starts.' }),
  auto_start: flag({ title: 'Start its nodes', help: 'All nodes start when the project is opened.' }),
  scene_width: size(2000, { title: 'Width of the map', help: 'For clients that limit it.', unit: 'px', group: 'Map' }),
  scene_height: size(1000, {
    title: 'Height of the map',
    help: 'For clients that limit it.',
    unit: 'px',
    group: 'Map',
  }),
  zoom: size(100, { title: 'Zoom', help: 'How large clients show the map at first.', unit: '%', group: 'Map' }),
  grid_size: size(75, { title: 'Grid of nodes', help: 'Distance of its lines.', unit: 'px', group: 'Map' }),
  drawing_grid_size: size(25, { title: 'Grid of drawings', help: 'Distance of its lines.', unit: 'px', group: 'Map' }),
  show_grid: flag({ title: 'Show the grid', help: 'Lines behind the lab.', group: 'Map' }),
  show_interface_labels: flag({ title: 'Show names of ports', help: 'Beside the ends of links.', group: 'Map' }),
  show_layers: flag({ title: 'Show layers', help: 'The layer of each object stands beside it.', group: 'Map' }),
  snap_to_grid: flag({ title: 'Snap to the grid', help: 'What is moved goes to the next line.', group: 'Map' }),
  /** See docs/reference/recordings.md. */
  record_consoles: ownFlag({ title: 'Record consoles', help: 'They can be played back later.' }),
  /** Also records input that the node does not echo. */
  record_hidden_input: field(z.boolean(), false, {
    own: 'file',
    later: true,
    text: { title: 'Record hidden input', help: 'Also what consoles do not show, such as passwords.' },
  }),
  /** Compute of new nodes that name none; `auto`: the most suitable. */
  default_compute: field(shortText.min(1), 'local', {
    stored: z.string(),
    own: 'file',
    later: true,
    ofMachine: true,
    text: {
      title: 'New nodes go to',
      help: 'Compute of nodes that do not say theirs; auto: the best one.',
      widget: 'compute',
    },
  }),
  on_takeover: field(z.enum(['leave', 'restart']), 'leave', {
    own: 'everywhere',
    later: true,
    ofMachine: true,
    inFile: ofType(z.enum(['leave', 'restart']), 'leave or restart'),
    text: {
      title: 'When another server takes over',
      help: 'What becomes of its nodes at a server that wrote the log.',
      options: { leave: 'They stay there, out of reach', restart: 'They start again here' },
    },
  }),
  folder: field(z.array(shortLabel).max(8), [], {
    stored: z.array(z.string()),
    own: 'everywhere',
    later: true,
    inFile: labelsInFile,
    text: { title: 'Folder', help: 'Where the list of projects shows it, one a line, from the outermost on.' },
  }),
  tags: field(tags, [], {
    stored: z.array(z.string()),
    own: 'everywhere',
    later: true,
    inFile: labelsInFile,
    text: { title: 'Tags', help: 'Words that it is found by, one a line.' },
  }),
  groups: field(groups, [], {
    stored: z.array(group),
    own: 'everywhere',
    later: true,
    inFile: ofType(groups, 'a list of groups, each node in one of them at most'),
    text: { title: 'Groups', help: 'Nodes that the map shows and moves together.', widget: 'none' },
  }),
  checks: field(checks, [], {
    stored: z.array(checkRecord),
    own: 'everywhere',
    later: true,
    inFile: ofType(z.array(checkRecord).max(MOST_ITEMS), 'a list of checks'),
    text: { title: 'Checks', help: 'What must hold while it runs.', widget: 'none' },
  }),
  stages: field(stages, [], {
    stored: z.array(stageForm),
    own: 'everywhere',
    later: true,
    inFile: ofType(z.array(stageForm).max(MOST_ITEMS), 'a list of stages'),
    text: { title: 'Stages', help: 'What its checks count for those who learn with it.', widget: 'none' },
  }),
  seed: field(z.int().min(0).max(LARGEST_SEED), 0, {
    stored: z.int(),
    own: 'everywhere',
    later: true,
    text: {
      title: 'Seed',
      help: 'Of what happens at random on links: the same lab on another machine loses the same frames. 0: none.',
    },
  }),
  supplier: field(supplier, null, {
    stored: z.object({ logo: z.string(), url: z.string() }).nullable(),
    inFile: ofType(z.object({ logo: line, url: line }), 'an object with the texts logo and url'),
    text: { title: 'Supplier', help: 'Whose lab it is: a logo and an address.', group: 'Advanced' },
  }),
  variables: field(variables, null, {
    stored: z.array(z.object({ name: z.string(), value: z.string().exactOptional() })).nullable(),
    inFile: ofType(
      z.array(variableInFile).max(MOST_ITEMS),
      'a list of objects with the text name and, if wanted, the text value',
    ),
    text: { title: 'Variables', help: 'Names and values that appliances may read.', group: 'Advanced' },
  }),
};

/** Settings in events and records: weather has a resource of its own. */
export const STORED_PROJECT = {
  ...PROJECT,
  /** Entries of the weather, for when it is started. */
  weather: field(z.array(weatherEntry), [], {
    own: 'everywhere',
    later: true,
    inFile: ofType(z.array(weatherEntry).max(MOST_ITEMS), 'a list of what happens to the lab, and when'),
    text: { title: 'Weather', help: 'What happens to the lab, and when.', widget: 'none' },
  }),
};
/** Settings of a project that clients can change. */
export type ProjectSettings = { name: string } & Values<typeof STORED_PROJECT>;

/** Settings of a new project. */
export const DEFAULT_SETTINGS = newValues(STORED_PROJECT, {});

/** Values of settings that records lack. */
export const SETTINGS_WHEN_ABSENT = valuesWhenAbsent(STORED_PROJECT);

const { groups: _groups, checks: _checks, stages: _stages, ...inLab } = PROJECT;
/** Settings in a lab text: without groups; checks and stages are lists beside them. */
export const PROJECT_IN_LAB = inLab;

/** Texts of the form of its record, in order. */
export const PROJECT_TEXTS: Texts = {
  name: { title: 'Name', help: 'What the lab is called.' },
  ...textsOf(PROJECT, [
    'folder',
    'tags',
    'checks',
    'stages',
    'groups',
    'seed',
    'record_consoles',
    'record_hidden_input',
    'auto_open',
    'auto_start',
    'auto_close',
    'default_compute',
    'on_takeover',
    'show_interface_labels',
    'show_grid',
    'snap_to_grid',
    'show_layers',
    'grid_size',
    'drawing_grid_size',
    'scene_width',
    'scene_height',
    'zoom',
    'variables',
    'supplier',
  ]),
  project_id: { title: 'Project', help: 'Never changes.' },
  path: { title: 'Directory', help: 'Where its files are.' },
  filename: { title: 'Project file', help: 'Name of its file in that directory.' },
  status: { title: 'State', help: 'Whether it is opened.' },
};
