import { isDeepStrictEqual } from 'node:util';
import { keysOf, withInitial } from '../../model/derive.ts';
import { DRAWING } from '../../model/drawing.ts';
import { LINK } from '../../model/link.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord } from '../../projections/records.ts';
import { STORED_PROJECT, UNSAID_SETTINGS } from '../../model/project.ts';

/** A record as the fields that people set of it, by their paths. */
export type Fields = ReadonlyMap<string, unknown>;

const NODE = [
  ...['name', 'template_id', 'console', 'console_type', 'symbol', 'port_name_format', 'port_segment_size'],
  ...['first_port_name', 'custom_adapters', 'x', 'y', 'z', 'locked', 'console_auto_start', 'compute_id'],
] as const;
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
    ...taken(record, NODE),
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

const projectFieldsOf = (record: ProjectRecord): Fields => new Map(taken({ ...UNSAID_SETTINGS, ...record }, PROJECT));

export type Editable = NodeRecord | LinkRecord | DrawingRecord | ProjectRecord;

export const fieldsOf = (record: Editable): Fields => {
  if ('svg' in record) return drawingFieldsOf(record);
  if ('link_id' in record) return linkFieldsOf(record);
  return 'kind' in record ? nodeFieldsOf(record) : projectFieldsOf(record);
};

/** Paths whose values differ. */
export const differing = (a: Fields, b: Fields): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((path) => !isDeepStrictEqual(a.get(path), b.get(path)));
