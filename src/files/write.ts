import type { DrawingFields, LinkFields, NodeFields, ProjectFields } from '../events/fields.ts';
import { REVISION } from './convert.ts';
import { unreadValues } from './field-table.ts';
import { type Bag, isBag, stableJsonSteps, without } from './json.ts';
import { NODE_DERIVED, NODE_FIELDS, unnamed } from './node-fields.ts';
import { DRAWING_DERIVED, DRAWING_FIELDS } from './read-drawings.ts';
import { LINK_DERIVED, LINK_FIELDS } from './read-links.ts';
import { atOnce, inTurns, type Steps } from '../turns.ts';
import { HEADER_KEYS, SETTINGS_KEYS } from './settings-fields.ts';

export interface KindAliases {
  /** Name that existing tools use for a kind; an unknown kind's name comes back as it is. */
  alias(kind: string): string;
}

/**
 * The project file of these records: revision 9 with existing tools' names, and everything that reading kept in `extra`. Equal
 * records give equal bytes. Pure.
 *
 * Properties are written as they are kept. `engine` and `simulate` are ours alone, and existing tools refuse a node with a
 * property they do not know: they are in the file only where a user has set them. So it is with `record_consoles` of the project.
 */
export const writeProjectFile = (...of: Lab): string => atOnce(writing(...of));

/** The same without holding up the event loop. */
export const writeLargeProjectFile = (...of: Lab): Promise<string> => inTurns(writing(...of));

type Lab = [
  project: ProjectFields,
  nodes: readonly NodeFields[],
  links: readonly LinkFields[],
  drawings: readonly DrawingFields[],
  names: KindAliases,
  version: string,
];

/** Levels of the file above a node, a link or a drawing: the file, its topology, its list. */
const LEVELS = 3;

function* writing(...[project, nodes, links, drawings, names, version]: Lab): Steps<string> {
  const kept = isBag(project.extra.topology) ? project.extra.topology : {};
  const entries = {
    nodes: yield* each(nodes, (node) => nodeEntry(node, names)),
    links: yield* each(links, linkEntry),
    drawings: yield* each(drawings, drawingEntry),
  };
  const file = {
    ...without(project.extra, [...HEADER_KEYS, ...SETTINGS_KEYS]),
    ...settingsEntry(project),
    project_id: project.project_id,
    type: 'topology',
    revision: REVISION,
    version,
    topology: {
      ...kept,
      nodes: [...entries.nodes, ...listIn(kept, 'nodes')],
      links: [...entries.links, ...listIn(kept, 'links')],
      drawings: [...entries.drawings, ...listIn(kept, 'drawings')],
      computes: listIn(kept, 'computes'),
    },
  };
  return yield* stableJsonSteps(file, LEVELS);
}

function* each<T>(records: readonly T[], entry: (record: T) => Bag): Steps<Bag[]> {
  const entries: Bag[] = [];
  for (const record of records) {
    entries.push(entry(record));
    yield;
  }
  return entries;
}

const OURS = new Set<string>(['record_consoles', 'record_hidden_input']);

/** Existing tools refuse a key that they do not know, so ours is in the file only where it says something. */
const settingsEntry = (project: ProjectFields): Bag => {
  const keys = SETTINGS_KEYS.filter((key) => !OURS.has(key) || project[key] === true);
  return pick(project, keys);
};

const listIn = (bag: Bag, key: string): unknown[] => (Array.isArray(bag[key]) ? bag[key] : []);

const nodeEntry = (node: NodeFields, names: KindAliases): Bag => {
  const name = node.name === unnamed(node.node_id) ? '' : node.name;
  const values = { ...pick(node, Object.keys(NODE_FIELDS)), name };
  return {
    ...without(node.extra, [...Object.keys(NODE_FIELDS), ...NODE_DERIVED]),
    ...values,
    name: node.name,
    console_type: node.console_type ?? 'none',
    properties: ownProperties(node.properties),
    ...unreadValues(NODE_FIELDS, node.extra, values, node.failure !== null),
    node_id: node.node_id,
    node_type: 'node_type' in node.extra ? node.extra.node_type : names.alias(node.kind),
  };
};

/** `on_close` says all that `acpi_shutdown` does, and existing tools know only one of them at a time. */
const ownProperties = (properties: Bag): Bag => {
  const unset = ['engine', 'simulate'].filter((key) => (properties[key] ?? false) === false);
  return without(properties, typeof properties.on_close === 'string' ? [...unset, 'acpi_shutdown'] : unset);
};

const linkEntry = (link: LinkFields): Bag => {
  const values = pick(link, Object.keys(LINK_FIELDS));
  return {
    ...without(link.extra, [...Object.keys(LINK_FIELDS), ...LINK_DERIVED]),
    ...values,
    ...unreadValues(LINK_FIELDS, link.extra, values, false),
    link_id: link.link_id,
    nodes: link.nodes.map((end) => pick(end, ['node_id', 'adapter_number', 'port_number', 'label'])),
  };
};

const drawingEntry = (drawing: DrawingFields): Bag => {
  const values = pick(drawing, Object.keys(DRAWING_FIELDS));
  return {
    ...without(drawing.extra, [...Object.keys(DRAWING_FIELDS), ...DRAWING_DERIVED]),
    ...values,
    ...unreadValues(DRAWING_FIELDS, drawing.extra, values, false),
    drawing_id: drawing.drawing_id,
  };
};

const pick = (from: object, keys: readonly string[]): Bag => {
  const all = from as Bag;
  return Object.fromEntries(keys.map((key) => [key, all[key]]));
};
