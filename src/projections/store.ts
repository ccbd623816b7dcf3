import type { AnyFact } from '../events/facts.ts';
import type { Change } from '../events/batch-ops.ts';
import type { Projector } from '../events/log.ts';
import { DamagedLog, placeOf } from '../events/damage.ts';
import { KEYS } from '../events/store.ts';
import type { Steps } from '../turns.ts';
import { fold, moveOn, type RecordChange } from './fold.ts';
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
import { RecordIndex } from './record-index.ts';
import { type Step, stepOf } from './step.ts';

type Table = Map<string, Collections[CollectionName]>;

/** Every collection; true for those whose records are inside a project. */
const COLLECTIONS: Record<CollectionName, boolean> = {
  project: false,
  node: true,
  link: true,
  drawing: true,
  snapshot: true,
  template: false,
};
const NAMES = Object.keys(COLLECTIONS) as CollectionName[];
const isInside = (name: CollectionName): name is Inside => COLLECTIONS[name];
const insideOf = (record: Collections[CollectionName] | undefined): Collections[Inside] | undefined =>
  record !== undefined && 'project_id' in record && 'created' in record ? (record as Collections[Inside]) : undefined;

/** Records by collection, with what a project holds in the order of creation. */
class Tables implements RecordView {
  readonly #tables = new Map<CollectionName, Table>(NAMES.map((name) => [name, new Map()]));
  readonly #inside = new Map<string, Map<Inside, Set<string>>>();
  readonly index = new RecordIndex();
  /** Records of a damaged log that there are but that nobody knows. */
  readonly #lost = new Set<string>();
  /** Sets that something older than their last has come back to: they are put in order when they are read. */
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

  templates(): TemplateRecord[] {
    return [...(this.#tables.get('template')?.values() ?? [])] as TemplateRecord[];
  }

  ids(collection: Inside, projectId: string): ReadonlySet<string> {
    const ids = this.#inside.get(projectId)?.get(collection);
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

  ofProject<C extends Inside>(collection: C, projectId: string): Collections[C][] {
    const found: Collections[C][] = [];
    for (const id of this.ids(collection, projectId)) {
      const record = this.get(collection, id);
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  count(collection: Inside, projectId: string): number {
    return this.ids(collection, projectId).size;
  }

  holders(console: number): NodeRecord[] {
    return this.#each('node', this.index.holders(console));
  }

  named(projectId: string, name: string): NodeRecord[] {
    return this.#each('node', this.index.named(projectId, name));
  }

  linksOf(nodeId: string): LinkRecord[] {
    return this.#each('link', this.index.linksOf(nodeId)).sort(byCreation);
  }

  #each<C extends CollectionName>(collection: C, ids: Iterable<string>): Collections[C][] {
    const found: Collections[C][] = [];
    for (const id of ids) {
      const record = this.get(collection, id);
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  set(change: RecordChange): void {
    const { collection, id, record } = change;
    const table = this.#tables.get(collection);
    this.index.move({ collection, id, record: this.get(collection, id) ?? null } as RecordChange, change);
    const known = table?.get(id);
    // What is there already is in its project's lists.
    if (isInside(collection) && (record === null || known === undefined))
      this.#index(collection, id, insideOf(record ?? known), record !== null);
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
    if (inside === undefined) this.#inside.set(record.project_id, (inside = new Map<Inside, Set<string>>()));
    let ids = inside.get(collection);
    if (ids === undefined) inside.set(collection, (ids = new Set()));
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
const byCreation = (a: { created: number }, b: { created: number }): number => a.created - b.created;

interface Staged {
  change: RecordChange;
  count: number;
}

/** Records that others are staged upon. */
interface Below extends RecordView {
  ids(collection: Inside, projectId: string): Iterable<string>;
}

/** Committed records with what is staged on top. An entry stays until as many changes were committed as were staged. */
class Overlay implements Below {
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
    return this.#each(
      'project',
      this.#merged('project', below, () => true),
    );
  }

  templates(): TemplateRecord[] {
    const below = this.#below.templates().map((t) => t.template_id);
    return this.#each(
      'template',
      this.#merged('template', below, () => true),
    );
  }

  ofProject<C extends Inside>(collection: C, projectId: string): Collections[C][] {
    return this.#each(collection, this.ids(collection, projectId)).sort(byCreation);
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
    const found: Collections[C][] = [];
    for (const id of staged.length === 0 ? below : new Set([...below, ...staged])) {
      const record = this.get(collection, id);
      if (record !== undefined && is(record)) found.push(record);
    }
    return found;
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

  #each<C extends CollectionName>(collection: C, ids: Iterable<string>): Collections[C][] {
    const found: Collections[C][] = [];
    for (const id of ids) {
      const record = this.get(collection, id);
      if (record !== undefined) found.push(record);
    }
    return found;
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

/**
 * The records: `committed` is what reads see, `pending` adds what waits for its fsync and is what decisions are made on. Each
 * fact is folded once, when it is staged.
 */
export class Records implements Projector {
  readonly #tables = new Tables();
  readonly #overlay = new Overlay(this.#tables);
  /** Of the facts that wait for their fsync, and of the batch that was committed last. In the order of positions. */
  readonly #stagedSteps: Step[] = [];
  #lastSteps: Step[] = [];

  get committed(): RecordView {
    return this.#tables;
  }

  get pending(): RecordView {
    return this.#overlay;
  }

  stage(fact: AnyFact): Change[] {
    return this.#stage(stepOf(this.#overlay, fact, fold(this.#overlay, fact)));
  }

  #stage(step: Step): Change[] {
    this.#stagedSteps.push(step);
    for (const transition of step.transitions) this.#overlay.set(transition);
    return step.transitions;
  }

  *ahead(facts: readonly AnyFact[]): Steps<(by: number) => Change[]> {
    const view = new Overlay(this.#overlay);
    const steps: Step[] = [];
    for (const fact of facts) {
      const step = stepOf(view, fact, fold(view, fact));
      for (const transition of step.transitions) view.set(transition);
      steps.push(step);
      yield;
    }
    return (by) => {
      const changes: RecordChange[] = [];
      for (const step of steps) {
        this.#stagedSteps.push(step);
        for (const transition of step.transitions) {
          moveOn(transition, by);
          changes.push(transition);
        }
      }
      this.#overlay.take(view);
      return changes;
    };
  }

  /** What a fact of the batch that was committed last did; known while its listeners are told. */
  stepOf(fact: AnyFact): Step {
    const first = this.#lastSteps[0]?.fact.position ?? 0;
    const step = this.#lastSteps[fact.position - first];
    return step?.fact === fact ? step : { fact, transitions: [] };
  }

  commit(changes: Change[], facts: readonly AnyFact[]): void {
    this.#lastSteps = this.#stagedSteps.splice(0, facts.length);
    for (const change of changes as RecordChange[]) this.#tables.set(change);
    if (this.#stagedSteps.length > facts.length) {
      for (const change of changes as RecordChange[]) this.#overlay.settled(change);
      return;
    }
    // What is left is less than what was settled.
    this.#overlay.clear();
    for (const { transitions } of this.#stagedSteps)
      for (const transition of transitions) this.#overlay.set(transition);
  }

  discard(): void {
    this.#overlay.clear();
    this.#stagedSteps.length = 0;
  }

  current(collection: string, id: string): unknown {
    return this.#tables.get(collection as CollectionName, id) ?? null;
  }

  /** Takes changes straight in: for folding a log that is on disk already. */
  apply(changes: RecordChange[]): void {
    for (const change of changes) this.#tables.set(change);
  }

  /** Folds a fact straight in. */
  advance(fact: AnyFact): Step {
    const changes = fold(this.#tables, fact);
    const step = stepOf(this.#tables, fact, changes);
    this.apply(changes);
    return step;
  }

  /** The same committed records, to be changed by themselves. */
  copy(): Records {
    const copy = new Records();
    for (const [collection, id, record] of this.#tables.all())
      copy.#tables.set({ collection, id, record } as RecordChange);
    return copy;
  }

  /** Records as they were stored, put back in the order of their creation. */
  restore(stored: Iterable<RecordChange>): void {
    const changes = [...stored].sort((a, b) => (a.record?.created ?? 0) - (b.record?.created ?? 0));
    for (const change of changes) this.#tables.set(change);
  }

  /** The record exists, but what it was is lost: reading it throws `log_damaged`. */
  lose(collection: string, id: string): void {
    this.#tables.lose(collection, id);
  }

  /** Every committed record. */
  all(): Generator<[CollectionName, string, unknown]> {
    return this.#tables.all();
  }
}
