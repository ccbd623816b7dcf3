import { conflict } from '../common/errors.ts';
import type { NodeRecord, ProjectRecord } from '../projections/records.ts';
import type { CaptureState } from '../projections/states.ts';
import { CaptureActor, captureKey, type CapturePort } from './capture/actor.ts';
import type { PortAddress } from './caller.ts';
import type { LabContext } from './context.ts';
import type { Limiter } from '../common/mailbox.ts';
import { NodeActor } from './node/actor.ts';
import { ProjectActor } from './project/actor.ts';

/** The only maker and keeper of actors: one root actor a project, a node of an open project, a capture that is on. */
export class Directory {
  readonly context: LabContext;
  readonly #limits = new Map<string, Limiter>();
  readonly #projects = new Map<string, ProjectActor>();
  readonly #nodes = new Map<string, NodeActor>();
  readonly #captures = new Map<string, CaptureActor>();

  constructor(context: LabContext) {
    this.context = context;
  }

  /** Made when first needed: a closed project costs nothing until then. */
  project(record: ProjectRecord): ProjectActor {
    let actor = this.#projects.get(record.project_id);
    if (actor === undefined)
      this.#projects.set(record.project_id, (actor = new ProjectActor(this.context, this, record)));
    return actor;
  }

  forgetProject(projectId: string): void {
    this.#projects.get(projectId)?.stop();
    this.#projects.delete(projectId);
  }

  addNode(record: NodeRecord): NodeActor {
    let actor = this.#nodes.get(record.node_id);
    if (actor === undefined)
      this.#nodes.set(record.node_id, (actor = new NodeActor(this.context, this.#limits, record)));
    return actor;
  }

  findNode(nodeId: string): NodeActor | undefined {
    return this.#nodes.get(nodeId);
  }

  /** The actor of a node of an open project. */
  node(nodeId: string): NodeActor {
    const actor = this.#nodes.get(nodeId);
    if (actor === undefined) throw conflict('the project of this node is just being opened or closed; try again');
    return actor;
  }

  forgetNode(nodeId: string): void {
    this.#nodes.get(nodeId)?.stop();
    this.#nodes.delete(nodeId);
  }

  capture(port: CapturePort, state: CaptureState = 'off'): CaptureActor {
    const key = captureKey(port);
    const known = this.#captures.get(key);
    if (known !== undefined) return known;
    const ended = (): void => {
      if (this.#captures.get(key) === actor) this.#captures.delete(key);
    };
    const actor = new CaptureActor(this.context, port, state, ended);
    this.#captures.set(key, actor);
    return actor;
  }

  /** Each actor is one capture: where the one at the port ends just now, another one follows. */
  async startCapture(port: CapturePort, ...start: Parameters<CaptureActor['start']>): Promise<void> {
    while (!(await this.capture(port).start(...start)));
  }

  findCapture(port: Omit<PortAddress, 'project_id'>): CaptureActor | undefined {
    return this.#captures.get(captureKey(port));
  }

  capturesOf(projectId: string): CaptureActor[] {
    return [...this.#captures.values()].filter((c) => c.port.project_id === projectId);
  }

  stop(): void {
    for (const actors of [this.#projects, this.#nodes, this.#captures]) {
      for (const actor of actors.values()) actor.stop();
      actors.clear();
    }
  }
}
