import type { Mark } from '../../store/lab.ts';
import type { Drawing, Link, Node, Records } from '../../store/records.ts';
import type { ObjectDiff } from '../panes/compare.ts';

/** A difference, and its object on each side; null: not on that side. */
export interface SideDiff extends Omit<ObjectDiff, 'id'> {
  readonly left: string | null;
  readonly right: string | null;
}

export interface Differences {
  readonly diffs: readonly SideDiff[];
  readonly left: ReadonlyMap<string, Mark>;
  readonly right: ReadonlyMap<string, Mark>;
  readonly matching: Matching;
}

/** Fields that follow from other fields, or from where something runs. */
const NEVER = new Set(['ports', 'node_directory', 'command_line', 'console_host', 'capture_file_path']);
/** Fields that no two projects have in common. */
const OWN = new Set(['project_id', 'node_id', 'link_id', 'drawing_id', 'console', 'path', 'filename', 'status']);

type Bag = Readonly<Record<string, unknown>>;

const fieldsOf = (left: object, right: object, isFork: boolean): ObjectDiff['fields'] => {
  if (left === right) return [];
  const [from, to] = [left as Bag, right as Bag];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((key) => !NEVER.has(key) && !(isFork && OWN.has(key)))
    .filter((key) => from[key] !== to[key] && JSON.stringify(from[key]) !== JSON.stringify(to[key]))
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }));
};

/** A link with its ends as the other side calls them, in one order. */
const asThere = (link: Link, ids: ReadonlyMap<string, string>): Link => ({
  ...link,
  nodes: link.nodes
    .map((end) => ({ ...end, node_id: ids.get(end.node_id) ?? end.node_id }))
    .sort((a, b) => (a.node_id < b.node_id ? -1 : 1)),
});

/** The same labs at two moments, or two labs: what is on the right only was added, what is on the left only was removed. */
export const differencesOf = (left: Records, right: Records): Differences => {
  const matching = matchingOf(left, right);
  const isFork = left.project?.project_id !== right.project?.project_id;
  const marks = { left: new Map<string, Mark>(), right: new Map<string, Mark>() };
  const diffs: SideDiff[] = [];
  const compare = <R extends object>(
    collection: 'node' | 'link' | 'drawing',
    [before, after]: readonly [ReadonlyMap<string, R>, ReadonlyMap<string, R>],
    ids: ReadonlyMap<string, string>,
    seen: (record: R) => R = (record) => record,
  ): void => {
    const taken = new Set(ids.values());
    for (const [id, record] of before) {
      const other = ids.get(id) ?? null;
      const there = other === null ? undefined : after.get(other);
      const fields = there === undefined ? [] : fieldsOf(seen(record), there, isFork);
      if (there !== undefined && fields.length === 0) continue;
      const change = there === undefined ? 'removed' : 'changed';
      marks.left.set(id, change);
      if (other !== null) marks.right.set(other, change);
      diffs.push({ collection, left: id, right: other, name: nameOf(there ?? record), change, fields });
    }
    for (const [id, record] of after) {
      if (taken.has(id)) continue;
      marks.right.set(id, 'added');
      diffs.push({ collection, left: null, right: id, name: nameOf(record), change: 'added', fields: [] });
    }
  };
  compare('node', [left.nodes, right.nodes], matching.nodes);
  const inOrder = (links: Records['links']): Records['links'] =>
    isFork ? new Map([...links].map(([id, link]) => [id, asThere(link, new Map())])) : links;
  compare('link', [left.links, inOrder(right.links)], matching.links, (link) =>
    isFork ? asThere(link, matching.nodes) : link,
  );
  compare('drawing', [left.drawings, right.drawings], matching.drawings);
  return { diffs, ...marks, matching };
};

const nameOf = (record: object): string | null =>
  'name' in record && typeof record.name === 'string' ? record.name : null;

/** Which object of one lab is which of the other, by their ids. */
interface Matching {
  readonly nodes: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
  readonly drawings: ReadonlyMap<string, string>;
}

type Key<R> = (record: R) => string;

/** Pairs objects with an id in both; of the rest, those with the same key, by one key after the other. */
const match = <R>(
  left: ReadonlyMap<string, R>,
  right: ReadonlyMap<string, R>,
  keys: readonly (readonly [left: Key<R>, right: Key<R>])[],
): Map<string, string> => {
  const found = new Map([...left.keys()].filter((id) => right.has(id)).map((id) => [id, id]));
  const taken = new Set(found.values());
  for (const [leftKey, rightKey] of keys) {
    const waiting = new Map<string, string[]>();
    for (const [id, record] of right) {
      if (taken.has(id)) continue;
      const key = rightKey(record);
      waiting.set(key, [...(waiting.get(key) ?? []), id]);
    }
    for (const [id, record] of left) {
      if (found.has(id)) continue;
      const other = waiting.get(leftKey(record))?.shift();
      if (other === undefined) continue;
      found.set(id, other);
      taken.add(other);
    }
  }
  return found;
};

const both = <R>(key: Key<R>): readonly [Key<R>, Key<R>] => [key, key];
const placed = ({ x, y }: Pick<Node, 'x' | 'y'>): string => `${x} ${y}`;

/**
 * A fork has ids of its own: its nodes are known by their names, a renamed one by its place; links by what they connect; drawings by what
 * they show and where.
 */
const matchingOf = (left: Records, right: Records): Matching => {
  // In one project an id says it all.
  if (left.project?.project_id === right.project?.project_id)
    return {
      nodes: match(left.nodes, right.nodes, []),
      links: match(left.links, right.links, []),
      drawings: match(left.drawings, right.drawings, []),
    };
  const nodes = match<Node>(left.nodes, right.nodes, [
    both(({ name }) => name),
    both((node) => `${node.node_type} ${placed(node)}`),
  ]);
  const ends =
    (nameOf: (id: string) => string): Key<Link> =>
    ({ nodes: of }) =>
      of
        .map((end) => `${nameOf(end.node_id)} ${end.adapter_number}/${end.port_number}`)
        .sort()
        .join(' ');
  const links = match<Link>(left.links, right.links, [[ends((id) => nodes.get(id) ?? id), ends((id) => id)]]);
  const drawings = match<Drawing>(left.drawings, right.drawings, [
    both((drawing) => `${placed(drawing)} ${drawing.svg}`),
    both(({ svg }) => svg),
    both(placed),
  ]);
  return { nodes, links, drawings };
};
