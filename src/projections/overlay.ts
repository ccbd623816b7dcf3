import type { RecordChange } from './fold.ts';
import { RecordIndex } from './record-index.ts';
import type {
  CollectionName,
  Collections,
  InsideCollection as Inside,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  RecordView,
  TemplateRecord,
} from './records.ts';
import { byCreation, type Tables } from './tables.ts';

interface Staged {
  change: RecordChange;
  count: number;
}

/** Committed records with what is staged on top. An entry stays until as many changes were committed as were staged. */
export class Overlay implements RecordView {
  readonly #below: Tables;
  readonly #staged = new Map<CollectionName, Map<string, Staged>>();
  #index = new RecordIndex();

  constructor(below: Tables) {
    this.#below = below;
  }

  get<C extends CollectionName>(collection: C, id: string): Collections[C] | undefined {
    const staged = this.#staged.get(collection)?.get(id);
    if (staged === undefined) return this.#below.get(collection, id);
    return (staged.change.record ?? undefined) as Collections[C] | undefined;
  }

  projects(): ProjectRecord[] {
    return this.#merged(
      'project',
      this.#below.projects().map((p) => p.project_id),
      () => true,
    );
  }

  templates(): TemplateRecord[] {
    return this.#merged(
      'template',
      this.#below.templates().map((t) => t.template_id),
      () => true,
    );
  }

  ofProject<C extends Inside>(collection: C, projectId: string): Collections[C][] {
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
    return this.#found('node', this.#below.index.holders(console), this.#index.holders(console), is);
  }

  named(projectId: string, name: string): NodeRecord[] {
    const is = (node: NodeRecord): boolean => node.name === name;
    const [below, staged] = [this.#below.index.named(projectId, name), this.#index.named(projectId, name)];
    return this.#found('node', below, staged, is);
  }

  linksOf(nodeId: string): LinkRecord[] {
    const [below, staged] = [this.#below.index.linksOf(nodeId), this.#index.linksOf(nodeId)];
    const is = (link: LinkRecord): boolean => link.nodes.some((end) => end.node_id === nodeId);
    return this.#found('link', below, staged, is).sort(byCreation);
  }

  /** What is below may be something else by now. */
  #found<C extends CollectionName>(
    collection: C,
    below: ReadonlySet<string>,
    staged: ReadonlySet<string>,
    is: (record: Collections[C]) => boolean,
  ): Collections[C][] {
    const found: Collections[C][] = [];
    for (const id of staged.size === 0 ? below : new Set([...below, ...staged])) {
      const record = this.get(collection, id);
      if (record !== undefined && is(record)) found.push(record);
    }
    return found;
  }

  #merged<C extends CollectionName>(
    collection: C,
    below: Iterable<string>,
    wanted: (r: Collections[C]) => boolean,
  ): Collections[C][] {
    const ids = new Set(below);
    for (const { change } of this.#staged.get(collection)?.values() ?? [])
      if (change.record !== null && wanted(change.record as Collections[C])) ids.add(change.id);
    const found: Collections[C][] = [];
    for (const id of ids) {
      const record = this.get(collection, id);
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  set(change: RecordChange): void {
    const { collection, id } = change;
    let table = this.#staged.get(collection);
    if (table === undefined) this.#staged.set(collection, (table = new Map<string, Staged>()));
    const staged = table.get(id);
    this.#index.move(staged?.change, change);
    table.set(id, { change, count: (staged?.count ?? 0) + 1 });
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
