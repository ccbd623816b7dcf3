import { setImmediate as untilImmediate } from 'node:timers/promises';
import { messageOf, nodesFailed, TopologError } from '../../common/errors.ts';
import type { Failure } from '../../events/fields.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { appendOne, type LabContext, SYSTEM_CALLER, warn } from '../context.ts';
import type { CaptureActor } from '../capture/actor.ts';
import type { NodeActor } from '../node/actor.ts';
import type { NodeAction } from '../node/interface.ts';
import { inChunks } from '../runtime/chunks.ts';
import { recordOutcome } from '../runtime/outcomes.ts';
import type { ProjectAction } from './interface.ts';

/** The actors of a project's nodes and captures, as the project looks them up. */
export interface Members {
  addNode(record: NodeRecord): NodeActor;
  /** Throws a conflict while the project is opened or closed. */
  node(nodeId: string): NodeActor;
  findNode(nodeId: string): NodeActor | undefined;
  forgetNode(nodeId: string): void;
  capturesOf(projectId: string): CaptureActor[];
}

/** What an effect of a project has to do with. `caller`: the system, and because of what. */
export interface ProjectContext {
  context: LabContext;
  directory: Members;
  projectId: string;
  caller: Caller;
}

interface FailedNode {
  node_id: string;
  name: string;
  failure: Failure;
}

const DONE: Record<ProjectAction, string> = {
  start: 'started',
  stop: 'stopped',
  suspend: 'suspended',
  reload: 'reloaded',
};

/** What is asked of all nodes of a project. */
export class ProjectNodes {
  readonly #id: string;
  readonly #context: LabContext;
  readonly #directory: Members;
  #look: Promise<void> | null = null;
  /** Positions of what this process is asking of all nodes. */
  readonly #asking = new Set<number>();

  constructor(context: LabContext, directory: Members, projectId: string) {
    this.#id = projectId;
    this.#context = context;
    this.#directory = directory;
  }

  all(): readonly NodeRecord[] {
    return this.#context.pending.ofProject('node', this.#id);
  }

  /** After the start of a node: one look for all that were started in the same turn. */
  keepAlwaysOn(): Promise<void> {
    this.#look ??= untilImmediate().then(() => {
      this.#look = null;
      return this.startAlwaysOn(SYSTEM_CALLER);
    });
    return this.#look;
  }

  /** Switches, clouds and the like run whenever the project is in use; one that failed before is not tried again by itself. */
  async startAlwaysOn(caller: Caller): Promise<void> {
    const down = this.#context.pending.get('project', this.#id)?.weather_run?.down ?? [];
    const waiting = this.all().filter(
      (r) =>
        r.state === 'stopped' &&
        r.failure === null &&
        !down.includes(r.node_id) &&
        this.#context.kinds.get(r.kind)?.capabilities.always_on === true,
    );
    const failed = await this.#each(waiting, caller, 'start');
    for (const { name, failure } of failed)
      warn(this.#context, this.#id, `${name} could not be started: ${failure.message}`);
  }

  /** Every node is attempted; those that failed are listed in the error. */
  async act(caller: Caller, action: ProjectAction): Promise<void> {
    const { position } = await appendOne(this.#context, caller, this.#id, 'project.nodes_requested', {
      project_id: this.#id,
      ...{ action, asked: this.all().length },
    });
    const because = { ...caller, cause: position };
    const nodes = this.all();
    const failed: FailedNode[] = [];
    this.#asking.add(position);
    if (action === 'reload') failed.push(...(await this.#each(nodes, because, 'stop')));
    const left = nodes.filter((r) => !failed.some((f) => f.node_id === r.node_id));
    failed.push(...(await this.#each(left, because, action === 'reload' ? 'start' : action)));
    await this.#finished(because, action, { done: nodes.length - failed.length, failed });
    if (failed.length === 0) return;
    const told = failed.map(({ node_id, name, failure: { code, message } }) => ({ node_id, name, code, message }));
    throw nodesFailed(DONE[action], nodes.length, told);
  }

  /**
   * Goes on with what was asked of all nodes when the server ended; does nothing where this server is asking still. Of a reload nobody knows how far it was: those that stand still for it
   * are started. `goesOn` false: labs are not brought back, and it is given up.
   */
  async finish(goesOn: boolean): Promise<void> {
    const { asked } = this.#context.pending.get('project', this.#id) ?? {};
    if (asked === undefined || this.#asking.has(asked.position)) return;
    const because = { ...SYSTEM_CALLER, cause: asked.position };
    const action = asked.action === 'reload' ? 'start' : asked.action;
    const nodes = goesOn ? this.all() : [];
    this.#asking.add(asked.position);
    const failed = await this.#each(nodes, because, action);
    await this.#finished(because, asked.action, { done: nodes.length - failed.length, failed });
  }

  /**
   * Rejects as soon as the log refuses the event, so that the caller learns of it; tries again in the background until it is written, or the
   * project is gone.
   */
  #finished(
    because: Caller & { cause: number },
    action: ProjectAction,
    outcome: { done: number; failed: FailedNode[] },
  ): Promise<unknown> {
    const end = { project_id: this.#id, action, ...outcome };
    const append = async (): Promise<void> => {
      if (this.#context.pending.get('project', this.#id) === undefined) return;
      await appendOne(this.#context, because, this.#id, 'project.nodes_finished', end);
    };
    return new Promise((resolve, refused) => {
      recordOutcome(append, refused)
        .finally(() => this.#asking.delete(because.cause))
        .then(resolve, refused);
    });
  }

  async #each(nodes: readonly NodeRecord[], caller: Caller, action: NodeAction): Promise<FailedNode[]> {
    const results = await inChunks(nodes, (r, turn) => this.#directory.node(r.node_id).actInSlot(turn, caller, action));
    return results.flatMap((result, i) => {
      const record = nodes[i];
      if (result.status === 'fulfilled' || record === undefined) return [];
      const error: unknown = result.reason;
      const code = error instanceof TopologError ? error.code : 'engine_failed';
      return [{ node_id: record.node_id, name: record.name, failure: { code, message: messageOf(error) } }];
    });
  }
}
