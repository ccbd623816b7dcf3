import { conflict, notFound, TopologError } from '../../common/errors.ts';
import { inAll, type Limiter } from '../../common/mailbox.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { NODE_STATES, type NodeEffect, type NodeEventType, type NodeState } from '../../projections/states.ts';
import type { Caller } from '../caller.ts';
import { draft, type LabContext, nodeOf, recordOf, SYSTEM_CALLER } from '../context.ts';
import { Actor } from '../runtime/actor.ts';
import { Runtime } from '../runtime/runtime.ts';
import { withoutSecrets } from '../runtime/secrets.ts';
import { type Append, together } from '../runtime/together.ts';
import { checkReachable, engineOf, kindOfNode, NodeEngine } from './engine.ts';
import type { NodeAction } from './interface.ts';
import { NodeRecording } from './recording.ts';

/** Event that an action appends in each state; null: nothing to do. In states that are not listed the action is refused. */
const REQUESTS: Record<NodeAction, Partial<Record<NodeRecord['state'], NodeEventType | null>>> = {
  start: { stopped: 'node.start_requested', started: null, suspended: 'node.resume_requested' },
  stop: { stopped: null, started: 'node.stop_requested', suspended: 'node.stop_requested' },
  suspend: { stopped: null, started: 'node.suspend_requested', suspended: null },
  resume: { started: null, suspended: 'node.resume_requested' },
  reload: { stopped: null, started: 'node.reload_requested', suspended: 'node.resume_requested' },
};

/** The outcome of an effect that failed. */
const FAILED: Record<NodeEffect, NodeEventType> = {
  start: 'node.start_failed',
  stop: 'node.stop_failed',
  suspend: 'node.suspend_failed',
  resume: 'node.resume_failed',
  reload: 'node.reload_failed',
};

/** One node while its project is open: its commands, one at a time until their outcome, and what its engine does. */
export class NodeActor extends Actor<NodeState, NodeEffect> {
  readonly id: string;
  protected readonly runtime: Runtime<NodeState, NodeEffect>;
  readonly #recording: NodeRecording;
  readonly #engine: NodeEngine;
  /** Why it is made to crash, while it is. */
  #crash: number | null = null;
  /** Arguments of the start that is under way. */
  #given: Record<string, unknown> | null = null;

  constructor(context: LabContext, limits: Map<string, Limiter>, record: NodeRecord) {
    super(context);
    this.id = record.node_id;
    this.#recording = new NodeRecording(context, record.node_id);
    this.#engine = new NodeEngine(context, limits, this.#recording);
    this.runtime = new Runtime<NodeState, NodeEffect>({
      ...{ context, what: `node ${this.id}`, states: NODE_STATES, state: record.state },
      perform: async (effect, { event, left }) =>
        this.#engine.perform(effect, this.record(), event, { given: this.#given, left }),
      failed: (effect, failure) => ({ type: FAILED[effect], data: { failure } }),
      draft: ({ type, data }, cause) => this.#draft({ ...SYSTEM_CALLER, cause }, type as NodeEventType, data),
      impossible: ({ type }) => conflict(`node ${this.record().name} is ${this.state}: ${type} is not possible now`),
      after: (event) => this.#recording.after(event),
    });
  }

  /** The record as decisions see it. */
  record(): NodeRecord {
    return recordOf(this.context.pending, 'node', this.id);
  }

  /** Null for a node that is gone. */
  #draft(caller: Caller, type: NodeEventType, data: object): AnyDraft | null {
    const record = this.context.pending.get('node', this.id);
    if (record === undefined) return null;
    const { project_id } = record;
    return draft(caller, project_id, type as 'node.stopped', { node_id: this.id, project_id, ...data });
  }

  /** Resolves once the state asked for is reached; a second alike one waits and then finds it reached. */
  act(caller: Caller, action: NodeAction, args: Record<string, unknown> = {}): Promise<void> {
    return this.commands.run(() => this.perform(caller, action, args));
  }

  /** `act` that has its place among the node's commands at once and begins when `turn` has come. */
  actInSlot(turn: Promise<void>, caller: Caller, action: NodeAction): Promise<void> {
    return this.commands.run(async () => {
      await turn;
      await this.perform(caller, action);
    });
  }

  /**
   * `act` for callers that are already alone (`exclusive`). `restart`: a stop after which they start it again; where they do not come to it,
   * the next start of the server does.
   */
  async perform(
    caller: Caller,
    action: NodeAction,
    args: Record<string, unknown> = {},
    { restart = false } = {},
  ): Promise<void> {
    await this.afterOutcome();
    const record = nodeOf(this.context.pending, this.record());
    const kind = kindOfNode(this.context, record);
    this.#checkOpen(record, action);
    if (action === 'suspend' && !kind.capabilities.suspend) return;
    if (action === 'reload') return this.#reload(caller, record, kind, args);
    const request = REQUESTS[action][this.state];
    // Nobody knows of one that is away whether it still is as its record says.
    if (request !== null || this.state !== 'stopped') checkReachable(this.context, record);
    if (request === null) return;
    if (request === undefined) throw conflict(`node ${record.name} is ${this.state} and cannot ${action}`);
    if (request === 'node.start_requested' && record.failure?.code === 'broken') throw conflict(record.failure.message);
    if (request === 'node.start_requested') await this.#requestStart(caller, args);
    else await this.#request(caller, request, restart ? { restart } : {});
  }

  /** What waited behind the stop of a project that is being closed must not start the node again. */
  #checkOpen({ project_id }: NodeRecord, action: NodeAction): void {
    const state = this.context.pending.get('project', project_id)?.state;
    if (action !== 'stop' && (state === 'closing' || state === 'closed' || state === 'restoring'))
      throw new TopologError('project_closed');
  }

  async #reload(caller: Caller, record: NodeRecord, kind: Kind, args: Record<string, unknown>): Promise<void> {
    if (!kind.capabilities.reload) throw conflict(`${record.name}: this kind of node has no reload`);
    if (this.state === 'stopped') return;
    checkReachable(this.context, record);
    if (this.state === 'suspended') await this.#request(caller, 'node.resume_requested');
    if (engineOf(this.context, record)?.reload !== undefined) return this.#request(caller, 'node.reload_requested');
    await this.#request(caller, 'node.stop_requested', { restart: true });
    await this.#requestStart(caller, args);
  }

  /** Secrets among the arguments, such as a licence, reach the engine and no event. */
  async #requestStart(caller: Caller, args: Record<string, unknown>): Promise<void> {
    this.#given = args;
    try {
      await this.#request(caller, 'node.start_requested', { arguments: withoutSecrets(args) });
    } finally {
      this.#given = null;
    }
  }

  /** Resolves with the outcome. */
  async #request(caller: Caller, type: NodeEventType, data: object = {}): Promise<void> {
    const request = this.#draft(caller, type, data);
    if (request === null) throw notFound('Node', this.id);
    await this.runtime.command(request);
  }

  /**
   * It no longer runs, and should: both events are one batch, so that no end of the server can come in between and leave
   * it stopped. Resolves with the start. For callers that are already alone.
   */
  async startAgain(reason: string): Promise<void> {
    const lost = this.#draft(SYSTEM_CALLER, 'node.lost', { reason });
    const requested = this.#draft(SYSTEM_CALLER, 'node.start_requested', { arguments: {} });
    if (lost !== null && requested !== null) await this.runtime.observeAll([lost, requested]);
  }

  /** An event that no command asked for: the engine ended, or recovery found something. It waits for a log that cannot be written. */
  observe(type: NodeEventType, data: object, cause = this.#crash): Promise<void> {
    return this.runtime.observe({ type, data }, cause);
  }

  /** Ends what runs without asking it, as a crash does, because of an event. Does nothing for a node that does not run. */
  crash(cause: number): Promise<void> {
    return this.commands.run(async () => {
      await this.afterOutcome();
      if (this.state === 'stopped') return;
      checkReachable(this.context, this.record());
      this.#crash = cause;
      try {
        await this.#engine.kill(this.record());
        // Its engine may have told already.
        await this.observe('node.exited', { code: null, signal: 'SIGKILL', output: '' });
      } finally {
        this.#crash = null;
      }
    });
  }

  /** Something about its recording, in its place among the node's events. */
  onRecording(work: (recording: NodeRecording) => Promise<void>): Promise<void> {
    return this.runtime.inOrder(() => work(this.#recording));
  }

  /** Runs alone among the commands of all of them. */
  static exclusiveOfAll<T>(nodes: readonly NodeActor[], work: () => Promise<T>): Promise<T> {
    return inAll(
      nodes.map((node) => node.commands),
      work,
    );
  }

  /** Deletes them in one batch with what else it has (`together`). For callers that are already alone. */
  static remove<T>(context: LabContext, nodes: readonly NodeActor[], work: (append: Append) => Promise<T>): Promise<T> {
    const machines = new Map(nodes.map((node) => [node.id, node.runtime]));
    return together(context.log, machines, ({ data }) => (data as { node_id?: string }).node_id, work);
  }
}
