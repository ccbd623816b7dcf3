import { type Actor, createActor } from 'xstate';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import type { Failure } from '../../events/fields.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../commands.ts';
import { finishRestore } from '../../files/project/snapshot-files.ts';
import { draft, type LabContext, projectOf, SYSTEM_CALLER, warn } from '../context.ts';
import type { Directory } from '../directory.ts';
import { errorOf, failureOf, stackOf } from '../runtime/failures.ts';
import { Mailbox } from '../runtime/mailbox.ts';
import { consoleSupply, hasConsolePort, lookAtConsoles } from '../node/consoles.ts';
import { type ProjectEffect, type ProjectEvent, projectMachine } from './machine.ts';
import { recordOutcome, type Waiter, whenWritable } from '../runtime/outcomes.ts';
import { inChunks } from '../runtime/chunks.ts';
import { ProjectNodes } from './nodes.ts';
import { restoreLab, resumeLab } from './restore.ts';
import { runningNodes } from '../node/running-nodes.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import { plumb } from '../link/cabling.ts';

/** One project: opening, closing and restoring it. */
export class ProjectActor {
  readonly id: string;
  readonly nodes: ProjectNodes;
  readonly #context: LabContext;
  readonly #directory: Directory;
  readonly #actor: Actor<typeof projectMachine>;
  readonly #commands = new Mailbox();
  #waiter: Waiter<Failure | null> | null = null;
  /** The effect that was begun last, until its outcome is on record. */
  #underWay = Promise.resolve();
  #isStarting = false;

  constructor(context: LabContext, directory: Directory, record: ProjectRecord) {
    this.id = record.project_id;
    this.#context = context;
    this.#directory = directory;
    this.nodes = new ProjectNodes(context, directory, record.project_id);
    const effects = { run: this.#run.bind(this) };
    const snapshot = projectMachine.resolveState({ value: record.state, context: { effects } });
    this.#actor = createActor(projectMachine, { input: { effects }, snapshot });
    this.#actor.subscribe({
      error: (error) => context.report(`the actor of project ${this.id} failed: ${messageOf(error)}`),
    });
    this.#actor.start();
  }

  get state(): ProjectRecord['state'] {
    return this.#actor.getSnapshot().value as ProjectRecord['state'];
  }

  /** Runs alone among what opens, closes, replaces or deletes this project. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#commands.run(work);
  }

  /** Resolves once what it does is on record: a request hears of a log that refuses its outcome before that. */
  async idle(): Promise<void> {
    const last = this.#underWay;
    await last;
    // A restore ends with an opening.
    if (last !== this.#underWay) await this.idle();
  }

  open(caller: Caller): Promise<void> {
    return this.#commands.run(() => this.openNow(caller));
  }

  /** `open` for callers that are already alone. */
  async openNow(caller: Caller): Promise<void> {
    if (this.state === 'opened') return;
    await this.#request(caller, 'project.open_requested');
    this.startNodes();
  }

  /** Starts the nodes of a project that was opened with `auto_start`, also when an end of the server came between; else does nothing. */
  startNodes(): void {
    if (this.#isStarting || this.#context.pending.get('project', this.id)?.starting !== true) return;
    this.#isStarting = true;
    void this.nodes
      .act(SYSTEM_CALLER, 'start')
      .catch((error: unknown) => warn(this.#context, this.id, `auto start: ${messageOf(error)}`))
      .finally(() => (this.#isStarting = false));
  }

  close(caller: Caller): Promise<void> {
    return this.#commands.run(() => this.closeNow(caller));
  }

  /** `close` for callers that are already alone. */
  async closeNow(caller: Caller, why?: { cause: number; reason: string }): Promise<void> {
    if (this.state === 'closed') return;
    const data = why === undefined ? {} : { reason: why.reason };
    await this.#request(caller, 'project.close_requested', data, why?.cause);
  }

  /** What an end of the server has left of an opening is done, and it is opened. For callers that are already alone. */
  async finishOpening(): Promise<void> {
    await this.#open(null);
    await this.#opened(null);
    this.startNodes();
  }

  /** The same for a closing: it leaves nothing of the project in memory. */
  async finishClosing(): Promise<void> {
    try {
      await this.#close(null);
    } finally {
      await this.#finish('project.closed', {}, null, null);
    }
  }

  /** The lab as a snapshot has it. Records and files change as a whole or not at all. */
  restore(caller: Caller, snapshotId: string): Promise<void> {
    return this.#commands.run(async () => {
      if (this.state !== 'opened') throw new TopologError('project_closed');
      const running = runningNodes(this.#context, this.id).map(({ node_id }) => node_id);
      await this.#request(caller, 'project.restore_requested', { snapshot_id: snapshotId, running });
    });
  }

  /** A restore that an end of the server has cut off is done again. For callers that are already alone. */
  async finishRestoring(): Promise<void> {
    const outcome = new Promise<Failure | null>((settle, fail) => (this.#waiter = { settle, fail }));
    // Awaited below, also when the log refuses first.
    outcome.catch(() => undefined);
    await this.#restore(null);
    const failure = await outcome;
    if (failure !== null) warn(this.#context, this.id, `a snapshot could not be restored: ${failure.message}`);
  }

  /** An event about the whole project that was appended elsewhere. */
  send(event: ProjectEvent): void {
    this.#actor.send(event);
  }

  async #request(
    caller: Caller,
    type: 'project.open_requested' | 'project.close_requested' | 'project.restore_requested',
    data: object = {},
    cause: number | null = null,
  ): Promise<void> {
    const of = { project_id: this.id, ...data };
    const request = draft(caller, this.id, type as 'project.open_requested', of, cause);
    if (!this.#actor.getSnapshot().can(request as unknown as ProjectEvent))
      throw conflict(`the project is ${this.state}`);
    const [event] = await this.#context.log.append([request]);
    const outcome = new Promise<Failure | null>((settle, fail) => (this.#waiter = { settle, fail }));
    this.#actor.send(event as ProjectEvent);
    const failure = await outcome;
    if (failure !== null) throw errorOf(failure);
  }

  #run(effect: ProjectEffect, { position }: ProjectEvent): void {
    this.#underWay = this.#perform(effect, position).catch((error: unknown) =>
      this.#context.report(`project ${this.id}: ${stackOf(error)}`),
    );
  }

  async #perform(effect: ProjectEffect, cause: number): Promise<void> {
    if (effect === 'restore') return this.#restore(cause);
    if (effect === 'close') {
      // Whatever went wrong in closing, nothing of the project stays in memory.
      await this.#close(cause).catch(() => undefined);
      return this.#finish('project.closed', {}, cause, null);
    }
    try {
      await this.#open(cause);
    } catch (error) {
      const failure = { code: 'engine_failed', message: messageOf(error) };
      return this.#finish('project.open_failed', { failure }, cause, failure);
    }
    return this.#opened(cause);
  }

  #opened(cause: number | null): Promise<void> {
    const { auto_start, restore } = projectOf(this.#context.pending, this.id);
    // A restore ends with an opening, and knows itself what is to run.
    return this.#finish('project.opened', auto_start && restore === undefined ? { starting: true } : {}, cause, null);
  }

  async #finish(
    type: ProjectEvent['type'],
    data: object,
    cause: number | null,
    failure: Failure | null,
  ): Promise<void> {
    const outcome = draft(SYSTEM_CALLER, this.id, type as 'project.opened', { project_id: this.id, ...data }, cause);
    const waiter = this.#waiter;
    const append = async (): Promise<void> => {
      const [event] = await this.#context.log.append([outcome]);
      this.#actor.send(event as ProjectEvent);
    };
    if (await recordOutcome(append, (error) => waiter?.fail(error))) waiter?.settle(failure);
  }

  /** Ends with its event: `project.restored`, after which the project is opened, or `project.restore_failed`. */
  async #restore(cause: number | null): Promise<void> {
    const lab = { context: this.#context, directory: this.#directory, projectId: this.id, cause };
    const running = this.#context.pending.get('project', this.id)?.restore?.running ?? [];
    try {
      this.#actor.send((await restoreLab(lab)) as ProjectEvent);
    } catch (error) {
      const snapshot_id = this.#context.pending.get('project', this.id)?.restore?.snapshot_id ?? '';
      const failure = failureOf(error);
      const { fail, settle } = this.#waiter ?? { fail: () => undefined, settle: () => undefined };
      // The caller is told once everything is as it was.
      this.#waiter = { fail, settle: () => void resumeLab(lab, running).finally(() => settle(failure)) };
      await this.#finish('project.restore_failed', { snapshot_id, failure }, cause, failure);
    }
  }

  async #open(cause: number | null): Promise<void> {
    const { path: place, restore } = projectOf(this.#context.pending, this.id);
    if (restore != null && restore.staged !== null) await finishRestore(place, restore.staged);
    await lookAtConsoles(this.#context, this.nodes.all(), this.id);
    // Those that its nodes hold can be taken by nobody else while it is opened.
    if (await inSlices(this.#lacksConsoles())) await this.#leaseConsoles(cause);
    await inSlices(this.#actors());
    await plumb(this.#context, this.id);
    await this.nodes.startAlwaysOn(SYSTEM_CALLER, cause);
  }

  *#actors(): Steps<void> {
    for (const record of this.nodes.all()) {
      this.#directory.addNode(record);
      yield;
    }
  }

  *#lacksConsoles(): Steps<boolean> {
    const consoles = consoleSupply(this.#context, this.id);
    for (const { console: port, console_type } of this.nodes.all()) {
      if (hasConsolePort(console_type) && (port === null || !consoles.isFree(port))) return true;
      if (port !== null) consoles.add(port);
      yield;
    }
    return false;
  }

  /** While the project was closed another may have taken its console ports: those nodes get free ones. */
  async #leaseConsoles(cause: number | null): Promise<void> {
    const consoles = consoleSupply(this.#context, this.id);
    // One that has to take another port takes none that the next one has.
    for (const { console: port } of this.nodes.all()) if (port !== null) consoles.spare(port);
    const drafts = this.nodes.all().flatMap((node): AnyDraft[] => {
      const { node_id, project_id, name, console: wished } = node;
      const needed = hasConsolePort(node.console_type) && (wished === null || !consoles.isFree(wished));
      const port = needed ? consoles.take() : wished;
      if (port !== null) consoles.add(port);
      if (port === wished) return [];
      if (wished !== null)
        warn(this.#context, this.id, `console port ${wished} of ${name} is taken; it has ${port ?? 'none'} now`);
      return [
        draft(SYSTEM_CALLER, this.id, 'node.updated', { node_id, project_id, changes: { console: port } }, cause),
      ];
    });
    if (drafts.length > 0) await this.#context.log.append(drafts);
  }

  async #close(cause: number | null): Promise<void> {
    await this.#endCaptures(cause);
    await inChunks(this.nodes.all(), (r, turn) => this.#stopNode(r.node_id, turn, cause));
    await this.#leaveFabric();
    for (const { node_id } of this.nodes.all()) {
      const actor = this.#directory.findNode(node_id);
      // What had happened to it while the log could not be written is on record now: it can be stopped.
      if (actor?.isUnderWay === true)
        await actor.idle().then(() => this.#stopNode(node_id, Promise.resolve(), cause).catch(() => undefined));
      if (actor?.state !== 'stopped') await this.#part(node_id, cause);
    }
    for (const { node_id } of this.nodes.all()) this.#directory.forgetNode(node_id);
  }

  /** The caller is told that the log cannot be written; what is to end ends once it can be. */
  async #untilWritable(work: () => Promise<void>, idle: () => Promise<void>): Promise<void> {
    await whenWritable(work, (error) => {
      this.#waiter?.fail(error);
      return idle();
    });
  }

  async #endCaptures(cause: number | null): Promise<void> {
    const ends = this.#directory.capturesOf(this.id).map((capture) =>
      this.#untilWritable(
        () => capture.end(SYSTEM_CALLER, cause),
        () => capture.idle(),
      ),
    );
    for (const end of await Promise.allSettled(ends))
      if (end.status === 'rejected') this.#context.report(`a capture in closing: ${messageOf(end.reason)}`);
  }

  async #stopNode(nodeId: string, turn: Promise<void>, cause: number | null): Promise<void> {
    const actor = this.#directory.findNode(nodeId);
    await this.#untilWritable(
      async () => actor?.actInSlot(turn, SYSTEM_CALLER, 'stop', cause),
      async () => actor?.idle(),
    );
  }

  /** A fabric whose connection was lost may be found again, with everything in it. */
  async #leaveFabric(): Promise<void> {
    const { plumbing, report } = this.#context;
    const isLost = (error: unknown): boolean => error instanceof TopologError && error.code === 'fabric_lost';
    await plumbing
      .removeProject(this.id)
      .catch((error: unknown) => (isLost(error) ? plumbing.removeProject(this.id) : Promise.reject(error as Error)))
      .catch((error: unknown) => report(`project ${this.id} in the fabric: ${messageOf(error)}`));
  }

  /** A node that could not be stopped has lost its cables with the project: a closed one holds nothing that runs. */
  async #part(nodeId: string, cause: number | null): Promise<void> {
    const reason = 'it could not be stopped when its project was closed';
    await this.#directory.findNode(nodeId)?.observe('node.lost', { reason }, cause);
  }

  stop(): void {
    this.#actor.stop();
  }
}
