import type { RecordChange } from './fold.ts';
import type { LinkRecord, NodeRecord } from './records.ts';

/** Ids of nodes by what must be theirs alone, a console port, and a name within a project; ids of links by the nodes they join. */
export class RecordIndex {
  readonly #byConsole = new Map<number, Set<string>>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #byEnd = new Map<string, Set<string>>();

  holders(console: number): ReadonlySet<string> {
    return this.#byConsole.get(console) ?? NONE;
  }

  named(projectId: string, name: string): ReadonlySet<string> {
    return this.#byName.get(keyOf(projectId, name)) ?? NONE;
  }

  linksOf(nodeId: string): ReadonlySet<string> {
    return this.#byEnd.get(nodeId) ?? NONE;
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

const NONE: ReadonlySet<string> = new Set();
const keyOf = (projectId: string, name: string): string => `${projectId}/${name}`;

interface Indexed {
  node: NodeRecord;
  link: LinkRecord;
}
const recordOf = <C extends keyof Indexed>(change: RecordChange | undefined, collection: C): Indexed[C] | undefined =>
  change?.collection === collection ? ((change.record ?? undefined) as Indexed[C] | undefined) : undefined;

const put = <K>(index: Map<K, Set<string>>, key: K, id: string): void => {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
};

const drop = <K>(index: Map<K, Set<string>>, key: K, id: string): void => {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
};
