import type { Drawing, Link, Node, Records } from '../../store/records.ts';

/** Which object of one lab is which of the other, by their ids. */
export interface Matching {
  readonly nodes: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
  readonly drawings: ReadonlyMap<string, string>;
}

type Key<R> = (record: R) => string;

/** What has an id in both is the same; of the rest, what has the same key, by one key after the other. */
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
export const matchingOf = (left: Records, right: Records): Matching => {
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
