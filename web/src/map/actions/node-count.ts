import type { Node } from '../../store/records.ts';

type Nodes = ReadonlyMap<string, Node>;

interface NodeCount {
  readonly done: number;
  readonly of: number;
  /** Name of the one that got there last. */
  readonly last: string | null;
}

/**
 * Counts, of those nodes that had a way to go when it was made, those that are there. `isRepeated`: one that is there already has to come
 * there again, as in a restart: its record has changed since.
 */
export const createNodeCount = (
  before: Nodes,
  ids: readonly string[],
  wanted: Node['status'],
  isRepeated: boolean,
): ((now: Nodes) => NodeCount) => {
  const waiting = new Set(isRepeated ? ids : ids.filter((id) => before.get(id)?.status !== wanted));
  const of = waiting.size;
  let last: string | null = null;
  return (now) => {
    for (const id of waiting) {
      const node = now.get(id);
      if (node?.status !== wanted || (isRepeated && node === before.get(id))) continue;
      waiting.delete(id);
      last = node.name;
    }
    return { done: of - waiting.size, of, last };
  };
};
