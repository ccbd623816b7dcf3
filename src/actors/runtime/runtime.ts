import { type Actor, type AnyMachineSnapshot, type AnyStateMachine, createActor, transition } from 'xstate';
import { messageOf, TopologError } from '../../common/errors.ts';
import { withResolvers } from '../../common/promises.ts';
import type { Failure } from '../../events/fields.ts';
import type { PreparedBatch } from '../../events/log/stage.ts';
import type { AnyDraft, AnyEvent, EventType } from '../../events/schemas.ts';
import type { StateTable } from '../../projections/states.ts';
import type { LabContext } from '../context.ts';
import { failureOf, stackOf, throwFailure } from './failures.ts';
import { Mailbox } from '../../common/mailbox.ts';
import { recordOutcome } from './outcomes.ts';

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
  table: StateTable<State, Effect>;
  machine: AnyStateMachine;
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
 * What carries the first law: it asks the machine whether an event is possible, appends it, and only then sends it to the machine, whose
 * state invokes an effect, whose outcome is the next event. Events of one machine take this way one at a time.
 */
export class Runtime<State extends string, Effect extends string> {
  readonly #parts: Parts<State, Effect>;
  /** Of its events, one at a time. */
  readonly queue = new Mailbox();
  /** Where the machine rests. */
  #state: State;
  /** null while it rests: thousands of nodes do little else. */
  #actor: Actor<AnyStateMachine> | null = null;
  #run: Run | null = null;

  constructor(parts: Parts<State, Effect>) {
    this.#parts = parts;
    this.#state = parts.state;
  }

  get state(): State {
    return this.#actor === null ? this.#state : (this.#actor.getSnapshot().value as State);
  }

  /** An effect is under way, or its outcome is not on record yet. */
  get isUnderWay(): boolean {
    return this.#effect !== undefined;
  }

  get #effect(): Effect | undefined {
    // A machine that has come to its end is in a state that the table does not have.
    return (this.#parts.table.states[this.state] as { effect?: Effect } | undefined)?.effect;
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
      this.#send(event);
      if (this.#run !== null && this.#run !== last) ({ result } = this.#run);
      await this.#after(event);
    }
    return { result };
  }

  #own<E extends AnyDraft | AnyEvent>(events: readonly E[]): E[] {
    const { table } = this.#parts;
    const own = events.filter(({ type }) => type in table.events);
    // What comes after its end is about another with its id.
    const last = own.findIndex(({ type }) => table.events[type]?.to === 'deleted');
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
    let snapshot = this.#snapshot();
    return events.filter((event) => {
      if (!snapshot.can(event)) return false;
      if (events.length > 1) snapshot = transition(this.#parts.machine, snapshot, event)[0];
      return true;
    });
  }

  #snapshot(): AnyMachineSnapshot {
    const effects = { run: this.#begin.bind(this) };
    return this.#actor?.getSnapshot() ?? this.#parts.machine.resolveState({ value: this.#state, context: { effects } });
  }

  /** The machine, made when it rested. */
  #machine(): Actor<AnyStateMachine> {
    if (this.#actor !== null) return this.#actor;
    const { machine, context, what } = this.#parts;
    const snapshot = this.#snapshot();
    const actor = createActor(machine, { input: snapshot.context as object, snapshot });
    // Without an observer an actor's error would end the process.
    actor.subscribe({ error: (error) => context.logger.error(`the actor of ${what} failed: ${messageOf(error)}`) });
    actor.start();
    return (this.#actor = actor);
  }

  #send(event: AnyEvent): void {
    this.#machine().send(event);
    if (this.#effect !== undefined) return;
    this.#state = this.state;
    this.#actor = null;
  }

  async #after(event: AnyEvent): Promise<void> {
    try {
      await this.#parts.after?.(event);
    } catch (error) {
      this.#defect(event.type, error);
    }
  }

  /** Called by the machine on entering a state. */
  #begin(effect: string, event: AnyEvent, left: AbortSignal): void {
    const { promise: result, resolve: settle, reject: fail } = withResolvers<Failure | null>();
    // Not all of them have a caller.
    result.catch(() => undefined);
    const run: Run = { result, settle, fail, done: Promise.resolve() };
    this.#run = run;
    run.done = this.#perform(effect as Effect, event, left, run)
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
    this.#state = this.state;
    this.#actor?.stop();
    this.#actor = null;
  }
}

const failureIn = (outcome: Outcome | null): Failure | null =>
  outcome !== null && 'failure' in outcome.data ? (outcome.data.failure as Failure | null) : null;
