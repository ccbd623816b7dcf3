import { conflict, messageOf } from '../../common/errors.ts';
import type { Capture, Failure } from '../../events/fields.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import { contentOf } from '../../files/project/content.ts';
import {
  CAPTURE_STATES,
  type CaptureEffect,
  type CaptureEventType,
  type CaptureState,
} from '../../projections/states.ts';
import type { Caller, PortAddress } from '../caller.ts';
import { portKey } from '../port/port-key.ts';
import { draft, type LabContext, nodeOf, openProjectOf, recordOf, SYSTEM_CALLER } from '../context.ts';
import { Actor } from '../runtime/actor.ts';
import { type Outcome, Runtime } from '../runtime/runtime.ts';

/** The port that is tapped, and the link at which the capture was asked for (null: at the port itself). */
export interface CapturePort extends PortAddress {
  link_id: string | null;
}

export const captureKey = (port: Omit<PortAddress, 'project_id'>): string => `${port.node_id}/${portKey(port)}`;

const BUSY = 'the capture on this port is just starting or stopping; try again';

const engineFailed = (error: unknown): Failure => ({ code: 'engine_failed', message: messageOf(error) });

/** A capture while it is on. */
export class CaptureActor extends Actor<CaptureState, CaptureEffect> {
  readonly port: CapturePort;
  readonly #ended: () => void;
  protected readonly runtime: Runtime<CaptureState, CaptureEffect>;
  #capture: Capture | null = null;
  /** It was on, or was refused, and can no longer be found. */
  #isOver = false;

  constructor(context: LabContext, port: CapturePort, state: CaptureState, ended: () => void) {
    super(context);
    this.port = port;
    this.#ended = ended;
    this.runtime = new Runtime<CaptureState, CaptureEffect>({
      ...{ context, what: 'a capture', states: CAPTURE_STATES, state },
      perform: (effect) => (effect === 'stop' ? this.#stop() : this.#start()),
      failed: (_effect, { message }) => ({ type: 'capture.failed', data: { failure: engineFailed(message) } }),
      draft: ({ type, data }, cause) => this.#draft({ ...SYSTEM_CALLER, cause }, type as CaptureEventType, data),
      impossible: () => conflict(BUSY),
      after: () => {
        if (this.#isOff) this.#end();
      },
    });
  }

  get on(): boolean {
    return this.state === 'capturing';
  }

  get #isOff(): boolean {
    return this.state === 'off';
  }

  /** Resolves with false when it is over by then: another one has to be started. */
  start(caller: Caller, capture: Capture): Promise<boolean> {
    return this.commands.run(async () => {
      if (this.#isOver) return false;
      if (this.on) throw conflict('a capture already runs on this port');
      try {
        this.#checkPlace();
        this.#capture = capture;
        await this.runtime.command(this.#draft(caller, 'capture.start_requested', capture));
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
    const { project_id, link_id } = this.port;
    const { pending } = this.context;
    openProjectOf(pending, project_id);
    nodeOf(pending, this.port);
    if (link_id === null) return;
    // At its other end: the record of a link has one.
    if (recordOf(pending, 'link', link_id).state !== 'idle') throw conflict('a capture already runs on this link');
  }

  /** Does nothing for one that is off. */
  end(caller: Caller): Promise<void> {
    return this.commands.run(async () => {
      await this.afterOutcome();
      if (this.on) await this.runtime.command(this.#draft(caller, 'capture.stop_requested', {}));
      this.#end();
    });
  }

  /** Recovery has begun it again: an end of the server came between its request and its outcome. For callers that are already alone. */
  async found(): Promise<void> {
    await this.runtime.observe({ type: 'capture.started', data: {} });
  }

  /**
   * The fabric says that the file can no longer be written. It is so: it waits for a log that cannot be written. Recovery may have
   * begun it again before this arrived.
   */
  broke(message: string): Promise<void> {
    return this.commands.run(async () => {
      if (this.on) await this.context.plumbing.stopCapture(this.port).catch(() => undefined);
      await this.runtime.observe({ type: 'capture.failed', data: { failure: engineFailed(message) } });
    });
  }

  #draft(caller: Caller, type: CaptureEventType, data: object): AnyDraft {
    return draft(caller, this.port.project_id, type as 'capture.stopped', { ...this.port, ...data });
  }

  async #start(): Promise<Outcome> {
    if (this.#capture === null) throw new Error('a capture without a file');
    await this.context.plumbing.startCapture(this.port, this.#capture, false);
    return { type: 'capture.started', data: {} };
  }

  /** One that cannot be stopped has no file that grows: it is over all the same. */
  async #stop(): Promise<Outcome> {
    const content = await this.context.plumbing
      .stopCapture(this.port)
      .then(() => contentOf(this.#path()))
      .catch(() => undefined);
    return { type: 'capture.stopped', data: content === undefined ? {} : { content } };
  }

  /** Of its file; one that went on after a restart has it on record only. */
  #path(): string {
    const { link_id, node_id } = this.port;
    if (this.#capture !== null) return this.#capture.path;
    if (link_id !== null) return this.context.committed.get('link', link_id)?.capture?.path ?? '';
    return this.context.committed.get('node', node_id)?.captures[portKey(this.port)]?.path ?? '';
  }
}
