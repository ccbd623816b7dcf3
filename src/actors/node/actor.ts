import { type Actor, createActor } from 'xstate';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import type { Failure } from '../../events/fields.ts';
import type { AnyDraft, AnyEvent } from '../../events/schemas.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller, NodeAction } from '../commands.ts';
import { draft, type LabContext, nodeOf, SYSTEM_CALLER } from '../context.ts';
import { errorOf, failureOf, stackOf } from '../runtime/failures.ts';
import { type Limiter, Mailbox } from '../runtime/mailbox.ts';
import { type NodeEffect, type NodeEvent, nodeMachine } from './machine.ts';
import { FAILED, type NodeEventType, REQUESTS } from './actions.ts';
import { engineOf, kindOfNode, NodeEngine } from './engine.ts';
import { NodeRecording } from './recording.ts';
import { withoutSecrets } from '../runtime/secrets.ts';
import { recordOutcome, type Waiter } from '../runtime/outcomes.ts';

/** States in which the machine has nothing to do but wait for an event. */
const RESTS: ReadonlySet<string> = new Set<NodeRecord['state']>(['stopped', 'started', 'suspended']);

/**
 * One node while its project is open: an XState machine that receives events, a queue of commands (one at a time until its
 * outcome) and a queue of events. Only this file sends to the machine.
 */
export class NodeActor {
  readonly id: string;
  readonly #context: LabContext;
  readonly #engine: NodeEngine;
  /** Where the machine rests. */
  #state: NodeRecord['state'];
  /** null while it rests: thousands of nodes do little else. */
  #actor: Actor<typeof nodeMachine> | null = null;
  readonly #commands = new Mailbox();
  readonly #events = new Mailbox();
  readonly #recording: NodeRecording;
  readonly #waiters = new Map<number, Waiter<Failure | null>>();
  /** Arguments of the start that is under way. */
  #given: Record<string, unknown> | null = null;

  constructor(context: LabContext, limits: Map<string, Limiter>, record: NodeRecord) {
    this.id = record.node_id;
    this.#context = context;
    this.#recording = new NodeRecording(context, record.node_id);
    this.#engine = new NodeEngine(context, limits, this.#recording);
    this.#state = record.state;
  }

  get state(): NodeRecord['state'] {
    return this.#actor === null ? this.#state : (this.#actor.getSnapshot().value as NodeRecord['state']);
  }

  /** Its engine does something, or the outcome is not on record yet. */
  get isUnderWay(): boolean {
    return !RESTS.has(this.state);
  }

  /** Resolves once what has happened so far is on record. */
  idle(): Promise<void> {
    return this.#events.idle();
  }

  /** The machine, made when it rested. */
  #machine(): Actor<typeof nodeMachine> {
    if (this.#actor !== null) return this.#actor;
    const effects = { run: this.#run.bind(this) };
    const snapshot = nodeMachine.resolveState({ value: this.#state, context: { effects } });
    const actor = createActor(nodeMachine, { input: { effects }, snapshot });
    // Without an observer an actor's error would end the process.
    actor.subscribe({
      error: (error) => this.#context.report(`the actor of node ${this.id} failed: ${messageOf(error)}`),
    });
    actor.start();
    return (this.#actor = actor);
  }

  #send(event: NodeEvent): void {
    this.#machine().send(event);
    if (!RESTS.has(this.state)) return;
    this.#state = this.state;
    this.#actor = null;
  }

  #can(event: AnyDraft): boolean {
    return this.#machine()
      .getSnapshot()
      .can(event as unknown as NodeEvent);
  }

  /** The committed record. */
  record(): NodeRecord {
    const record = this.#context.pending.get('node', this.id);
    if (record === undefined) throw new TopologError('not_found', { what: 'Node', id: this.id });
    return record;
  }

  /** Runs alone among this node's commands. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#commands.run(work);
  }

  /** Resolves once the state asked for is reached; a second alike one waits and then finds it reached. */
  act(
    caller: Caller,
    action: NodeAction,
    args: Record<string, unknown> = {},
    cause: number | null = null,
  ): Promise<void> {
    return this.#commands.run(() => this.perform(caller, action, args, cause));
  }

  /** `act` that has its place among the node's commands at once and begins when `turn` has come. */
  actInSlot(turn: Promise<void>, caller: Caller, action: NodeAction, cause: number | null): Promise<void> {
    return this.#commands.run(async () => {
      await turn;
      await this.perform(caller, action, {}, cause);
    });
  }

  /** `act` for callers that are already alone (`exclusive`). */
  async perform(
    caller: Caller,
    action: NodeAction,
    args: Record<string, unknown> = {},
    cause: number | null = null,
  ): Promise<void> {
    await this.#afterOutcome();
    const record = nodeOf(this.#context.pending, this.record().project_id, this.id);
    const kind = kindOfNode(this.#context, record);
    this.#checkOpen(record, action);
    if (action === 'suspend' && !kind.capabilities.suspend) return;
    if (action === 'reload') return this.#reload(caller, record, kind, args, cause);
    const request = REQUESTS[action][this.state];
    if (request === null) return;
    if (request === undefined) throw conflict(`node ${record.name} is ${this.state} and cannot ${action}`);
    if (request === 'node.start_requested' && record.failure?.code === 'broken') throw conflict(record.failure.message);
    if (request === 'node.start_requested') await this.#requestStart(caller, args, cause);
    else await this.#request(caller, request, {}, cause);
  }

  /** The command before was answered with the log's refusal of its outcome: this one is too, or waits until that is on record. */
  async #afterOutcome(): Promise<void> {
    if (!this.isUnderWay) return;
    const { log } = this.#context;
    if (!log.writable) throw log.refusal();
    await this.idle();
  }

  /** What waited behind the stop of a project that is being closed must not start the node again. */
  #checkOpen({ project_id }: NodeRecord, action: NodeAction): void {
    const state = this.#context.pending.get('project', project_id)?.state;
    if (action !== 'stop' && (state === 'closing' || state === 'closed' || state === 'restoring'))
      throw new TopologError('project_closed');
  }

  async #reload(
    caller: Caller,
    record: NodeRecord,
    kind: Kind,
    args: Record<string, unknown>,
    cause: number | null,
  ): Promise<void> {
    if (!kind.capabilities.reload) throw conflict(`${record.name}: this kind of node has no reload`);
    if (this.state === 'stopped') return;
    if (this.state === 'suspended') await this.#request(caller, 'node.resume_requested', {}, cause);
    if (engineOf(this.#context, record)?.reload !== undefined)
      return this.#request(caller, 'node.reload_requested', {}, cause);
    await this.#request(caller, 'node.stop_requested', {}, cause);
    await this.#requestStart(caller, args, cause);
  }

  /** Secrets among the arguments, such as a licence, reach the engine and no event. */
  async #requestStart(caller: Caller, args: Record<string, unknown>, cause: number | null): Promise<void> {
    this.#given = args;
    try {
      await this.#request(caller, 'node.start_requested', { arguments: withoutSecrets(args) }, cause);
    } finally {
      this.#given = null;
    }
  }

  /** Appends what is asked, and only then lets the machine act on it; resolves with its outcome. */
  async #request(caller: Caller, type: NodeEventType, data: object, cause: number | null): Promise<void> {
    const record = this.record();
    const { project_id } = record;
    const of = { node_id: this.id, project_id, ...data };
    const request = draft(caller, project_id, type as 'node.stop_requested', of, cause);
    const begin = async (): Promise<{ outcome: Promise<Failure | null> }> => {
      if (!this.#can(request)) throw conflict(`node ${record.name} is ${this.state}: ${type} is not possible now`);
      const [event] = await this.#context.log.append([request]);
      if (event === undefined) throw new Error('the log answered without an event');
      // The waiter is there before the machine acts, so that no outcome can be missed.
      const outcome = this.#outcomeOf(event.position);
      this.#send(event as NodeEvent);
      return { outcome };
    };
    // In the queue of events, so that two of them are never decided on the same state; a log that cannot be written says so at once.
    const { writable } = this.#context.log;
    const { outcome } = await (writable ? this.#events.run(begin) : begin());
    const failure = await outcome;
    if (failure !== null) throw errorOf(failure);
  }

  /**
   * It no longer runs, and should: both events are one batch, so that no end of the server can come in between and leave
   * it stopped. Resolves with the start. For callers that are already alone.
   */
  async startAgain(reason: string): Promise<void> {
    const { project_id } = this.record();
    const place = { node_id: this.id, project_id };
    let waiting = Promise.resolve<Failure | null>(null);
    const begin = async (): Promise<void> => {
      const drafts = [
        draft(SYSTEM_CALLER, project_id, 'node.lost', { ...place, reason }),
        draft(SYSTEM_CALLER, project_id, 'node.start_requested', { ...place, arguments: {} }),
      ];
      const [lost, requested] = await this.#context.log.append(drafts, { causal: true });
      if (lost === undefined || requested === undefined) throw new Error('the log answered without an event');
      this.#send(lost as NodeEvent);
      await this.#recording.after(lost);
      waiting = this.#outcomeOf(requested.position);
      this.#send(requested as NodeEvent);
    };
    await this.#events.run(() => recordOutcome(begin));
    const failure = await waiting;
    if (failure !== null) throw errorOf(failure);
  }

  #outcomeOf(position: number): Promise<Failure | null> {
    return new Promise((settle, fail) => this.#waiters.set(position, { settle, fail }));
  }

  /**
   * An event that no command asked for: the engine ended, or recovery found something. It is so, and nobody says it again: it waits for a
   * log that cannot be written.
   */
  async observe(type: NodeEventType, data: object, cause: number | null = null): Promise<void> {
    await this.#events.run(() => recordOutcome(() => this.#append(type, data, cause)));
  }

  /** Something about its recording, in its place among the node's events. */
  onRecording(work: (recording: NodeRecording) => Promise<void>): Promise<void> {
    return this.#events.run(() => work(this.#recording));
  }

  async #append(type: NodeEventType, data: object, cause: number | null): Promise<AnyEvent | null> {
    const record = this.#context.pending.get('node', this.id);
    if (record === undefined) return null;
    const { project_id } = record;
    const event = draft(
      SYSTEM_CALLER,
      project_id,
      type as 'node.stopped',
      { node_id: this.id, project_id, ...data },
      cause,
    );
    if (!this.#can(event)) return null;
    const [appended] = await this.#context.log.append([event]);
    if (appended === undefined) return null;
    this.#send(appended as NodeEvent);
    await this.#recording.after(appended);
    return appended;
  }

  /** Called by the machine on entering a state. */
  #run(effect: NodeEffect, event: NodeEvent, left: AbortSignal): void {
    const defect = (error: unknown): void => this.#context.report(`${effect} of node ${this.id}: ${stackOf(error)}`);
    void this.#perform(effect, event, left)
      .then(
        (outcome) => this.#settle(event.position, outcome.type, outcome.data, null),
        (error: unknown) => {
          const failure = failureOf(error);
          if (!(error instanceof TopologError)) defect(error);
          return this.#settle(event.position, FAILED[effect], { failure }, failure);
        },
      )
      .catch(defect);
  }

  /** A node that is gone is a failure as well. */
  async #perform(effect: NodeEffect, event: NodeEvent, left: AbortSignal): ReturnType<NodeEngine['perform']> {
    return this.#engine.perform(effect, this.record(), event, { given: this.#given, left });
  }

  /** The outcome must get into the log: it is what really happened. The caller is told at once when it cannot. */
  async #settle(position: number, type: NodeEventType, data: object, failure: Failure | null): Promise<void> {
    const waiter = this.#waiters.get(position);
    this.#waiters.delete(position);
    const done = await this.#events.run(() =>
      recordOutcome(
        () => this.#append(type, data, position),
        (error) => waiter?.fail(error),
      ),
    );
    if (done) waiter?.settle(failure);
  }

  /** The node's event of deletion is on disk. */
  deleted(event: AnyEvent): void {
    this.#send(event as NodeEvent);
    this.stop();
  }

  stop(): void {
    this.#state = this.state;
    this.#actor?.stop();
    this.#actor = null;
  }
}
