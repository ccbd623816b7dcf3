import type { AnyEvent } from '../events/schemas.ts';
import type { Change } from '../events/log/batch-ops.ts';
import type { Projector } from '../events/log/stage.ts';
import { readRecords } from '../events/read.ts';
import type { Store } from '../events/store/database.ts';
import { atOnce, type Steps } from '../common/slices.ts';
import { fold, moveOn, type RecordChange } from './fold/fold.ts';
import { Tables } from './tables.ts';
import { Overlay } from './overlay.ts';
import type { CollectionName, RecordView } from './records.ts';
import { type Step, stepOf } from './past/step.ts';

/**
 * The records: `committed` is what reads see, `pending` adds what waits for its fsync and is what decisions are made on. Each
 * event is folded once, when it is staged.
 */
export class Records implements Projector {
  readonly #tables = new Tables();
  readonly #overlay = new Overlay(this.#tables);
  /** Of the events that wait for their fsync, and of the batch that was committed last. In the order of positions. */
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
          moveOn(transition, by);
          changes.push(transition);
        }
      }
      this.#overlay.take(view);
      return changes;
    };
  }

  /** What an event of the batch that was committed last did; known while its listeners are told. */
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

  /** Folds an event straight in. */
  advance(event: AnyEvent): Step {
    const changes = fold(this.#tables, event);
    const step = stepOf(this.#tables, event, changes);
    this.apply(changes);
    return step;
  }

  /** The same committed records, to be changed by themselves. */
  *copying(): Steps<Records> {
    const copy = new Records();
    for (const [collection, id, record] of this.#tables.all()) {
      copy.#tables.set({ collection, id, record } as RecordChange);
      yield;
    }
    return copy;
  }

  /** Records as they were stored, put back in the order of their creation. */
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

  /** Takes in every record as it is stored. Throws when one is damaged, and has changed nothing then. */
  async load(store: Store): Promise<void> {
    const stored: RecordChange[] = [];
    for await (const [collection, id, record] of readRecords(store))
      stored.push({ collection, id, record } as RecordChange);
    this.restore(stored);
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
