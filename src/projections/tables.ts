import { DamagedLog, placeOf } from '../events/store/damage.ts';
import { KEYS } from '../events/store/store.ts';
import type { RecordChange } from './fold/change.ts';
import type {
  CollectionName,
  Collections,
  InsideCollection as Inside,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  RecordView,
  ServerCollection,
} from './records.ts';

/** Records of one collection in a project. */
interface ProjectRecords {
  ids: Set<string>;
  /** Null: outdated. */
  list: readonly Collections[Inside][] | null;
}

type Table = Map<string, Collections[CollectionName]>;

/** Every collection; true for those inside a project. */
const COLLECTIONS: Record<CollectionName, boolean> = {
  project: false,
  node: true,
  link: true,
  drawing: true,
  snapshot: true,
  run: true,
  template: false,
  compute: false,
  claim: false,
};
const NAMES = Object.keys(COLLECTIONS) as CollectionName[];
const isInside = (name: CollectionName): name is Inside => COLLECTIONS[name];
const insideOf = (record: Collections[CollectionName] | undefined): Collections[Inside] | undefined =>
  record !== undefined && 'project_id' in record && 'created' in record ? (record as Collections[Inside]) : undefined;

/** Records by collection; those of a project in the order of creation. */
export class Tables implements RecordView {
  readonly #tables = new Map<CollectionName, Table>(NAMES.map((name) => [name, new Map()]));
  readonly #inside = new Map<string, Map<Inside, ProjectRecords>>();
  readonly index = new RecordIndex();
  /** Records of a damaged log that exist but are lost. */
  readonly #lost = new Set<string>();
  /** Sets to which an older record was restored: sorted on the next read. */
  readonly #unordered = new Set<Set<string>>();

  get<C extends CollectionName>(collection: C, id: string): Collections[C] | undefined {
    const found = this.#tables.get(collection)?.get(id) as Collections[C] | undefined;
    if (found === undefined && this.#lost.size > 0 && this.#lost.has(`${collection} ${id}`))
      throw new DamagedLog({
        ...placeOf(KEYS.record(collection, id)),
        message: 'neither it nor all of its events are whole',
      });
    return found;
  }

  lose(collection: string, id: string): void {
    this.#lost.add(`${collection} ${id}`);
  }

  projects(): ProjectRecord[] {
    return [...(this.#tables.get('project')?.values() ?? [])] as ProjectRecord[];
  }

  ofServer<C extends ServerCollection>(collection: C): Collections[C][] {
    return [...(this.#tables.get(collection)?.values() ?? [])] as Collections[C][];
  }

  ids(collection: Inside, projectId: string): ReadonlySet<string> {
    const ids = this.#shelf(collection, projectId)?.ids;
    if (ids === undefined) return NONE;
    if (this.#unordered.delete(ids)) {
      const table = this.#tables.get(collection);
      const created = (id: string): number => table?.get(id)?.created ?? 0;
      const ordered = [...ids].sort((a, b) => created(a) - created(b));
      ids.clear();
      for (const id of ordered) ids.add(id);
    }
    return ids;
  }

  ofProject<C extends Inside>(collection: C, projectId: string): readonly Collections[C][] {
    const shelf = this.#shelf(collection, projectId);
    if (shelf === undefined) return NOTHING;
    shelf.list ??= recordsOf(this, collection, this.ids(collection, projectId));
    return shelf.list as readonly Collections[C][];
  }

  #shelf(collection: Inside, projectId: string): ProjectRecords | undefined {
    return this.#inside.get(projectId)?.get(collection);
  }

  count(collection: Inside, projectId: string): number {
    return this.ids(collection, projectId).size;
  }

  holders(console: number): NodeRecord[] {
    return recordsOf(this, 'node', this.index.holders(console));
  }

  named(projectId: string, name: string): NodeRecord[] {
    return recordsOf(this, 'node', this.index.named(projectId, name));
  }

  linksOf(nodeId: string): LinkRecord[] {
    return recordsOf(this, 'link', this.index.linksOf(nodeId)).sort(byCreation);
  }

  set(change: RecordChange): void {
    const { collection, id, record } = change;
    const table = this.#tables.get(collection);
    this.index.move({ collection, id, record: this.get(collection, id) ?? null } as RecordChange, change);
    const known = table?.get(id);
    if (isInside(collection)) {
      const inside = insideOf(record ?? known);
      // Records that exist are in the lists of their project already.
      if (record === null || known === undefined) this.#index(collection, id, inside, record !== null);
      const shelf = this.#shelf(collection, inside?.project_id ?? '');
      if (shelf !== undefined) shelf.list = null;
    }
    if (record === null) table?.delete(id);
    else table?.set(id, record);
    if (record === null && collection === 'project') this.#inside.delete(id);
  }

  #index(
    collection: Inside,
    id: string,
    record: { project_id: string; created: number; changed: number } | undefined,
    there: boolean,
  ): void {
    if (record === undefined) return;
    let inside = this.#inside.get(record.project_id);
    if (inside === undefined) this.#inside.set(record.project_id, (inside = new Map<Inside, ProjectRecords>()));
    let shelf = inside.get(collection);
    if (shelf === undefined) inside.set(collection, (shelf = { ids: new Set(), list: null }));
    const { ids } = shelf;
    if (!there) {
      ids.delete(id);
      return;
    }
    if (!ids.has(id) && record.created < record.changed) this.#unordered.add(ids);
    ids.add(id);
  }

  *all(): Generator<[CollectionName, string, unknown]> {
    for (const [collection, table] of this.#tables) for (const [id, record] of table) yield [collection, id, record];
  }
}
const NONE: ReadonlySet<string> = new Set();
const NOTHING: readonly never[] = [];
export const byCreation = (a: { created: number }, b: { created: number }): number => a.created - b.created;

/** Existing records of these ids. */
export const recordsOf = <C extends CollectionName>(
  view: Pick<RecordView, 'get'>,
  collection: C,
  ids: Iterable<string>,
): Collections[C][] => {
  const found: Collections[C][] = [];
  for (const id of ids) {
    const record = view.get(collection, id);
    if (record !== undefined) found.push(record);
  }
  return found;
};

/**
 * Indexes: nodes by console port and by name in a project, which must be unique, and links by the nodes that they
 * join.
 */
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

  /** `before`: the record as this index has it. */
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

/** A single id or a set: most keys have one id, and a set for each would cost more than the rest of a fold. */
type Ids = string | Set<string>;

const idsIn = <K>(index: ReadonlyMap<K, Ids>, key: K): readonly string[] => {
  const ids = index.get(key);
  if (ids === undefined) return NO_IDS;
  return typeof ids === 'string' ? [ids] : [...ids];
};
const NO_IDS: readonly string[] = [];

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
