import { type Actor, createActor } from 'xstate';
import { conflict, messageOf, notFound, TopologError } from '../../common/errors.ts';
import type { Capture, Failure } from '../../events/fields.ts';
import { contentOf } from '../../files/project/content.ts';
import type { Caller } from '../commands.ts';
import { draft, type LabContext, nodeOf, openProjectOf, SYSTEM_CALLER } from '../context.ts';
import { stackOf } from '../runtime/failures.ts';
import { Mailbox } from '../runtime/mailbox.ts';
import { type CaptureEffect, type CaptureEvent, captureMachine } from './machine.ts';
import { recordOutcome, type Waiter } from '../runtime/outcomes.ts';

/** The port that is tapped, and the link at which the capture was asked for (null: at the port itself). */
export interface CapturePort {
  project_id: string;
  link_id: string | null;
  node_id: string;
  adapter_number: number;
  port_number: number;
}

export const captureKey = (p: Omit<CapturePort, 'link_id' | 'project_id'>): string =>
  `${p.node_id}/${p.adapter_number}/${p.port_number}`;

type Outcome = { type: CaptureEvent['type']; data: object };

/** A capture while it is on. */
export class CaptureActor {
  readonly port: CapturePort;
  readonly #context: LabContext;
  readonly #ended: () => void;
  readonly #actor: Actor<typeof captureMachine>;
  readonly #commands = new Mailbox();
  #capture: Capture | null = null;
  #waiter: Waiter<Failure | null> | null = null;
  /** The effect that was begun last, until its outcome is on record. */
  #underWay = Promise.resolve();
  /** It was on, or was refused, and can no longer be found. */
  #isOver = false;

  constructor(context: LabContext, port: CapturePort, on: boolean, ended: () => void) {
    this.#context = context;
    this.port = port;
    this.#ended = ended;
    const effects = { run: this.#run.bind(this) };
    const snapshot = captureMachine.resolveState({ value: on ? 'capturing' : 'off', context: { effects } });
    this.#actor = createActor(captureMachine, { input: { effects }, snapshot });
    this.#actor.subscribe({ error: (error) => context.report(`the actor of a capture failed: ${messageOf(error)}`) });
    this.#actor.start();
  }

  get on(): boolean {
    return this.#actor.getSnapshot().value === 'capturing';
  }

  get #isOff(): boolean {
    return this.#actor.getSnapshot().value === 'off';
  }

  /** Runs alone among what starts and ends this capture. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#commands.run(work);
  }

  /** Resolves with false when it is over by then: another one has to be started. */
  start(caller: Caller, capture: Capture): Promise<boolean> {
    return this.#commands.run(async () => {
      if (this.#isOver) return false;
      if (this.on) throw conflict('a capture already runs on this port');
      try {
        this.#checkPlace();
        this.#capture = capture;
        await this.#request(caller, 'capture.start_requested', capture);
      } finally {
        // One that was refused must not stand for the next link at this port.
        if (this.#isOff) this.#end();
      }
      return true;
    });
  }

  #end(): void {
    this.#isOver = true;
    this.#ended();
  }

  /** While its file was looked for, the project may have been closed, and the link or the node deleted. */
  #checkPlace(): void {
    const { project_id, link_id, node_id } = this.port;
    const { pending } = this.#context;
    openProjectOf(pending, project_id);
    nodeOf(pending, project_id, node_id);
    if (link_id === null) return;
    const link = pending.get('link', link_id);
    if (link === undefined) throw notFound('Link', link_id);
    // At its other end: the record of a link has one.
    if (link.state !== 'idle') throw conflict('a capture already runs on this link');
  }

  /** Does nothing for one that is off. */
  end(caller: Caller, cause: number | null = null): Promise<void> {
    return this.#commands.run(async () => {
      await this.#afterOutcome();
      if (this.on) await this.#request(caller, 'capture.stop_requested', {}, cause);
      this.#end();
    });
  }

  /** Resolves once what has happened to it is on record. */
  idle(): Promise<void> {
    return this.#underWay;
  }

  /** An outcome that the log does not take yet: a command says so at once. */
  async #afterOutcome(): Promise<void> {
    if (this.on || this.#isOff) return;
    const { log } = this.#context;
    if (!log.writable) throw log.refusal();
    await this.#underWay;
  }

  /**
   * The fabric says that the file can no longer be written. It is so: it waits for a log that cannot be written. Recovery may have
   * begun it again before this arrived.
   */
  broke(message: string): Promise<void> {
    const data = { failure: { code: 'engine_failed', message } };
    return this.#commands.run(async () => {
      if (this.on) await this.#context.plumbing.stopCapture(this.port).catch(() => undefined);
      await recordOutcome(() => this.#append(SYSTEM_CALLER, 'capture.failed', data, null));
    });
  }

  async #request(caller: Caller, type: CaptureEvent['type'], data: object, cause: number | null = null): Promise<void> {
    const outcome = new Promise<Failure | null>((settle, fail) => (this.#waiter = { settle, fail }));
    // Awaited below, also when the append fails first.
    outcome.catch(() => undefined);
    if (!(await this.#append(caller, type, data, cause)))
      throw conflict('the capture on this port is just starting or stopping; try again');
    const failure = await outcome;
    if (failure === null) return;
    throw TopologError.saying('engine_failed', failure.message);
  }

  async #append(caller: Caller, type: CaptureEvent['type'], data: object, cause: number | null): Promise<boolean> {
    const event = draft(caller, this.port.project_id, type as 'capture.stopped', { ...this.port, ...data }, cause);
    if (!this.#actor.getSnapshot().can(event as unknown as CaptureEvent)) return false;
    const [appended] = await this.#context.log.append([event]);
    if (appended !== undefined) this.#actor.send(appended as CaptureEvent);
    if (this.#isOff) this.#end();
    return true;
  }

  #run(effect: CaptureEffect, event: CaptureEvent): void {
    this.#underWay = this.#perform(effect)
      .then((outcome) => this.#finish(event.position, outcome))
      .catch((error: unknown) => this.#context.report(`${effect} of a capture: ${stackOf(error)}`));
  }

  async #perform(effect: CaptureEffect): Promise<Outcome> {
    const { plumbing } = this.#context;
    try {
      if (effect === 'stop') {
        await plumbing.stopCapture(this.port);
        const content = await contentOf(this.#path());
        return { type: 'capture.stopped', data: content === undefined ? {} : { content } };
      }
      if (this.#capture === null) throw new Error('a capture without a file');
      await plumbing.startCapture(this.port, this.#capture, false);
      return { type: 'capture.started', data: {} };
    } catch (error) {
      // A capture that cannot be stopped has no file that grows: it is over all the same.
      if (effect === 'stop') return { type: 'capture.stopped', data: {} };
      return { type: 'capture.failed', data: { failure: { code: 'engine_failed', message: messageOf(error) } } };
    }
  }

  /** Of its file; one that went on after a restart has it on record only. */
  #path(): string {
    const { link_id, node_id, adapter_number, port_number } = this.port;
    if (this.#capture !== null) return this.#capture.path;
    if (link_id !== null) return this.#context.committed.get('link', link_id)?.capture?.path ?? '';
    return this.#context.committed.get('node', node_id)?.captures[`${adapter_number}/${port_number}`]?.path ?? '';
  }

  async #finish(position: number, { type, data }: Outcome): Promise<void> {
    const failure = (data as { failure?: Failure }).failure ?? null;
    const waiter = this.#waiter;
    const append = (): Promise<boolean> => this.#append(SYSTEM_CALLER, type, data, position);
    if (await recordOutcome(append, (error) => waiter?.fail(error))) waiter?.settle(failure);
  }

  stop(): void {
    this.#actor.stop();
  }
}
