import type { RecordChange } from './fold/fold.ts';
import type { LinkRecord, NodeRecord } from './records.ts';

/** Ids of nodes by what must be theirs alone, a console port, and a name within a project; ids of links by the nodes they join. */
export class RecordIndex {
  readonly #byConsole = new Map<number, Ids>();
  readonly #byName = new Map<string, Ids>();
  readonly #byEnd = new Map<string, Ids>();

  holders(console: number): readonly string[] {
    return idsIn(this.#byConsole, console);
  }

  named(projectId: string, name: string): readonly string[] {
    return idsIn(this.#byName, keyOf(projectId, name));
  }

  linksOf(nodeId: string): readonly string[] {
    return idsIn(this.#byEnd, nodeId);
  }

  /** `before`: the record as it was in this index. */
  move(before: RecordChange | undefined, after: RecordChange | undefined): void {
    const collection = (before ?? after)?.collection;
    if (collection === 'node') this.#moveNode(recordOf(before, 'node'), recordOf(after, 'node'));
    else if (collection === 'link') this.#moveLink(recordOf(before, 'link'), recordOf(after, 'link'));
  }

  #moveNode(before: NodeRecord | undefined, after: NodeRecord | undefined): void {
    if (before?.console !== after?.console) {
      if (before?.console != null) drop(this.#byConsole, before.console, before.node_id);
      if (after?.console != null) put(this.#byConsole, after.console, after.node_id);
    }
    if (before !== undefined && before.name === after?.name) return;
    if (before !== undefined) drop(this.#byName, keyOf(before.project_id, before.name), before.node_id);
    if (after !== undefined) put(this.#byName, keyOf(after.project_id, after.name), after.node_id);
  }

  #moveLink(before: LinkRecord | undefined, after: LinkRecord | undefined): void {
    if (before !== undefined && before.nodes === after?.nodes) return;
    for (const { node_id } of before?.nodes ?? []) drop(this.#byEnd, node_id, before?.link_id ?? '');
    for (const { node_id } of after?.nodes ?? []) put(this.#byEnd, node_id, after?.link_id ?? '');
  }
}

/** Most keys have one: a set for each of them would cost more than all the rest of a fold. */
type Ids = string | Set<string>;

const idsIn = <K>(index: ReadonlyMap<K, Ids>, key: K): readonly string[] => {
  const ids = index.get(key);
  if (ids === undefined) return NONE;
  return typeof ids === 'string' ? [ids] : [...ids];
};
const NONE: readonly string[] = [];

const keyOf = (projectId: string, name: string): string => `${projectId}/${name}`;

interface Indexed {
  node: NodeRecord;
  link: LinkRecord;
}
const recordOf = <C extends keyof Indexed>(change: RecordChange | undefined, collection: C): Indexed[C] | undefined =>
  change?.collection === collection ? ((change.record ?? undefined) as Indexed[C] | undefined) : undefined;

const put = <K>(index: Map<K, Ids>, key: K, id: string): void => {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, id);
  else if (typeof ids === 'object') ids.add(id);
  else if (ids !== id) index.set(key, new Set([ids, id]));
};

const drop = <K>(index: Map<K, Ids>, key: K, id: string): void => {
  const ids = index.get(key);
  if (ids === id) index.delete(key);
  else if (typeof ids === 'object' && ids.delete(id) && ids.size === 0) index.delete(key);
};
