import { z } from 'zod';
import { conflict, TopologError } from '../../common/errors.ts';
import type { Kind, KindNode } from '../../emulators/kit/contract.ts';
import type { ComputeCall, ComputeClient, ComputeMethod } from '../client/client-contract.ts';
import { Deliveries, type DeliveryParts } from './deliveries.ts';
import { statusOf } from '../client/errors.ts';
import { createBody, differs, updateBody } from './node-bodies.ts';
import type { RemoteCompute } from '../client/remote-compute.ts';
import { SharedWork } from './shared-work.ts';

/** What a compute says of a node. */
export interface Found {
  status: 'stopped' | 'started' | 'suspended';
  console: number | null;
  command_line: string;
  /** All of it. */
  record: Readonly<Record<string, unknown>>;
}

export interface Prepared extends Pick<Found, 'console' | 'record'> {
  /** It was not there, and has none of its tunnels. */
  isNew: boolean;
}

const listedNode = z.looseObject({
  ...{ node_id: z.string(), node_type: z.string() },
  aim: z.enum(['stopped', 'started', 'suspended']),
  /** Ports with a NIO, as `adapter/port`. */
  nios: z.array(z.string()),
});
export type ListedNode = z.infer<typeof listedNode>;

/** All nodes of a project that a Topolog has. */
export const listed = async (client: Pick<ComputeClient, 'request'>, projectId: string): Promise<ListedNode[]> =>
  z.array(listedNode).parse(await client.request('GET', `/projects/${projectId}/nodes`));

export const nodePath = (kind: Kind, { project_id, node_id }: Pick<KindNode, 'project_id' | 'node_id'>): string =>
  `/projects/${project_id}/${kind.alias}/nodes/${node_id}`;

/** The nodes that a compute has of this server, as far as it is known since it was connected. */
export class RemoteNodes {
  readonly #compute: RemoteCompute;
  readonly #deliveries: Deliveries;
  /** Lists that are being read. */
  readonly #lists = new Map<string, Promise<ListedNode[]>>();
  /** Whether they were not there before. */
  readonly #projects = new Map<string, Promise<boolean>>();
  readonly #nodes = new Map<string, Prepared & { project_id: string }>();
  /** Those that ran when they were first looked at. */
  readonly #found = new Set<string>();
  readonly #making = new SharedWork<Prepared>();

  constructor(compute: RemoteCompute, parts: DeliveryParts) {
    this.#compute = compute;
    // The client of now: there is another one after each loss.
    const client: ComputeClient = {
      request: (...call) => later(() => compute.client.request(...call)),
      download: (...call) => later(() => compute.client.download(...call)),
      upload: (...call) => later(() => compute.client.upload(...call)),
    };
    this.#deliveries = new Deliveries(parts, { client, compute: compute.target.name });
  }

  /** It may have been started again, and have forgotten them. */
  forgetAll(): void {
    this.#deliveries.forget();
    this.#projects.clear();
    this.#nodes.clear();
    this.#found.clear();
  }

  /** Whether it ran when it was first looked at, and nobody has asked since. */
  forgetRun(nodeId: string): boolean {
    return this.#found.delete(nodeId);
  }

  /** Resolves once it is not being made any more. */
  async forget(nodeId: string): Promise<void> {
    await this.#making.current(nodeId)?.catch(() => undefined);
    this.#nodes.delete(nodeId);
    this.#found.delete(nodeId);
  }

  /** It is closed there: a GNS3 server forgets its nodes with it. */
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

  /** Makes the node there, with what it needs; does nothing for one that is known to be there. */
  async prepare(kind: Kind, node: KindNode, signal: AbortSignal): Promise<Prepared> {
    signal.throwIfAborted();
    const known = this.#nodes.get(node.node_id);
    return known ?? this.#making.of(node.node_id, signal, (all) => this.#make(kind, node, all));
  }

  /** Gives a node that is there its settings of now. One that is not there gets them when it is made. */
  async update(kind: Kind, node: KindNode, call: Pick<ComputeCall, 'key' | 'signal'>): Promise<void> {
    await this.#making.current(node.node_id)?.catch(() => undefined);
    const known = this.#nodes.get(node.node_id);
    if (known === undefined) return;
    const body = this.#changes(kind, node, known.record);
    await this.#compute.client.request('PUT', nodePath(kind, node), { body, ...call });
  }

  /** The same where `found` differs. A node that runs keeps what it cannot change now. */
  async align(kind: Kind, node: KindNode, found: Found, signal: AbortSignal): Promise<void> {
    const body = this.#changes(kind, node, found.record);
    if (!differs(kind, body, found.record)) return;
    try {
      await this.#compute.client.request('PUT', nodePath(kind, node), { body, signal });
    } catch (error) {
      const runs = found.status !== 'stopped';
      if (!(runs && error instanceof TopologError && error.code === 'conflict')) throw error;
    }
  }

  /** A GNS3 server refuses in a change what is for its creates alone: its records do not have it. */
  #changes(kind: Kind, node: KindNode, record: Found['record']): Record<string, unknown> {
    const { isTopolog } = this.#compute;
    const body = updateBody(kind, node, isTopolog);
    return isTopolog
      ? body
      : Object.fromEntries(
          Object.entries(body).filter(([key]) => key === 'custom_adapters' || Object.hasOwn(record, key)),
        );
  }

  /** Something that only this kind can do, done there. */
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

  /** Files of these names in the node's directory go there, as far as they differ. */
  async send(kind: Kind, node: KindNode, names: readonly string[], signal: AbortSignal): Promise<void> {
    await this.prepare(kind, node, signal);
    await this.#deliveries.sendFiles(kind, node, signal, names);
  }

  /** The node's directory becomes what the compute has. */
  fetch(kind: Kind, node: KindNode, signal: AbortSignal): Promise<void> {
    return this.#deliveries.fetchFiles(kind, node, signal);
  }

  /** Where the state of a node is going at a Topolog; stopped at others. Many are asked about at once. */
  async aimOf(projectId: string, nodeId: string): Promise<string> {
    if (!this.#compute.isTopolog) return 'stopped';
    const asked = this.#lists.get(projectId) ?? listed(this.#compute.client, projectId);
    this.#lists.set(projectId, asked);
    const list = await asked.finally(() => this.#lists.delete(projectId));
    return list.find(({ node_id }) => node_id === nodeId)?.aim ?? 'stopped';
  }

  /** The node as it is there; null: it is not. */
  async look(kind: Kind, node: KindNode, signal: AbortSignal): Promise<Found | null> {
    const { client } = this.#compute;
    try {
      return foundIn(await client.request('GET', nodePath(kind, node), { signal }));
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return null;
      if (status !== NO_GET) throw error;
      const isThere = await client.request('GET', `/projects/${node.project_id}`, { signal }).then(
        () => true,
        (failed: unknown) => (statusOf(failed) === 404 ? false : Promise.reject(failed as Error)),
      );
      return isThere ? foundIn(await this.#create(kind, node, signal)) : null;
    }
  }

  async #make(kind: Kind, node: KindNode, signal: AbortSignal): Promise<Prepared> {
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

  async #makeNew(kind: Kind, node: KindNode, signal: AbortSignal): Promise<Found> {
    await this.#deliveries.sendImages(kind, node, signal);
    // Before the node: one that is there has its files, whatever has cut this off.
    await this.#deliveries.sendFiles(kind, node, signal);
    return foundIn(await this.#create(kind, node, signal));
  }

  /** A GNS3 server may have a node that it cannot tell: that one is made again. */
  async #lookOrClear(kind: Kind, node: KindNode, signal: AbortSignal): Promise<Found | null> {
    try {
      return await this.look(kind, node, signal);
    } catch (error) {
      if (statusOf(error) !== BROKEN || this.#compute.isTopolog) throw error;
      await this.#compute.client.request('DELETE', nodePath(kind, node), { signal });
      return null;
    }
  }

  /** Answers the record. An image that is gone there since the list was read is sent once more. */
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
    const { record } = foundIn(made);
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

/** Kinds of a GNS3 server whose records cannot be read by themselves. */
const NO_GET = 405;
/** A record of a GNS3 server that breaks its own schema. */
const BROKEN = 400;

/** What throws at once rejects. */
const later = async <T>(work: () => Promise<T>): Promise<T> => work();

/** What some computes leave out is as it is for a node that was never started. */
export const foundIn = (answer: unknown): Found => {
  const record = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const { status, console, console_type, command_line } = record;
  return {
    status: status === 'started' || status === 'suspended' ? status : 'stopped',
    // A switch of a GNS3 server has a number all the same.
    console: typeof console === 'number' && console_type !== 'none' ? console : null,
    command_line: typeof command_line === 'string' ? command_line : '',
    record,
  };
};
