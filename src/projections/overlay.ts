import type { RecordChange } from './fold/fold.ts';
import { byCreation, recordsOf } from './tables.ts';
import {
  type CollectionName,
  type Collections,
  type LinkRecord,
  type NodeRecord,
  type ProjectRecord,
  type RecordView,
  type InsideCollection as Inside,
  type ServerCollection,
  serverId,
} from './records.ts';
import { RecordIndex } from './record-index.ts';

interface Staged {
  change: RecordChange;
  count: number;
}

/** Records that others are staged upon. */
interface Below extends RecordView {
  ids(collection: Inside, projectId: string): Iterable<string>;
}

/** Committed records with what is staged on top. An entry stays until as many changes were committed as were staged. */
export class Overlay implements Below {
  readonly #below: Below;
  #staged = new Map<CollectionName, Map<string, Staged>>();
  #index = new RecordIndex();

  constructor(below: Below) {
    this.#below = below;
  }

  get<C extends CollectionName>(collection: C, id: string): Collections[C] | undefined {
    const staged = this.#staged.get(collection)?.get(id);
    if (staged === undefined) return this.#below.get(collection, id);
    return (staged.change.record ?? undefined) as Collections[C] | undefined;
  }

  projects(): ProjectRecord[] {
    const below = this.#below.projects().map((p) => p.project_id);
    return recordsOf(
      this,
      'project',
      this.#merged('project', below, () => true),
    );
  }

  ofServer<C extends ServerCollection>(collection: C): Collections[C][] {
    const below = this.#below.ofServer(collection).map((record) => serverId(record));
    return recordsOf(
      this,
      collection,
      this.#merged(collection, below, () => true),
    );
  }

  ofProject<C extends Inside>(collection: C, projectId: string): readonly Collections[C][] {
    if ((this.#staged.get(collection)?.size ?? 0) === 0) return this.#below.ofProject(collection, projectId);
    return recordsOf(this, collection, this.ids(collection, projectId)).sort(byCreation);
  }

  ids(collection: Inside, projectId: string): ReadonlySet<string> {
    return this.#merged(collection, this.#below.ids(collection, projectId), (r) => r.project_id === projectId);
  }

  count(collection: Inside, projectId: string): number {
    let count = this.#below.count(collection, projectId);
    for (const { change } of this.#staged.get(collection)?.values() ?? []) {
      const was = this.#below.get(collection, change.id)?.project_id === projectId;
      const is = (change.record as Collections[Inside] | null)?.project_id === projectId;
      count += Number(is) - Number(was);
    }
    return count;
  }

  holders(console: number): NodeRecord[] {
    const is = (node: NodeRecord): boolean => node.console === console;
    const below = this.#below.holders(console).map((node) => node.node_id);
    return this.#found('node', below, this.#index.holders(console), is);
  }

  named(projectId: string, name: string): NodeRecord[] {
    const is = (node: NodeRecord): boolean => node.name === name;
    const below = this.#below.named(projectId, name).map((node) => node.node_id);
    return this.#found('node', below, this.#index.named(projectId, name), is);
  }

  linksOf(nodeId: string): LinkRecord[] {
    const below = this.#below.linksOf(nodeId).map((link) => link.link_id);
    const is = (link: LinkRecord): boolean => link.nodes.some((end) => end.node_id === nodeId);
    return this.#found('link', below, this.#index.linksOf(nodeId), is).sort(byCreation);
  }

  /** What is below may be something else by now. */
  #found<C extends CollectionName>(
    collection: C,
    below: readonly string[],
    staged: readonly string[],
    is: (record: Collections[C]) => boolean,
  ): Collections[C][] {
    const ids = staged.length === 0 ? below : new Set([...below, ...staged]);
    return recordsOf(this, collection, ids).filter(is);
  }

  #merged<C extends CollectionName>(
    collection: C,
    below: Iterable<string>,
    wanted: (r: Collections[C]) => boolean,
  ): ReadonlySet<string> {
    const ids = new Set(below);
    for (const { change } of this.#staged.get(collection)?.values() ?? [])
      if (change.record !== null && wanted(change.record as Collections[C])) ids.add(change.id);
    return ids;
  }

  set(change: RecordChange, times = 1): void {
    const { collection, id } = change;
    let table = this.#staged.get(collection);
    if (table === undefined) this.#staged.set(collection, (table = new Map<string, Staged>()));
    const staged = table.get(id);
    this.#index.move(staged?.change, change);
    table.set(id, { change, count: (staged?.count ?? 0) + times });
  }

  /** Takes over what was staged upon it, however much that is: what it has itself is little. */
  take(above: Overlay): void {
    for (const [collection, table] of this.#staged)
      for (const [id, { change, count }] of table) {
        const later = above.#staged.get(collection)?.get(id);
        if (later === undefined) above.set(change, count);
        else later.count += count;
      }
    this.#staged = above.#staged;
    this.#index = above.#index;
  }

  settled({ collection, id }: RecordChange): void {
    const table = this.#staged.get(collection);
    const staged = table?.get(id);
    if (table === undefined || staged === undefined) return;
    if (staged.count > 1) {
      staged.count--;
      return;
    }
    table.delete(id);
    this.#index.move(staged.change, undefined);
  }

  clear(): void {
    this.#staged.clear();
    this.#index = new RecordIndex();
  }
}
