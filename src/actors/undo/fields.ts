import { isDeepStrictEqual } from 'node:util';
import { keysOf, newValues, pick, withInitial } from '../../model/derive.ts';
import { DRAWING } from '../../model/drawing.ts';
import { LINK } from '../../model/link.ts';
import { NODE } from '../../model/node.ts';
import { STORED_PROJECT, SETTINGS_WHEN_ABSENT } from '../../model/project.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';
import type { DrawingChanges, DrawingInput } from '../drawing/interface.ts';
import type { LinkChanges, LinkInput } from '../link/interface.ts';
import { kindOf } from '../node/fields.ts';
import type { NodeChanges, NodeInput } from '../node/interface.ts';

/** What makes an object again as it was, with its id. */

const unread = <T extends { extra: Record<string, unknown>; as_read?: unknown }>({ extra, as_read }: T) =>
  ({ extra, ...(as_read === undefined ? {} : { as_read }) }) as Pick<T, 'extra' | 'as_read'>;

export const nodeAgain = (context: LabContext, record: NodeRecord): NodeInput => {
  const known = Object.keys(kindOf(context, record.kind).properties.shape);
  const { node_id, name, kind, compute_id, template_id, console, console_type, symbol } = record;
  const { port_name_format, port_segment_size, first_port_name, label, width, height, text_files } = record;
  return {
    node_id,
    name,
    kind,
    compute_id,
    template_id,
    console,
    console_type,
    symbol,
    label,
    port_name_format,
    port_segment_size,
    first_port_name,
    custom_adapters: record.custom_adapters as NonNullable<NodeInput['custom_adapters']>,
    properties: Object.fromEntries(Object.entries(record.properties).filter(([key]) => known.includes(key))),
    ...newValues(NODE, record),
    kept: { label, width, height, ...unread(record), ...(text_files === undefined ? {} : { text_files }) },
  };
};

export const linkAgain = (record: LinkRecord): LinkInput => {
  const { link_id, nodes } = record;
  return { link_id, nodes, ...pick(record, LINK), kept: unread(record) };
};

export const drawingAgain = (record: DrawingRecord): DrawingInput => ({
  drawing_id: record.drawing_id,
  ...pick(record, DRAWING),
  kept: unread(record),
});

/** Changes that give paths of a record the values that it had. */

const picked = (record: object, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, (record as Readonly<Record<string, unknown>>)[key]]));

const below = (paths: readonly string[], prefix: string): string[] =>
  paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));

/** `notKept`: paths that no change can put back. */
export const nodeChanges = (
  context: LabContext,
  before: NodeRecord,
  paths: readonly string[],
): { changes: NodeChanges; notKept: string[] } => {
  const schema = kindOf(context, before.kind).properties;
  const isPossible = (path: string): boolean => {
    // A node is moved to another compute by a request of its own, with its files.
    if (path === 'compute_id') return false;
    const key = path.startsWith('properties.') ? path.slice('properties.'.length) : null;
    if (key === null) return true;
    return Object.hasOwn(schema.shape, key) && schema.safeParse({ [key]: before.properties[key] }).success;
  };
  const possible = paths.filter(isPossible);
  const properties = below(possible, 'properties.');
  const label = below(possible, 'label.');
  // A new name centres the label again.
  if (possible.includes('name') && !label.includes('x')) label.push('x');
  const plain = possible.filter((path) => !path.includes('.'));
  return {
    changes: {
      ...picked(before, plain),
      ...(properties.length === 0 ? {} : { properties: picked(before.properties, properties) }),
      ...(label.length === 0 ? {} : { label: { text: before.name, ...picked(before.label, label) } }),
    },
    notKept: paths.filter((path) => !possible.includes(path)),
  };
};

export const linkChanges = (before: LinkRecord, paths: readonly string[]): LinkChanges => {
  const ends = below(paths, 'nodes.');
  return {
    ...picked(
      withInitial(LINK, before),
      paths.filter((path) => !path.includes('.')),
    ),
    ...(ends.length === 0 ? {} : { nodes: before.nodes.filter(({ node_id }) => ends.includes(node_id)) }),
  };
};

export const drawingChanges = (before: DrawingRecord, paths: readonly string[]): DrawingChanges =>
  picked(withInitial(DRAWING, before), paths);

/** A record as the fields that people set of it, by their paths. */
export type Fields = ReadonlyMap<string, unknown>;

const NODE_KEYS = [
  'name',
  'template_id',
  'console',
  'console_type',
  'symbol',
  'port_name_format',
  'port_segment_size',
  'first_port_name',
  'custom_adapters',
  ...keysOf(NODE),
  'compute_id',
];
const PROJECT = ['name', ...keysOf(STORED_PROJECT)];

/** The text of a label is the name. */
const LABEL = ['style', 'x', 'y', 'rotation'] as const;

const taken = (record: object, keys: readonly string[], prefix = ''): [string, unknown][] =>
  keys.flatMap((key): [string, unknown][] => {
    const value = (record as Readonly<Record<string, unknown>>)[key];
    return value === undefined ? [] : [[`${prefix}${key}`, value]];
  });

const nodeFieldsOf = (record: NodeRecord): Fields =>
  new Map([
    ...taken(record, NODE_KEYS),
    ...taken(record.label, LABEL, 'label.'),
    ...taken(record.properties, Object.keys(record.properties), 'properties.'),
  ]);

const linkFieldsOf = (record: LinkRecord): Fields =>
  new Map([
    ...taken(withInitial(LINK, record), keysOf(LINK)),
    ...record.nodes.map((end): [string, unknown] => [`nodes.${end.node_id}`, end.label]),
  ]);

const drawingFieldsOf = (record: DrawingRecord): Fields =>
  new Map(taken(withInitial(DRAWING, record), keysOf(DRAWING)));

const projectFieldsOf = (record: ProjectRecord): Fields =>
  new Map(taken({ ...SETTINGS_WHEN_ABSENT, ...record }, PROJECT));

export type Editable = NodeRecord | LinkRecord | DrawingRecord | ProjectRecord;

export const fieldsOf = (record: Editable): Fields => {
  if ('svg' in record) return drawingFieldsOf(record);
  if ('link_id' in record) return linkFieldsOf(record);
  return 'kind' in record ? nodeFieldsOf(record) : projectFieldsOf(record);
};

/** Paths whose values differ. */
export const differing = (a: Fields, b: Fields): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((path) => !isDeepStrictEqual(a.get(path), b.get(path)));
