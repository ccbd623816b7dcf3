import { conflict, TopologError } from '../../common/errors.ts';
import { withResolvers } from '../../common/promises.ts';
import type { Failure } from '../../events/fields.ts';
import type { PreparedBatch } from '../../events/log/stage.ts';
import type { AnyDraft, AnyEvent, EventType } from '../../events/schemas.ts';
import type { States } from '../../projections/states.ts';
import type { LabContext } from '../context.ts';
import { failureOf, stackOf, throwFailure } from './failures.ts';
import { Mailbox } from '../../common/mailbox.ts';
import { recordOutcome } from './outcomes.ts';

/** One for all: an error of its own, with its stack, is a good part of what leaving a state costs. */
const LEFT = conflict('it was interrupted');

/** What an effect has brought about: the next event. */
export interface Outcome {
  type: EventType;
  data: object;
}

export interface EffectRun {
  /** What led to the state; null: an end of the server came in between, and it is done again. */
  event: AnyEvent | null;
  /** Aborted when the state is left. */
  left: AbortSignal;
  /** Tells the caller that the log cannot be written, while the effect waits until it can. */
  refused: (error: Error) => void;
}

export interface Parts<State extends string, Effect extends string> {
  context: Pick<LabContext, 'log' | 'logger'>;
  /** For diagnostics. */
  what: string;
  states: States<State, Effect, unknown>;
  state: State;
  /** Null: the outcome is on record already. Throws what `failed` makes an outcome of. */
  perform: (effect: Effect, run: EffectRun) => Promise<Outcome | null>;
  failed: (effect: Effect, failure: Failure) => Outcome;
  /** The draft of an event by the system; null: what it is about is gone. */
  draft: (outcome: Outcome, cause: number | null) => AnyDraft | null;
  /** The refusal of an event that is not possible now. */
  impossible: (event: AnyDraft | AnyEvent) => Error;
  /** An event is on disk and the machine has it. */
  after?: (event: AnyEvent) => Promise<void> | void;
}

/** Events of a machine, which have to be possible one after another, maybe with events of others. */
export type Batch = readonly AnyDraft[] | PreparedBatch;

interface AppendOptions {
  /** Each but the first is caused by the one before. */
  causal?: boolean;
  /** Between the append and the machine. */
  before?: () => Promise<void>;
}

/** `result`: of the effect that the last event has begun. */
interface Taken {
  result: Promise<Failure | null>;
}

/** An effect under way. */
interface Run {
  /** Its failure, or null, once the outcome is on record. */
  result: Promise<Failure | null>;
  settle(failure: Failure | null | Promise<Failure | null>): void;
  fail(error: Error): void;
  /** Never rejects. */
  done: Promise<void>;
}

/**
 * Carries the first law: asks the machine whether an event is possible, appends it, and only then goes to the state that it leads to, and
 * runs the effect that this state invokes; its outcome is the next event. Events of one machine take this way one at a time.
 */
export class Runtime<State extends string, Effect extends string> {
  readonly #parts: Parts<State, Effect>;
  /** Of its events, one at a time. */
  readonly queue = new Mailbox();
  #state: State;
  #isStopped = false;
  #run: Run | null = null;
  /** Aborted when the state that invoked an effect is left. */
  #left: AbortController | null = null;

  constructor(parts: Parts<State, Effect>) {
    this.#parts = parts;
    this.#state = parts.state;
  }

  get state(): State {
    return this.#state;
  }

  /** An effect is under way, or its outcome is not on record yet. */
  get isUnderWay(): boolean {
    return this.#parts.states.effect(this.#state) !== undefined;
  }

  /** Resolves once what has happened so far, and what is under way, is on record. */
  async idle(): Promise<void> {
    await this.queue.idle();
    while (this.#run !== null) await this.#run.done;
  }

  /** Runs among the events, one at a time. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.run(work);
  }

  /** Something is asked for: resolves with the outcome, or rejects with its failure. */
  async command(draft: AnyDraft): Promise<void> {
    const { result } = await this.#whenPossible(() => this.#append([draft]));
    await throwFailure(result);
  }

  /** Several at once. `decide` is called where nothing waits any more before they are appended. */
  async append(decide: () => Batch, options: AppendOptions = {}): Promise<void> {
    await this.#whenPossible(() => this.#append(decide(), options));
  }

  /** Something has happened: it waits for a log that cannot be written. Nothing is appended when it is not possible (any more). */
  async observe(outcome: Outcome, cause: number | null = null): Promise<void> {
    await this.#record(outcome, cause);
  }

  /** Several things have happened, the last of which begins an effect: resolves with its outcome. What is not possible is left out. */
  async observeAll(drafts: readonly AnyDraft[]): Promise<void> {
    let begun: Taken | undefined;
    await this.queue.run(() =>
      recordOutcome(async () => {
        begun = await this.#append(this.#possible(drafts), { causal: true });
      }),
    );
    if (begun !== undefined) await throwFailure(begun.result);
  }

  /**
   * What an end of the server has left of an effect is done. Errors are the caller's; resolves with the failure of the outcome. `refused`
   * gets each refusal of a log that cannot be written.
   */
  async finish(work: () => Promise<Outcome | null>, refused?: (error: Error) => void): Promise<Failure | null> {
    const outcome = await work();
    if (outcome !== null) await this.#record(outcome, null, refused);
    return (await this.#run?.result) ?? failureIn(outcome);
  }

  /** A log that cannot be written says so at once, whatever waits for it. */
  #whenPossible<T>(work: () => Promise<T>): Promise<T> {
    return this.#parts.context.log.writable ? this.queue.run(work) : work();
  }

  async #append(batch: Batch, { causal = false, before }: AppendOptions = {}): Promise<Taken> {
    this.check('events' in batch ? batch.events : batch);
    const events = await this.#parts.context.log.append(batch, { causal });
    await before?.();
    return this.take(events);
  }

  /** Events that are on disk; those that its table does not have do nothing. For callers that are alone in its queue. */
  async take(events: readonly AnyEvent[]): Promise<Taken> {
    let result: Promise<Failure | null> = Promise.resolve(null);
    for (const event of this.#own(events)) {
      const last = this.#run;
      this.#enter(event);
      if (this.#run !== null && this.#run !== last) ({ result } = this.#run);
      await this.#after(event);
    }
    return { result };
  }

  #own<E extends AnyDraft | AnyEvent>(events: readonly E[]): E[] {
    const { states } = this.#parts;
    const own = events.filter(({ type }) => states.has(type));
    // What comes after its end is about another with its id.
    const last = own.findIndex((event) => states.after(event) === 'deleted');
    return last === -1 ? own : own.slice(0, last + 1);
  }

  /** Throws where one is not possible after those before it. For callers that are alone in its queue. */
  check(events: readonly (AnyDraft | AnyEvent)[]): void {
    const own = this.#own(events);
    const possible = this.#possible(own);
    const refused = own.find((event) => !possible.includes(event));
    if (refused !== undefined) throw this.#parts.impossible(refused);
  }

  /** Those that are possible one after another. */
  #possible<E extends AnyDraft | AnyEvent>(events: readonly E[]): E[] {
    let { state } = this;
    return events.filter((event) => {
      const next = this.#parts.states.next(state, event);
      state = (next ?? state) as State;
      return next !== null;
    });
  }

  /** Goes to the state that an event on disk leads to, and invokes its effect. */
  #enter(event: AnyEvent): void {
    const { states } = this.#parts;
    const next = states.next(this.#state, event) as State | null;
    if (next === null || next === this.#state || this.#isStopped) return;
    this.#state = next;
    this.#leave();
    const effect = states.effect(next);
    if (effect !== undefined) this.#begin(effect, event);
  }

  #leave(): void {
    this.#left?.abort(LEFT);
    this.#left = null;
  }

  async #after(event: AnyEvent): Promise<void> {
    try {
      await this.#parts.after?.(event);
    } catch (error) {
      this.#defect(event.type, error);
    }
  }

  #begin(effect: Effect, event: AnyEvent): void {
    const left = new AbortController();
    this.#left = left;
    const { promise: result, resolve: settle, reject: fail } = withResolvers<Failure | null>();
    // Not all of them have a caller.
    result.catch(() => undefined);
    const run: Run = { result, settle, fail, done: Promise.resolve() };
    this.#run = run;
    run.done = this.#perform(effect, event, left.signal, run)
      .catch((error: unknown) => this.#defect(effect, error))
      .finally(() => {
        if (this.#run === run) this.#run = null;
      });
  }

  async #perform(effect: Effect, event: AnyEvent, left: AbortSignal, run: Run): Promise<void> {
    const { perform, failed } = this.#parts;
    let outcome: Outcome | null;
    try {
      outcome = await perform(effect, { event, left, refused: (error) => run.fail(error) });
    } catch (error) {
      // What it did is not known: the state stays until somebody can look.
      if (error instanceof TopologError && error.code === 'compute_unreachable') return run.fail(error);
      if (!(error instanceof TopologError)) this.#defect(effect, error);
      outcome = failed(effect, failureOf(error));
    }
    // It must get into the log: it is what really happened. The caller is told at once when it cannot.
    const recorded = outcome === null || (await this.#record(outcome, event.position, (error) => run.fail(error)));
    if (!recorded) return;
    // Its outcome may have begun another, as the end of a restore does.
    const next = this.#run;
    run.settle(next === null || next === run ? failureIn(outcome) : next.result);
  }

  /** False: the server is shutting down first. */
  #record(outcome: Outcome, cause: number | null, refused?: (error: Error) => void): Promise<boolean> {
    const append = async (): Promise<void> => {
      const draft = this.#parts.draft(outcome, cause);
      const own = draft === null ? [] : this.#possible([draft]);
      if (own.length > 0) await this.#append(own);
    };
    return this.queue.run(() => recordOutcome(append, refused));
  }

  #defect(what: string, error: unknown): void {
    this.#parts.context.logger.error(`${what} of ${this.#parts.what}: ${stackOf(error)}`);
  }

  stop(): void {
    this.#isStopped = true;
    this.#leave();
  }
}

const failureIn = (outcome: Outcome | null): Failure | null =>
  outcome !== null && 'failure' in outcome.data ? (outcome.data.failure as Failure | null) : null;
