import { picked } from '../../model/derive.ts';
import type { DrawingFields, LinkFields, NodeFields, ProjectFields } from '../../events/fields.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { hidden } from '../../common/lab-secrets/texts.ts';
import { TOOLS_VERSION } from '../../common/package.ts';
import { withAsRead } from './as-read.ts';
import { REVISION } from '../read/convert.ts';
import { unreadValues } from '../fields/field-table.ts';
import { type Bag, isBag, stableJsonSteps, without } from '../fields/json.ts';
import { NODE_DERIVED, NODE_FIELDS, unnamed } from '../fields/node-fields.ts';
import { knownFilters, ownOf } from './own-file.ts';
import { DRAWING_DERIVED, DRAWING_FIELDS } from '../read/drawings.ts';
import { LINK_DERIVED, LINK_FIELDS } from '../read/links.ts';
import { atOnce, inSlices, type Steps } from '../../common/slices.ts';
import { FILE_SETTINGS, HEADER_KEYS, SETTINGS_KEYS } from '../fields/settings-fields.ts';

/** Kinds, as needed for project files. */
export interface FileKinds {
  get(kind: string): Pick<Kind, 'alias' | 'inFile' | 'own' | 'standIn'> | undefined;
}

/**
 * The project file of these records: revision 9, or 10 if it was read so, with names of existing tools, and
 * everything that reading kept in `extra`. Equal records give equal bytes. Pure.
 *
 * Data that only this server knows is not in it (own-file.ts), and unchanged values are as they were read
 * (as-read.ts). Secrets are `***`.
 */
export const writeProjectFile = (...of: Lab): string => atOnce(writing(...of));

/** The same in slices of the event loop. */
export const writeLargeProjectFile = (...of: Lab): Promise<string> => inSlices(writing(...of));

type Lab = [
  project: ProjectFields,
  nodes: readonly NodeFields[],
  links: readonly LinkFields[],
  drawings: readonly DrawingFields[],
  kinds: FileKinds,
];

/** Levels of the file above a node, a link or a drawing: the file, its topology, its list. */
const LEVELS = 3;

function* writing(...[project, nodes, links, drawings, kinds]: Lab): Steps<string> {
  const kept = isBag(project.extra.topology) ? project.extra.topology : {};
  const entries = {
    nodes: yield* each(nodes, (node) => nodeEntry(node, kinds)),
    links: yield* each(links, linkEntry),
    drawings: yield* each(drawings, drawingEntry),
  };
  const file = {
    ...without(project.extra, [...HEADER_KEYS, ...SETTINGS_KEYS]),
    ...picked(project, ['name', ...FILE_SETTINGS]),
    project_id: project.project_id,
    type: 'topology',
    revision: REVISION,
    version: TOOLS_VERSION,
    topology: {
      ...kept,
      nodes: [...entries.nodes, ...listIn(kept, 'nodes')],
      links: [...entries.links, ...listIn(kept, 'links')],
      drawings: [...entries.drawings, ...listIn(kept, 'drawings')],
      computes: listIn(kept, 'computes'),
    },
  };
  return hidden(yield* stableJsonSteps(withAsRead(file, project.as_read), LEVELS));
}

function* each<T>(records: readonly T[], entry: (record: T) => Bag): Steps<Bag[]> {
  const entries: Bag[] = [];
  for (const record of records) {
    entries.push(entry(record));
    yield;
  }
  return entries;
}

const listIn = (bag: Bag, key: string): unknown[] => (Array.isArray(bag[key]) ? bag[key] : []);

const nodeEntry = (node: NodeFields, kinds: FileKinds): Bag => {
  const name = node.name === unnamed(node.node_id) ? '' : node.name;
  const values = { ...picked(node, Object.keys(NODE_FIELDS)), name };
  const entry = {
    ...without(node.extra, [...Object.keys(NODE_FIELDS), ...NODE_DERIVED]),
    ...values,
    name: node.name,
    console_type: node.console_type ?? 'none',
    properties: withColons(node.properties),
    custom_adapters: node.custom_adapters.map(withColons),
    ...unreadValues(NODE_FIELDS, node.extra, values, node.failure !== null),
    node_id: node.node_id,
    node_type: 'node_type' in node.extra ? node.extra.node_type : typeOf(node, kinds),
  };
  const { properties } = withAsRead(entry, node.as_read);
  return isBag(properties) ? { ...entry, properties: propertiesEntry(properties, node, kinds) } : entry;
};

const typeOf = ({ kind }: NodeFields, kinds: FileKinds): string => {
  const known = kinds.get(kind);
  return (known?.standIn?.kind ?? known)?.alias ?? kind;
};

/** Existing tools know MAC addresses with colons only. */
const withColons = (of: Bag): Bag =>
  typeof of.mac_address === 'string' ? { ...of, mac_address: of.mac_address.replaceAll('-', ':') } : { ...of };

/** `on_close` replaces `acpi_shutdown`, and existing tools accept only one of them. */
const propertiesEntry = (given: Bag, node: NodeFields, kinds: FileKinds): Bag => {
  const unwanted = typeof given.on_close === 'string' ? ['acpi_shutdown'] : [];
  const instead = kinds.get(node.kind)?.standIn?.properties(node.properties);
  const properties = { ...without(given, [...ownOf(kinds, node.kind), ...unwanted]), ...instead };
  return node.failure === null ? (kinds.get(node.kind)?.inFile(properties, node.properties) ?? properties) : properties;
};

const linkEntry = (link: LinkFields): Bag => {
  const values = picked({ ...link, filters: knownFilters(link.filters) }, Object.keys(LINK_FIELDS));
  const entry = {
    ...without(link.extra, [...Object.keys(LINK_FIELDS), ...LINK_DERIVED]),
    ...values,
    ...unreadValues(LINK_FIELDS, link.extra, values, false),
    link_id: link.link_id,
    nodes: link.nodes.map((end) => picked(end, ['node_id', 'adapter_number', 'port_number', 'label'])),
  };
  return withAsRead(entry, link.as_read);
};

const drawingEntry = (drawing: DrawingFields): Bag => {
  const values = picked(drawing, Object.keys(DRAWING_FIELDS));
  const entry = {
    ...without(drawing.extra, [...Object.keys(DRAWING_FIELDS), ...DRAWING_DERIVED]),
    ...values,
    ...unreadValues(DRAWING_FIELDS, drawing.extra, values, false),
    drawing_id: drawing.drawing_id,
  };
  return withAsRead(entry, drawing.as_read);
};
