import { withInitial } from '../../model/derive.ts';
import { DRAWING } from '../../model/drawing.ts';
import { LINK } from '../../model/link.ts';
import type { DrawingRecord, LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';
import type { DrawingChanges } from '../drawing/interface.ts';
import type { LinkChanges } from '../link/interface.ts';
import { kindOf } from '../node/fields.ts';
import type { NodeChanges } from '../node/interface.ts';

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
