import { Emitter } from '../../common/emitter.ts';
import { TopologError } from '../../common/errors.ts';
import type { Engine, Exit, Kind, KindNode, Missing, Started } from '../../emulators/kit/contract.ts';
import { ignoreErrors } from '../client/errors.ts';
import type { FeedFrame, RemoteCompute } from '../client/remote-compute.ts';
import { type RemoteNodeStatus, nodeStatusOf, nodePath, type RemoteNodes } from './remote-nodes.ts';

/** A GNS3 server answers a start once the node runs, which takes up to four minutes. Milliseconds. */
const START_MS = 240_000;
/** Longest stop of a node whose start was given up. Milliseconds. */
const GIVE_UP_MS = 30_000;
/** Starts at once at a compute without batches. */
const STARTS_AT_ONCE = 8;

type Action = 'start' | 'stop' | 'suspend' | 'resume' | 'reload';

interface Parts {
  id: string;
  compute: RemoteCompute;
  nodes: RemoteNodes;
  /** A node has ended, and its compute starts it again. */
  lost: (nodeId: string) => void;
}

interface EndedNode {
  project_id: string;
  node_id: string;
}

/** Name of the engine of nodes at other computes. */
export const REMOTE = 'remote';

/** Runs nodes of one kind at one compute: the engine contract, over the compute group. */
export class RemoteEngine implements Engine {
  readonly name = REMOTE;
  readonly outside = true;
  readonly #kind: Kind;
  readonly #compute: RemoteCompute;
  readonly #nodes: RemoteNodes;
  readonly #computeId: string;
  readonly #lost: Parts['lost'];
  readonly #events = new Emitter<{ exit: [Exit] }>();
  readonly onExit = this.#events.subscriber('exit');
  /** Ids of nodes that run there. */
  readonly #running = new Set<string>();
  /** Number of requests under way, by node. The feed tells their effects, which are no exits. */
  readonly #busy = new Map<string, number>();

  constructor(kind: Kind, { id, compute, nodes, lost }: Parts) {
    this.#kind = kind;
    this.#compute = compute;
    this.#nodes = nodes;
    this.#computeId = id;
    this.#lost = lost;
  }

  get concurrency(): number {
    return this.#compute.isTopolog ? Infinity : STARTS_AT_ONCE;
  }

  /** One group per compute, so that a slow one does not keep others waiting. */
  get group(): string {
    return `${this.name} ${this.#computeId} ${this.concurrency}`;
  }

  missing(): Promise<Missing | null> {
    return Promise.resolve(null);
  }

  async start(node: KindNode, args: Record<string, unknown>, signal: AbortSignal): Promise<Started> {
    await this.#nodes.prepare(this.#kind, node, signal);
    return this.#whileBusy(node, async () => {
      try {
        if (this.#isLeftRunning(node)) await this.#end(node, signal);
        const answer = await this.#act('start', node, { args, signal });
        return this.#runs(node, answer === null ? await this.#status(node, signal) : nodeStatusOf(answer));
      } catch (error) {
        if (signal.aborted) await this.#giveUp(node);
        throw error;
      }
    });
  }

  #isLeftRunning({ node_id }: KindNode): boolean {
    const wasFound = this.#nodes.forgetRun(node_id);
    return this.#running.has(node_id) || (wasFound && !this.#kind.capabilities.always_on);
  }

  /** Ends a run that is still there, so that the next one has the node's current settings. */
  async #end(node: KindNode, signal: AbortSignal): Promise<void> {
    this.#running.delete(node.node_id);
    await this.#act('stop', node, { signal });
    await this.#nodes.update(this.#kind, node, { signal });
  }

  /** Stops a node whose start was aborted: the request may have come through. */
  async #giveUp(node: KindNode): Promise<void> {
    await this.#act('stop', node, { signal: AbortSignal.timeout(GIVE_UP_MS) }).catch(() => undefined);
  }

  async stop(node: KindNode, signal: AbortSignal): Promise<void> {
    await this.#whileBusy(node, async () => {
      this.#running.delete(node.node_id);
      this.#nodes.forgetRun(node.node_id);
      await this.#act('stop', node, { signal }).catch(unlessGone);
    });
  }

  /** Absent where suspending has no effect. */
  get suspend(): Engine['suspend'] {
    if (!this.#canSuspend) return undefined;
    return async (node, signal) => {
      await this.#whileBusy(node, () => this.#act('suspend', node, { signal }));
    };
  }

  get resume(): Engine['resume'] {
    if (!this.#canSuspend) return undefined;
    // A GNS3 server resumes by a start.
    const action = this.#compute.isTopolog ? 'resume' : 'start';
    return async (node, signal) => {
      await this.#whileBusy(node, () => this.#act(action, node, { signal }));
    };
  }

  get #canSuspend(): boolean {
    const { capabilities, asExisting } = this.#kind;
    return capabilities.suspend && (this.#compute.isTopolog || !asExisting.ignoresSuspend);
  }

  async reload(node: KindNode, signal: AbortSignal): Promise<Started> {
    return this.#whileBusy(node, async () => {
      await this.#act('reload', node, { signal });
      return this.#runs(node, await this.#status(node, signal));
    });
  }

  async update(node: KindNode, signal: AbortSignal): Promise<void> {
    await this.#nodes.update(this.#kind, node, { ...keyOf(node), signal });
  }

  async adopt(node: KindNode, signal: AbortSignal): ReturnType<Engine['adopt']> {
    const found = await this.#nodes.look(this.#kind, node, signal);
    if (found === null || found.status === 'stopped') return null;
    await this.#nodes.align(this.#kind, node, found, signal);
    return { state: found.status, started: this.#runs(node, found) };
  }

  async remove(node: KindNode, signal: AbortSignal): Promise<void> {
    this.#running.delete(node.node_id);
    await this.#nodes.forget(node.node_id);
    await this.#compute.client.request('DELETE', this.#path(node), { ...keyOf(node), signal }).catch(unlessGone);
  }

  deadline(): number {
    return START_MS;
  }

  /** Takes a frame of the compute's feed. */
  receive({ action, event, project_id }: FeedFrame): void {
    const nodeId = event['node_id'];
    if (action !== 'node.updated' || typeof nodeId !== 'string' || typeof project_id !== 'string') return;
    if (nodeStatusOf(event).status !== 'stopped' || this.#busy.has(nodeId) || !this.#running.delete(nodeId)) return;
    void this.#ended({ project_id, node_id: nodeId });
  }

  /** A Topolog restarts by itself the nodes that it has lost; such a node is lost and not ended. */
  async #ended({ project_id, node_id }: EndedNode): Promise<void> {
    // A compute that is away is read when it is back.
    const aim = await this.#nodes.aimOf(project_id, node_id).catch(() => 'unknown');
    if (aim === 'unknown' || this.#busy.has(node_id)) return;
    if (aim !== 'stopped') return this.#lost(node_id);
    const output = `${this.#compute.target.name} says that it has stopped`;
    this.#events.emit('exit', { node_id, project_id, code: null, signal: null, output });
  }

  /** The compute is away; the running nodes are read when it is back. */
  forgetAll(): void {
    this.#running.clear();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #path(node: KindNode): string {
    return nodePath(this.#kind, node);
  }

  #act(action: Action, node: KindNode, { args, signal }: { args?: object; signal: AbortSignal }): Promise<unknown> {
    const body = args === undefined || Object.keys(args).length === 0 ? {} : { body: args };
    return this.#compute.client.request('POST', `${this.#path(node)}/${action}`, {
      ...body,
      ...keyOf(node, action),
      signal,
    });
  }

  async #status(node: KindNode, signal: AbortSignal): Promise<RemoteNodeStatus> {
    const found = await this.#nodes.look(this.#kind, node, signal);
    if (found === null)
      throw new TopologError('engine_failed', { what: node.name, reason: 'its compute has forgotten it' });
    return found;
  }

  #runs({ node_id, name }: KindNode, { status, console, command_line }: RemoteNodeStatus): Started {
    if (status === 'stopped') throw new TopologError('engine_failed', { what: name, reason: 'it has ended at once' });
    this.#running.add(node_id);
    const told = command_line === '' ? `${this.#kind.name} at ${this.#compute.target.name}` : command_line;
    return { pid: null, console, command_line: told, compute_id: this.#computeId };
  }

  async #whileBusy<T>({ node_id }: KindNode, work: () => Promise<T>): Promise<T> {
    this.#busy.set(node_id, (this.#busy.get(node_id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#busy.get(node_id) ?? 1) - 1;
      if (left === 0) this.#busy.delete(node_id);
      else this.#busy.set(node_id, left);
    }
  }
}

/** Idempotency key: the position of the event, and the action, as one event can cause several. */
const keyOf = ({ asked }: KindNode, action = 'change'): { key?: string } =>
  asked === undefined ? {} : { key: `${asked}.${action}` };

const unlessGone = ignoreErrors('not_found');
