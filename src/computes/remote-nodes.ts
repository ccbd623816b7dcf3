import { z } from 'zod';
import { TopologError } from '../common/errors.ts';
import type { Kind, KindNode } from '../emulators/kit/contract.ts';
import type { ComputeClient, ComputeMethod } from './client-contract.ts';
import { Deliveries, type DeliveryParts } from './deliveries.ts';
import type { RemoteCompute } from './remote-compute.ts';

/** What a compute says of a node; the rest of its record is as the node's kind has it. */
export interface Found {
  status: 'stopped' | 'started' | 'suspended';
  console: number | null;
  command_line: string;
}

export interface Prepared {
  /** It was not there, and has none of its tunnels. */
  isNew: boolean;
  console: number | null;
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
  readonly #projects = new Map<string, Promise<void>>();
  readonly #nodes = new Map<string, Promise<Prepared>>();
  /** Lists that are being read. */
  readonly #lists = new Map<string, Promise<ListedNode[]>>();
  readonly #whose = new Map<string, { project_id: string }>();

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
    this.#whose.clear();
  }

  forget(nodeId: string): void {
    this.#nodes.delete(nodeId);
    this.#whose.delete(nodeId);
  }

  /** It is closed there: a GNS3 server forgets its nodes with it. */
  forgetProject(projectId: string): void {
    this.#projects.delete(projectId);
    for (const [nodeId, { project_id }] of this.#whose) if (project_id === projectId) this.forget(nodeId);
  }

  hasProject(projectId: string): boolean {
    return this.#projects.has(projectId);
  }

  isPrepared(nodeId: string): boolean {
    return this.#nodes.has(nodeId);
  }

  /** Makes the node there, with what it needs; does nothing for one that is known to be there. */
  prepare(kind: Kind, node: KindNode, signal: AbortSignal): Promise<Prepared> {
    const known = this.#nodes.get(node.node_id);
    if (known !== undefined) return known;
    const prepared = this.#make(kind, node, signal);
    this.#nodes.set(node.node_id, prepared);
    this.#whose.set(node.node_id, node);
    prepared.catch(() => {
      if (this.#nodes.get(node.node_id) === prepared) this.#nodes.delete(node.node_id);
    });
    return prepared;
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

  /** The node's directory goes there, as far as it differs. */
  send(kind: Kind, node: KindNode, signal: AbortSignal): Promise<void> {
    return this.#deliveries.sendFiles(kind, node, signal);
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
  async look(kind: Kind, node: Pick<KindNode, 'project_id' | 'node_id'>, signal?: AbortSignal): Promise<Found | null> {
    try {
      return foundIn(await this.#compute.client.request('GET', nodePath(kind, node), signal ? { signal } : {}));
    } catch (error) {
      if (error instanceof TopologError && error.code === 'not_found') return null;
      throw error;
    }
  }

  async #make(kind: Kind, node: KindNode, signal: AbortSignal): Promise<Prepared> {
    await this.#project(node.project_id);
    const there = await this.look(kind, node, signal);
    if (there !== null) return { isNew: false, console: there.console };
    await this.#deliveries.sendImages(kind, node, signal);
    const made = foundIn(await this.#create(kind, node, signal));
    await this.#deliveries.sendFiles(kind, node, signal);
    return { isNew: true, console: made.console };
  }

  /** An image that is gone there since the list was read is sent once more. */
  async #create(kind: Kind, node: KindNode, signal: AbortSignal): Promise<unknown> {
    const path = `/projects/${node.project_id}/${kind.alias}/nodes`;
    const post = (): Promise<unknown> =>
      this.#compute.client.request('POST', path, { body: createBody(kind, node), signal });
    try {
      return await post();
    } catch (error) {
      if (!(error instanceof TopologError && error.details['exception'] === 'ImageMissingError')) throw error;
      this.#deliveries.forget();
      await this.#deliveries.sendImages(kind, node, signal);
      return post();
    }
  }

  #project(projectId: string): Promise<void> {
    const known = this.#projects.get(projectId);
    if (known !== undefined) return known;
    const body = { project_id: projectId, ...this.#deliveries.project(projectId) };
    const made = this.#compute.client.request('POST', '/projects', { body }).then(() => undefined);
    this.#projects.set(projectId, made);
    made.catch(() => this.#projects.delete(projectId));
    return made;
  }
}

/** What throws at once rejects. */
const later = async <T>(work: () => Promise<T>): Promise<T> => work();

/** What some computes leave out is as it is for a node that was never started. */
export const foundIn = (record: unknown): Found => {
  const { status, console, command_line } = (record ?? {}) as Partial<Record<keyof Found, unknown>>;
  return {
    status: status === 'started' || status === 'suspended' ? status : 'stopped',
    console: typeof console === 'number' ? console : null,
    command_line: typeof command_line === 'string' ? command_line : '',
  };
};

/** null and `{}` mean the default, and a GNS3 server takes neither everywhere. */
const isSaid = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  !(typeof value === 'object' && Object.keys(value).length === 0 && !Array.isArray(value));

const bodyOf = (shape: object, record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([key, value]) => Object.hasOwn(shape, key) && isSaid(value)));

/** As the create of its kind takes it: all that its record says. */
const createBody = (kind: Kind, node: KindNode): Record<string, unknown> =>
  bodyOf(kind.create.shape, recordOf(kind, node));

/** As the update of its kind takes it. */
export const updateBody = (kind: Kind, node: KindNode): Record<string, unknown> => {
  const { node_id: _, ...body } = bodyOf(kind.update.shape, recordOf(kind, node));
  return body;
};

const READ_ONLY = ['project_id', 'status', 'node_directory', 'command_line'];

const recordOf = (kind: Kind, node: KindNode): Record<string, unknown> => {
  const { custom_adapters } = node;
  const record = { ...kind.asExisting.record(node), ...(custom_adapters.length === 0 ? {} : { custom_adapters }) };
  return Object.fromEntries(Object.entries(record).filter(([key]) => !READ_ONLY.includes(key)));
};
