import { z } from 'zod';
import { conflict, TopologError } from '../../common/errors.ts';
import type { Kind, KindNode } from '../../emulators/kit/contract.ts';
import type { ImageContext } from '../../emulators/shared/images/image-files.ts';
import type { ComputeCall, ComputeClient, ComputeMethod } from '../client/client.ts';
import { statusOf } from '../client/errors.ts';
import type { RemoteCompute } from '../client/remote-compute.ts';
import { fetchFiles, FileLists, type NodeFiles, sendFiles } from './files.ts';
import { ComputeImages, type ImageProgress } from './images.ts';
import { createBody, differs, updateBody } from './node-bodies.ts';
import { SharedWork } from './shared-work.ts';

/** Sources of what computes need for nodes. */
export interface DeliveryParts {
  images: ImageContext;
  project(projectId: string): { name: string; variables: unknown };
  /** Reports the upload of an image for nodes of a project as a job. `of`: octets. */
  begin(projectId: string, of: number): { add(octets: number): void; end(): void };
}

/** A node as a compute tells it. */
export interface RemoteNodeStatus {
  status: 'stopped' | 'started' | 'suspended';
  console: number | null;
  command_line: string;
  /** The whole record. */
  record: Readonly<Record<string, unknown>>;
}

export interface PreparedNode extends Pick<RemoteNodeStatus, 'console' | 'record'> {
  /** It was made now, and has no NIO of its tunnels. */
  isNew: boolean;
}

const listedNode = z.looseObject({
  node_id: z.string(),
  node_type: z.string(),
  aim: z.enum(['stopped', 'started', 'suspended']),
  /** Ports with a NIO, as `adapter/port`. */
  nios: z.array(z.string()),
});
export type ListedNode = z.infer<typeof listedNode>;

/** Lists the nodes of a project at a Topolog. */
export const listNodes = async (client: Pick<ComputeClient, 'request'>, projectId: string): Promise<ListedNode[]> =>
  z.array(listedNode).parse(await client.request('GET', `/projects/${projectId}/nodes`));

export const nodePath = (kind: Kind, { project_id, node_id }: Pick<KindNode, 'project_id' | 'node_id'>): string =>
  `/projects/${project_id}/${kind.alias}/nodes/${node_id}`;

/** The nodes of this server at a compute, as far as they are known since the compute was connected. */
export class RemoteNodes {
  readonly #compute: RemoteCompute;
  readonly #deliveries: Deliveries;
  /** Lists of nodes that are being read, by project. */
  readonly #lists = new Map<string, Promise<ListedNode[]>>();
  /** Projects that were made at the compute, and whether they were new there. */
  readonly #projects = new Map<string, Promise<boolean>>();
  readonly #nodes = new Map<string, PreparedNode & { project_id: string }>();
  /** Nodes that were running when they were first read. */
  readonly #found = new Set<string>();
  readonly #making = new SharedWork<PreparedNode>();

  constructor(compute: RemoteCompute, parts: DeliveryParts) {
    this.#compute = compute;
    // Each call takes the current client, as there is a new one after each loss.
    const client: ComputeClient = {
      request: (...call) => rejecting(() => compute.client.request(...call)),
      download: (...call) => rejecting(() => compute.client.download(...call)),
      upload: (...call) => rejecting(() => compute.client.upload(...call)),
    };
    this.#deliveries = new Deliveries(parts, { client, compute: compute.target.name });
  }

  /** Forgets everything: the compute may have been restarted. */
  forgetAll(): void {
    this.#deliveries.forget();
    this.#projects.clear();
    this.#nodes.clear();
    this.#found.clear();
  }

  /** Whether the node was running when it was first read. Answers true once. */
  forgetRun(nodeId: string): boolean {
    return this.#found.delete(nodeId);
  }

  /** Forgets a node, once it is not being made any more. */
  async forget(nodeId: string): Promise<void> {
    await this.#making.current(nodeId)?.catch(() => undefined);
    this.#nodes.delete(nodeId);
    this.#found.delete(nodeId);
  }

  /** Forgets a project that was closed there: a GNS3 server forgets its nodes with it. */
  forgetProject(projectId: string): void {
    this.#projects.delete(projectId);
    for (const [nodeId, { project_id }] of this.#nodes) if (project_id === projectId) this.#nodes.delete(nodeId);
  }

  hasProject(projectId: string): boolean {
    return this.#projects.has(projectId);
  }

  isPrepared(nodeId: string): boolean {
    return this.#nodes.has(nodeId);
  }

  /** Makes the node there, with its images and files; does nothing for one that is known to be there. */
  async prepare(kind: Kind, node: KindNode, signal: AbortSignal): Promise<PreparedNode> {
    signal.throwIfAborted();
    const known = this.#nodes.get(node.node_id);
    return known ?? this.#making.of(node.node_id, signal, (all) => this.#make(kind, node, all));
  }

  /** Sends a node's changed settings. A node that is not there gets them when it is made. */
  async update(kind: Kind, node: KindNode, call: Pick<ComputeCall, 'key' | 'signal'>): Promise<void> {
    await this.#making.current(node.node_id)?.catch(() => undefined);
    const known = this.#nodes.get(node.node_id);
    if (known === undefined) return;
    const body = this.#changes(kind, node, known.record);
    await this.#compute.client.request('PUT', nodePath(kind, node), { body, ...call });
  }

  /** Sends the settings where `found` differs. A running node keeps those that it cannot change now. */
  async align(kind: Kind, node: KindNode, found: RemoteNodeStatus, signal: AbortSignal): Promise<void> {
    const body = this.#changes(kind, node, found.record);
    if (!differs(kind, body, found.record)) return;
    try {
      await this.#compute.client.request('PUT', nodePath(kind, node), { body, signal });
    } catch (error) {
      const runs = found.status !== 'stopped';
      if (!(runs && error instanceof TopologError && error.code === 'conflict')) throw error;
    }
  }

  /** A GNS3 server refuses a change with keys that only its creates have; these are not in its records. */
  #changes(kind: Kind, node: KindNode, record: RemoteNodeStatus['record']): Record<string, unknown> {
    const { isTopolog } = this.#compute;
    const body = updateBody(kind, node, isTopolog);
    return isTopolog
      ? body
      : Object.fromEntries(
          Object.entries(body).filter(([key]) => key === 'custom_adapters' || Object.hasOwn(record, key)),
        );
  }

  /** Performs an operation of the node's kind at the compute. */
  async operate(
    kind: Kind,
    node: KindNode,
    {
      method,
      path,
      args,
      signal,
    }: { method: ComputeMethod; path: string; args: Record<string, unknown>; signal: AbortSignal },
  ): Promise<unknown> {
    await this.prepare(kind, node, signal);
    const body = method === 'GET' ? {} : { body: args };
    return this.#compute.client.request(method, `${nodePath(kind, node)}/${path}`, { ...body, signal });
  }

  /** Uploads files of these names in the node's directory, where they differ. */
  async send(kind: Kind, node: KindNode, names: readonly string[], signal: AbortSignal): Promise<void> {
    await this.prepare(kind, node, signal);
    await this.#deliveries.sendFiles(kind, node, signal, names);
  }

  /** Makes the node's directory what the compute has. */
  fetch(kind: Kind, node: KindNode, signal: AbortSignal): Promise<void> {
    return this.#deliveries.fetchFiles(kind, node, signal);
  }

  /** The state that a Topolog aims at for a node; `stopped` at other computes. Requests at the same time share one list. */
  async aimOf(projectId: string, nodeId: string): Promise<string> {
    if (!this.#compute.isTopolog) return 'stopped';
    const asked = this.#lists.get(projectId) ?? listNodes(this.#compute.client, projectId);
    this.#lists.set(projectId, asked);
    const list = await asked.finally(() => this.#lists.delete(projectId));
    return list.find(({ node_id }) => node_id === nodeId)?.aim ?? 'stopped';
  }

  /** Reads the node; null: it is not there. */
  async look(kind: Kind, node: KindNode, signal: AbortSignal): Promise<RemoteNodeStatus | null> {
    const { client } = this.#compute;
    try {
      return nodeStatusOf(await client.request('GET', nodePath(kind, node), { signal }));
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return null;
      if (status !== NO_GET) throw error;
      const isThere = await client.request('GET', `/projects/${node.project_id}`, { signal }).then(
        () => true,
        (failed: unknown) => (statusOf(failed) === 404 ? false : Promise.reject(failed as Error)),
      );
      return isThere ? nodeStatusOf(await this.#create(kind, node, signal)) : null;
    }
  }

  async #make(kind: Kind, node: KindNode, signal: AbortSignal): Promise<PreparedNode> {
    const isNewProject = await this.#project(node.project_id);
    const there = await this.#lookOrClear(kind, node, signal);
    if (there !== null) await this.align(kind, node, there, signal);
    if (there !== null && there.status !== 'stopped') this.#found.add(node.node_id);
    const { console, record } = there ?? (await this.#makeNew(kind, node, signal));
    const { project_id } = node;
    const prepared = { isNew: there === null || isNewProject, console, record, project_id };
    this.#nodes.set(node.node_id, prepared);
    return prepared;
  }

  async #makeNew(kind: Kind, node: KindNode, signal: AbortSignal): Promise<RemoteNodeStatus> {
    await this.#deliveries.sendImages(kind, node, signal);
    // The files come before the node, so that a node that exists always has them, also after an interruption.
    await this.#deliveries.sendFiles(kind, node, signal);
    return nodeStatusOf(await this.#create(kind, node, signal));
  }

  /** A GNS3 server may have a node whose record it cannot send; that node is deleted to be made again. */
  async #lookOrClear(kind: Kind, node: KindNode, signal: AbortSignal): Promise<RemoteNodeStatus | null> {
    try {
      return await this.look(kind, node, signal);
    } catch (error) {
      if (statusOf(error) !== BROKEN || this.#compute.isTopolog) throw error;
      await this.#compute.client.request('DELETE', nodePath(kind, node), { signal });
      return null;
    }
  }

  /** Makes the node and answers its record. An image that was removed there since the list was read is sent once more. */
  async #create(kind: Kind, node: KindNode, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const path = `/projects/${node.project_id}/${kind.alias}/nodes`;
    const body = createBody(kind, node, this.#compute.isTopolog);
    const post = (): Promise<unknown> => this.#compute.client.request('POST', path, { body, signal });
    const made = await post().catch(async (error: unknown) => {
      if (!(error instanceof TopologError && error.details['exception'] === 'ImageMissingError')) throw error;
      this.#deliveries.forget();
      await this.#deliveries.sendImages(kind, node, signal);
      return post();
    });
    const { record } = nodeStatusOf(made);
    const { project_id: owner } = record;
    if (typeof owner === 'string' && owner !== node.project_id)
      throw conflict(`${this.#compute.target.name} has a node ${node.node_id} in project ${owner} already`);
    return record;
  }

  #project(projectId: string): Promise<boolean> {
    const known = this.#projects.get(projectId);
    if (known !== undefined) return known;
    const made = this.#openProject(projectId);
    this.#projects.set(projectId, made);
    made.catch(() => {
      if (this.#projects.get(projectId) === made) this.#projects.delete(projectId);
    });
    return made;
  }

  async #openProject(project_id: string): Promise<boolean> {
    const { client } = this.#compute;
    const isNew = await client.request('GET', `/projects/${project_id}`).then(
      () => false,
      (error: unknown) => (statusOf(error) === 404 ? true : Promise.reject(error as Error)),
    );
    await client.request('POST', '/projects', { body: { project_id, ...this.#deliveries.project(project_id) } });
    return isNew;
  }
}

/** Status for kinds of a GNS3 server whose records cannot be read one by one. */
const NO_GET = 405;
/** Status for a record of a GNS3 server that violates its own schema. */
const BROKEN = 400;

/** Turns a synchronous throw into a rejection. */
const rejecting = async <T>(work: () => Promise<T>): Promise<T> => work();

/** Reads a node's record. Keys that some computes leave out are those of a node that was never started. */
export const nodeStatusOf = (answer: unknown): RemoteNodeStatus => {
  const record = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const { status, console, console_type, command_line } = record;
  return {
    status: status === 'started' || status === 'suspended' ? status : 'stopped',
    // A switch of a GNS3 server has a console number without a console.
    console: typeof console === 'number' && console_type !== 'none' ? console : null,
    command_line: typeof command_line === 'string' ? command_line : '',
    record,
  };
};

/** Sends images and files of nodes to a compute, and fetches the files that they have written. */
class Deliveries {
  readonly #parts: DeliveryParts;
  readonly #place: { client: ComputeClient; compute: string };
  readonly #images: ComputeImages;
  readonly #lists = new FileLists();
  /** Number of nodes that wait for images, by project. */
  readonly #waiting = new Map<string, number>();
  readonly #jobs = new Map<string, { done: number; job: ReturnType<DeliveryParts['begin']> }>();

  constructor(parts: DeliveryParts, place: { client: ComputeClient; compute: string }) {
    this.#parts = parts;
    this.#place = place;
    this.#images = new ComputeImages({
      ...place,
      images: parts.images,
      progress: (progress) => this.#report(progress),
    });
  }

  project(projectId: string): ReturnType<DeliveryParts['project']> {
    return this.#parts.project(projectId);
  }

  /** To be called after a connection was lost. */
  forget(): void {
    this.#images.forget();
  }

  async sendImages(kind: Kind, node: KindNode, signal: AbortSignal): Promise<void> {
    const { project_id: id } = node;
    this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1);
    try {
      await this.#images.send(node, kind, signal);
    } finally {
      const left = (this.#waiting.get(id) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(id);
      else this.#waiting.set(id, left);
    }
  }

  /** `only`: names of the files to send. */
  sendFiles(kind: Kind, node: KindNode, signal: AbortSignal, only?: readonly string[]): Promise<void> {
    const place = { ...fileScopeOf(kind, node), ...(only === undefined ? {} : { only }) };
    return sendFiles({ ...this.#place, lists: this.#lists }, place, signal);
  }

  /** Makes the node's directory what the compute has. */
  fetchFiles(kind: Kind, node: KindNode, signal: AbortSignal): Promise<void> {
    return fetchFiles(this.#place, fileScopeOf(kind, node), signal);
  }

  #report({ name, done, total }: ImageProgress): void {
    for (const projectId of this.#waiting.keys()) {
      const key = `${projectId} ${name}`;
      const known = this.#jobs.get(key) ?? { done: 0, job: this.#parts.begin(projectId, total) };
      known.job.add(done - known.done);
      this.#jobs.set(key, { ...known, done });
      if (done < total) continue;
      known.job.end();
      this.#jobs.delete(key);
    }
  }
}

const fileScopeOf = ({ directory }: Kind, node: KindNode): NodeFiles => ({ node, directory });
