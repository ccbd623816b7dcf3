import { conflict, messageOf, reporting, TopologError } from '../../common/errors.ts';
import { inSlices, type Steps } from '../../common/slices.ts';
import type { Failure } from '../../events/fields.ts';
import type { AnyDraft, AnyEvent } from '../../events/schemas.ts';
import { dropAllDeleted } from '../../files/project/deleted-nodes.ts';
import { finishRestore } from '../../files/project/snapshot-files.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import {
  PROJECT_STATES,
  type ProjectEffect,
  type ProjectEventType,
  type ProjectState,
} from '../../projections/states.ts';
import type { Caller } from '../caller.ts';
import { draft, type LabContext, projectOf, SYSTEM_CALLER, warn } from '../context.ts';
import { plumb } from '../link/cabling.ts';
import { consoleSupply, hasConsolePort, lookAtConsoles, wishProblem } from '../node/consoles.ts';
import { runningNodes } from '../node/running-nodes.ts';
import { failureOf } from '../runtime/failures.ts';
import { Actor } from '../runtime/actor.ts';
import { type Batch, type EffectRun, type Outcome, Runtime } from '../runtime/runtime.ts';
import { closeProject } from './closing.ts';
import { type Members, type ProjectContext, ProjectNodes } from './nodes.ts';
import { prepareRestore, resumeLab } from './restore.ts';

type Refused = EffectRun['refused'];

const reportNothing = (): void => undefined;

/** The system, and the event that it does something for. */
const because = (cause: number | null = null): Caller => ({ ...SYSTEM_CALLER, cause });

const CLOSED: Outcome = { type: 'project.closed', data: {} };

/** One project: opening, closing and restoring it. */
export class ProjectActor extends Actor<ProjectState, ProjectEffect> {
  readonly id: string;
  readonly nodes: ProjectNodes;
  readonly #directory: Members;
  protected readonly runtime: Runtime<ProjectState, ProjectEffect>;
  #isStarting = false;
  /** Nodes that ran before a restore. */
  #ran: readonly string[] = [];

  constructor(context: LabContext, directory: Members, record: ProjectRecord) {
    super(context);
    this.id = record.project_id;
    this.#directory = directory;
    this.nodes = new ProjectNodes(context, directory, record.project_id);
    this.runtime = new Runtime<ProjectState, ProjectEffect>({
      ...{ context, what: `project ${this.id}`, states: PROJECT_STATES, state: record.state },
      perform: (effect, { event, refused }) => this.#perform(effect, because(event?.position), refused),
      failed: (effect, { message }) =>
        effect === 'close'
          ? CLOSED
          : { type: 'project.open_failed', data: { failure: { code: 'engine_failed', message } } },
      draft: ({ type, data }, cause) => this.#draft({ ...SYSTEM_CALLER, cause }, type as ProjectEventType, data),
      impossible: () => conflict(`the project is ${this.state}`),
      after: (event) => this.#after(event),
    });
  }

  open(caller: Caller): Promise<void> {
    return this.commands.run(() => this.openNow(caller));
  }

  /** `open` for callers that are already alone. */
  async openNow(caller: Caller): Promise<void> {
    await this.afterOutcome();
    if (this.state === 'opened') return;
    // The project may have been deleted while this waited for its turn.
    projectOf(this.context.pending, this.id);
    await this.#request(caller, 'project.open_requested');
    this.startNodes();
  }

  /** Starts the nodes of a project that was opened with `auto_start`, also when an end of the server came between; else does nothing. */
  startNodes(): void {
    if (this.#isStarting || this.context.pending.get('project', this.id)?.starting !== true) return;
    this.#isStarting = true;
    void this.nodes
      .act(SYSTEM_CALLER, 'start')
      .catch((error: unknown) => warn(this.context, this.id, `auto start: ${messageOf(error)}`))
      .finally(() => (this.#isStarting = false));
  }

  close(caller: Caller): Promise<void> {
    return this.commands.run(() => this.closeNow(caller));
  }

  /** `close` for callers that are already alone. */
  async closeNow(caller: Caller, why: { reason?: string } = {}): Promise<void> {
    await this.afterOutcome();
    if (this.state !== 'closed') await this.#request(caller, 'project.close_requested', why);
  }

  /** The lab as a snapshot has it. Records and files change as a whole or not at all. */
  restore(caller: Caller, snapshotId: string): Promise<void> {
    return this.commands.run(async () => {
      if (this.state !== 'opened') throw new TopologError('project_closed');
      const running = runningNodes(this.context, this.id).map(({ node_id }) => node_id);
      await this.#request(caller, 'project.restore_requested', { snapshot_id: snapshotId, running });
    });
  }

  /** What a file holds takes the place of what is there. For callers that are already alone. */
  replace(batch: Batch): Promise<void> {
    return this.runtime.append(() => batch);
  }

  /** For callers that are already alone. */
  async remove(caller: Caller): Promise<void> {
    await this.runtime.append(() => [this.#draft(caller, 'project.deleted')]);
  }

  /** What an end of the server has left of opening, closing or restoring is done. For callers that are already alone. */
  async finish(): Promise<void> {
    const { state } = this;
    if (state === 'closing') return this.#finishClosing();
    if (state === 'restoring') return this.#finishRestoring();
    await this.runtime.finish(async () => {
      await this.#open(SYSTEM_CALLER);
      return this.#opened();
    });
    this.startNodes();
  }

  /** Whatever goes wrong, nothing of the project stays in memory. */
  async #finishClosing(): Promise<void> {
    let closing: Promise<void> = Promise.resolve();
    await this.runtime.finish(async () => {
      closing = closeProject(this.#within(SYSTEM_CALLER), reportNothing);
      await closing.catch(() => undefined);
      return CLOSED;
    });
    await closing;
  }

  async #finishRestoring(): Promise<void> {
    const failure = await new Promise<Failure | null>((resolve, refused) => {
      this.runtime.finish(() => this.#restore(SYSTEM_CALLER), refused).then(resolve, refused);
    });
    if (failure !== null) warn(this.context, this.id, `a snapshot could not be restored: ${failure.message}`);
  }

  #draft(caller: Caller, type: ProjectEventType, data: object = {}): AnyDraft {
    return draft(caller, this.id, type as 'project.open_requested', { project_id: this.id, ...data });
  }

  #request(caller: Caller, type: ProjectEventType, data: object = {}): Promise<void> {
    return this.runtime.command(this.#draft(caller, type, data));
  }

  async #perform(effect: ProjectEffect, caller: Caller, refused: Refused): Promise<Outcome | null> {
    if (effect === 'restore') return this.#restore(caller);
    if (effect === 'close') {
      await closeProject(this.#within(caller), refused);
      return CLOSED;
    }
    await this.#open(caller);
    return this.#opened();
  }

  #opened(): Outcome {
    const { auto_start, restore } = projectOf(this.context.pending, this.id);
    // A restore ends with an opening, and knows itself what is to run.
    return { type: 'project.opened', data: auto_start && restore === undefined ? { starting: true } : {} };
  }

  /** Its outcome is on record with the lab's own events, in one batch; or it has failed. */
  async #restore(caller: Caller): Promise<Outcome | null> {
    const { restore } = projectOf(this.context.pending, this.id);
    this.#ran = restore?.running ?? [];
    try {
      const { batch, forget, attempt } = await prepareRestore(this.#within(caller));
      await attempt(() => this.runtime.append(batch, { before: forget }));
      return null;
    } catch (error) {
      const data = { snapshot_id: restore?.snapshot_id ?? '', failure: failureOf(error) };
      return { type: 'project.restore_failed', data };
    }
  }

  #within(caller: Caller): ProjectContext {
    return { context: this.context, directory: this.#directory, projectId: this.id, caller };
  }

  /** After a restore that has failed, the caller is told once everything is as it was. */
  async #after(event: AnyEvent): Promise<void> {
    if (event.type === 'project.restore_failed') await resumeLab(this.#within(because(event.cause)), this.#ran);
  }

  async #open(caller: Caller): Promise<void> {
    const { path: place, restore } = projectOf(this.context.pending, this.id);
    const staged = restore?.staged ?? null;
    if (staged !== null) await this.context.placing.inTurn(place, () => this.#finishRestore(place, staged));
    await lookAtConsoles(this.context, this.nodes.all(), this.id);
    // Those that its nodes hold can be taken by nobody else while it is opened.
    if (await inSlices(this.#lacksConsoles())) await this.#leaseConsoles(caller);
    await inSlices(this.#actors());
    await plumb(this.context, this.id);
    await this.nodes.startAlwaysOn(caller);
  }

  /** Can be begun again: an end of the server may have cut it off. Undo does not go behind a restore, so that deleted nodes keep no files. */
  async #finishRestore(place: string, staged: string): Promise<void> {
    await this.context.placing.moved(this.id);
    await finishRestore(place, staged);
    const about = { project_id: this.id };
    await dropAllDeleted(place).catch(reporting(this.context.logger, about, 'files of deleted nodes'));
  }

  *#actors(): Steps<void> {
    for (const record of this.nodes.all()) {
      this.#directory.addNode(record);
      yield;
    }
  }

  *#lacksConsoles(): Steps<boolean> {
    const consoles = consoleSupply(this.context, this.id);
    for (const { console: port, console_type, compute_id } of this.nodes.all()) {
      const fits = port !== null && wishProblem(this.context, consoles, { console: port, compute_id }) === null;
      if (hasConsolePort(console_type) && !fits) return true;
      if (port !== null) consoles.add(port);
      yield;
    }
    return false;
  }

  /** While the project was closed another may have taken its console ports, or the range is another: those nodes get free ones. */
  async #leaseConsoles(caller: Caller): Promise<void> {
    const consoles = consoleSupply(this.context, this.id);
    // One that has to take another port takes none that the next one has.
    for (const { console: port } of this.nodes.all()) if (port !== null) consoles.spare(port);
    const drafts = this.nodes.all().flatMap((node): AnyDraft[] => {
      const { node_id, project_id, name, console: wished, console_type, compute_id } = node;
      const problem = wished === null ? null : wishProblem(this.context, consoles, { console: wished, compute_id });
      const needed = hasConsolePort(console_type) && (wished === null || problem !== null);
      const port = needed ? consoles.take(console_type) : wished;
      if (port !== null) consoles.add(port);
      if (port === wished) return [];
      if (wished !== null)
        warn(
          this.context,
          this.id,
          `console port ${wished} of ${name} ${problem}; it has ${port ?? 'none'} now`,
          port === null ? {} : { settled: true },
        );
      return [draft(caller, this.id, 'node.updated', { node_id, project_id, changes: { console: port } })];
    });
    if (drafts.length > 0) await this.context.log.append(drafts);
  }
}
