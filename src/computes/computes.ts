import { conflict, TopologError } from '../common/errors.ts';
import type { Engine, Exit, Kind } from '../emulators/kit/contract.ts';
import type { Elsewhere } from '../emulators/kit/engines.ts';
import type { ComputeCapabilities, ComputeFields } from '../events/server-fields.ts';
import type { ComputeRecord } from '../projections/records.ts';
import type { Identity } from './client/client.ts';
import { createClient, handshake } from './client/handshake.ts';
import { type FeedFrame, RemoteCompute } from './client/remote-compute.ts';
import type { Target } from './client/target.ts';
import { RemoteEngine } from './nodes/remote-engine.ts';
import { type DeliveryParts, RemoteNodes } from './nodes/remote-nodes.ts';
import type { ComputeSecrets } from './passwords.ts';

/** Name of this server in records and project files. */
export const LOCAL = 'local';
/** Name of the helper machine of existing tools; it means this server, unless there is a compute with this id. */
const HELPER = 'vm';

export interface ComputesListener {
  connected(computeId: string, capabilities: ComputeCapabilities): Promise<void>;
  lost(computeId: string, reason: string): void;
  /** A log message of a compute: log.error, log.warning or log.info. */
  logMessage(computeId: string, told: { level: string; message: string; project_id: string }): void;
  exited(exit: Exit): void;
  /** A node was lost there, and its compute starts it again. */
  restarting(nodeId: string): void;
  loadChanged(computeId: string): void;
}

const LEFT_ALONE = 'this server was started with --no-computes';

/** More connections than one run of the server makes. */
const CONNECTIONS_A_RUN = 1_000_000;

interface Parts {
  secrets: ComputeSecrets;
  /** Grows with each start of this server, and with each change of the server that writes the log. */
  epoch: number;
  /** Throws `lease_lost` when this server may change nothing at computes any more. */
  checkWrites?: () => void;
  silenceMs: number;
  /** Connect to none of them (`--no-computes`). */
  leavesAlone?: boolean;
  /** Computes may be at addresses that only this machine reaches. */
  local: boolean;
  deliveries: DeliveryParts;
}

/** A compute, and the nodes that this server has there. */
export interface Place {
  compute: RemoteCompute;
  nodes: RemoteNodes;
}

/** Codes of errors after which a compute may just be away. */
const SILENT: ReadonlySet<string> = new Set(['compute_unreachable', 'deadline']);

/** The other computes, as their records have them. */
export class Computes implements Elsewhere {
  readonly #parts: Parts;
  /** Grows with each connection, so that a compute refuses late requests of a lost one. */
  #epoch: number;
  readonly #places = new Map<string, Place & { engines: Map<string, RemoteEngine> }>();
  #listener: ComputesListener | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#epoch = parts.epoch * CONNECTIONS_A_RUN;
  }

  get secrets(): ComputeSecrets {
    return this.#parts.secrets;
  }

  /** Identity of the last connection to any compute. Throws `lease_lost`. */
  get identity(): Identity {
    this.#parts.checkWrites?.();
    return { controller_id: this.#parts.secrets.controllerId, epoch: this.#epoch };
  }

  /** Once, before the first `put`. */
  listen(listener: ComputesListener): void {
    this.#listener = listener;
  }

  isHere(computeId: string): boolean {
    return computeId === LOCAL || (computeId === HELPER && !this.#places.has(HELPER));
  }

  find(computeId: string): Place | undefined {
    return this.#places.get(computeId);
  }

  all(): ReadonlyMap<string, Place> {
    return this.#places;
  }

  engine(kind: Kind, computeId: string): Engine | undefined {
    const place = this.#places.get(computeId);
    if (place === undefined) return undefined;
    let engine = place.engines.get(kind.name);
    if (engine === undefined) {
      place.engines.set(
        kind.name,
        (engine = new RemoteEngine(kind, {
          id: computeId,
          compute: place.compute,
          nodes: place.nodes,
          lost: (nodeId) => this.#listener?.restarting(nodeId),
        })),
      );
      engine.onExit((exit) => this.#listener?.exited(exit));
    }
    return engine;
  }

  /** The compute with this id; null: this server. Throws where it cannot be reached now. */
  placeOf(computeId: string): Place | null {
    if (this.isHere(computeId)) return null;
    const place = this.#places.get(computeId);
    if (place === undefined)
      throw conflict(`there is no compute ${computeId}: add it, or put its nodes on another one`, {
        field: 'compute_id',
      });
    void place.compute.client;
    return place;
  }

  check(computeId: string): void {
    this.placeOf(computeId);
  }

  /** Connects to a compute that was added or changed. `take`: even from another controller. */
  put(record: ComputeRecord, take = false): void {
    const { compute_id: id } = record;
    this.remove(id);
    const compute = new RemoteCompute({
      target: this.#targetOf(record, this.#parts.secrets.passwordOf(id)),
      identity: () => {
        this.#epoch++;
        return this.identity;
      },
      silenceMs: this.#parts.silenceMs,
      take,
      listener: {
        connected: async (capabilities) => {
          this.#forget(id);
          await this.#listener?.connected(id, capabilities);
        },
        lost: (reason) => this.#listener?.lost(id, reason),
        received: (frame) => this.#receive(id, frame),
        loadChanged: () => this.#listener?.loadChanged(id),
      },
    });
    this.#places.set(id, { compute, nodes: new RemoteNodes(compute, this.#parts.deliveries), engines: new Map() });
    if (this.#parts.leavesAlone === true) compute.leaveAlone(LEFT_ALONE);
    else compute.connect();
  }

  /** False: it does not answer. Throws where it answers and cannot be used: it is not a compute, has another version, or has another controller. */
  async probe(fields: ComputeFields, { password, take }: { password: string | null; take: boolean }): Promise<boolean> {
    if (this.#parts.leavesAlone === true) throw conflict(LEFT_ALONE);
    // With the identity of an existing connection, which stays usable.
    const identity = this.#places.get(fields.compute_id)?.compute.identity ?? this.identity;
    const client = await createClient(this.#targetOf(fields, password), identity);
    try {
      await handshake(client, identity, take);
      return true;
    } catch (error) {
      if (!(error instanceof TopologError && SILENT.has(error.code))) throw error;
      return false;
    } finally {
      client.end('it was only asked');
    }
  }

  /** Removes the claim at a compute. Does nothing where it cannot be reached. */
  async release(computeId: string): Promise<void> {
    const { compute } = this.#places.get(computeId) ?? {};
    if (compute?.isConnected === true && compute.isTopolog)
      await compute.client.request('DELETE', '/controller').catch(() => undefined);
  }

  remove(computeId: string): void {
    this.#places.get(computeId)?.compute.close();
    this.#places.delete(computeId);
  }

  /** Sends changed variables of a project to its computes, for containers. */
  async tellVariables(projectId: string): Promise<void> {
    for (const { compute, nodes } of this.#places.values()) {
      if (!compute.isConnected || !nodes.hasProject(projectId)) continue;
      const { variables } = this.#parts.deliveries.project(projectId);
      await compute.client.request('PUT', `/projects/${projectId}`, { body: { variables } });
    }
  }

  /** Closes or deletes a project at a compute. Does nothing where the compute does not have it or is away. */
  async leave(computeId: string, projectId: string, how: 'close' | 'delete'): Promise<void> {
    const place = this.#places.get(computeId);
    if (place?.compute.isConnected !== true) return;
    place.nodes.forgetProject(projectId);
    const { client, isTopolog } = place.compute;
    const path = `/projects/${projectId}`;
    if (how === 'close') await existed(client.request('POST', `${path}/close`));
    else if (!(await existed(client.request('DELETE', path))) && !isTopolog) {
      // A GNS3 server forgets a closed project and keeps its files: it is made again to be deleted.
      await client.request('POST', '/projects', {
        body: { project_id: projectId, ...this.#parts.deliveries.project(projectId) },
      });
      await existed(client.request('DELETE', path));
    }
  }

  close(): void {
    for (const id of [...this.#places.keys()]) this.remove(id);
  }

  #targetOf(fields: ComputeFields, password: string | null): Target {
    const { name, protocol, host, port, user, certificate } = fields;
    const target = { name, protocol, host, port, user, password, mayBeHere: this.#parts.local };
    return { ...target, ...(certificate === undefined ? {} : { certificate }) };
  }

  #forget(id: string): void {
    const place = this.#places.get(id);
    place?.nodes.forgetAll();
    for (const engine of place?.engines.values() ?? []) engine.forgetAll();
  }

  #receive(id: string, frame: FeedFrame): void {
    const { action, event, project_id } = frame;
    const level = /^log\.(error|warning|info)$/.exec(action)?.[1];
    if (level === undefined) for (const engine of this.#places.get(id)?.engines.values() ?? []) engine.receive(frame);
    else if (typeof event['message'] === 'string' && project_id != null)
      this.#listener?.logMessage(id, { level, message: event['message'], project_id });
  }
}

const existed = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof TopologError && error.code === 'not_found') return false;
      throw error;
    },
  );
