import { atOnce, type Steps } from '../common/slices.ts';
import type { Change } from '../events/log/batch-ops.ts';
import type { Projector } from '../events/log/stage.ts';
import { readRecords } from '../events/read.ts';
import type { AnyEvent } from '../events/schemas.ts';
import type { Store } from '../events/store/store.ts';
import { type RecordChange, type Step, stepOf } from './fold/change.ts';
import { fold, shiftPositions } from './fold/fold.ts';
import {
  type CollectionName,
  type Collections,
  type InsideCollection as Inside,
  type LinkRecord,
  type NodeRecord,
  type ProjectRecord,
  type RecordView,
  type ServerCollection,
  serverId,
} from './records.ts';
import { byCreation, RecordIndex, recordsOf, Tables } from './tables.ts';

/**
 * The records. `committed` is for reads; `pending` adds staged events, which wait for their fsync, and is for
 * decisions. Each event is folded once, when it is staged.
 */
export class Records implements Projector {
  readonly #tables = new Tables();
  readonly #overlay = new Overlay(this.#tables);
  /** Steps of staged events, and of the batch that was committed last. In the order of positions. */
  readonly #stagedSteps: Step[] = [];
  #lastSteps: Step[] = [];

  get committed(): RecordView {
    return this.#tables;
  }

  get pending(): RecordView {
    return this.#overlay;
  }

  stage(event: AnyEvent): Change[] {
    return this.#stage(stepOf(this.#overlay, event, fold(this.#overlay, event)));
  }

  #stage(step: Step): Change[] {
    this.#stagedSteps.push(step);
    for (const transition of step.transitions) this.#overlay.set(transition);
    return step.transitions;
  }

  *ahead(events: readonly AnyEvent[]): Steps<(by: number) => Change[]> {
    const view = new Overlay(this.#overlay);
    const steps: Step[] = [];
    for (const event of events) {
      const step = stepOf(view, event, fold(view, event));
      for (const transition of step.transitions) view.set(transition);
      steps.push(step);
      yield;
    }
    return (by) => {
      const changes: RecordChange[] = [];
      for (const step of steps) {
        this.#stagedSteps.push(step);
        for (const transition of step.transitions) {
          shiftPositions(transition, by);
          changes.push(transition);
        }
      }
      this.#overlay.take(view);
      return changes;
    };
  }

  /** Changes by an event of the last committed batch; known while its listeners are called. */
  stepOf(event: AnyEvent): Step {
    const first = this.#lastSteps[0]?.event.position ?? 0;
    const step = this.#lastSteps[event.position - first];
    return step?.event === event ? step : { event, transitions: [] };
  }

  commit(changes: Change[], events: readonly AnyEvent[]): void {
    this.#lastSteps = this.#stagedSteps.splice(0, events.length);
    for (const change of changes as RecordChange[]) this.#tables.set(change);
    if (this.#stagedSteps.length > events.length) {
      for (const change of changes as RecordChange[]) this.#overlay.settled(change);
      return;
    }
    // Rebuilt from the remaining steps, which are fewer than those committed.
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

  /** Applies changes to the committed records, for folding a log that is on disk already. */
  apply(changes: RecordChange[]): void {
    for (const change of changes) this.#tables.set(change);
  }

  /** Folds an event into the committed records. */
  advance(event: AnyEvent): Step {
    const changes = fold(this.#tables, event);
    const step = stepOf(this.#tables, event, changes);
    this.apply(changes);
    return step;
  }

  /** An independent copy of the committed records. */
  *copying(): Steps<Records> {
    const copy = new Records();
    for (const [collection, id, record] of this.#tables.all()) {
      copy.#tables.set({ collection, id, record } as RecordChange);
      yield;
    }
    return copy;
  }

  /** Restores stored records, in the order of creation. */
  restore(stored: Iterable<RecordChange>): void {
    atOnce(this.restoring(stored));
  }

  /** The same in steps. */
  *restoring(stored: Iterable<RecordChange>): Steps<void> {
    const changes = [...stored].sort((a, b) => (a.record?.created ?? 0) - (b.record?.created ?? 0));
    for (const change of changes) {
      this.#tables.set(change);
      yield;
    }
  }

  /** Loads every stored record. Throws for damaged ones, and changes nothing then. */
  async load(store: Store): Promise<void> {
    const stored: RecordChange[] = [];
    for await (const [collection, id, record] of readRecords(store))
      stored.push({ collection, id, record } as RecordChange);
    this.restore(stored);
  }

  /** Marks a record as existing but lost: reading it throws `log_damaged`. */
  lose(collection: string, id: string): void {
    this.#tables.lose(collection, id);
  }

  /** Every committed record. */
  all(): Generator<[CollectionName, string, unknown]> {
    return this.#tables.all();
  }
}

interface Staged {
  change: RecordChange;
  count: number;
}

/** Records under an overlay. */
interface Below extends RecordView {
  ids(collection: Inside, projectId: string): Iterable<string>;
}

/** Staged changes over other records. A change is removed once it was committed as often as it was staged. */
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

  /** The records below may have been changed or deleted by staged changes. */
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

  /** Takes over the changes of an overlay above this one. Cheap for any number of them, as this one has few. */
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
