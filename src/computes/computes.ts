import { conflict, TopologError } from '../common/errors.ts';
import type { ComputeCapabilities, ComputeFields } from '../events/server-fields.ts';
import type { Elsewhere } from '../emulators/kit/engines.ts';
import type { Engine, Exit, Kind } from '../emulators/kit/contract.ts';
import type { ComputeRecord } from '../projections/records.ts';
import type { Identity } from './client/client.ts';
import type { Target } from './client/target.ts';
import type { DeliveryParts } from './nodes/deliveries.ts';
import type { FeedFrame } from './client/feed.ts';
import type { ComputeSecrets } from './passwords.ts';
import { connectionTo, greet } from './client/greeting.ts';
import { RemoteCompute } from './client/remote-compute.ts';
import { RemoteEngine } from './nodes/remote-engine.ts';
import { RemoteNodes } from './nodes/remote-nodes.ts';

/** This server, as records and project files name it. */
export const LOCAL = 'local';
/** The helper machine of existing tools: this server does what it is for, unless there is a compute with this id. */
const HELPER = 'vm';

export interface ComputesHearing {
  connected(computeId: string, capabilities: ComputeCapabilities): Promise<void>;
  lost(computeId: string, reason: string): void;
  /** What it says of a project: log.error, log.warning or log.info. */
  told(computeId: string, told: { level: string; message: string; project_id: string }): void;
  exited(exit: Exit): void;
  /** A node was lost there, and is being started again. */
  restarts(nodeId: string): void;
  /** It has new figures of its load. */
  loaded(computeId: string): void;
}

const LEFT_ALONE = 'this server was started with --no-computes';

/** More than one run ever makes. */
const CONNECTIONS_A_RUN = 1_000_000;

interface Parts {
  secrets: ComputeSecrets;
  /** Grows with each start of this server, and with each change of the server that writes the log. */
  epoch: number;
  /** Throws when this server may tell computes nothing any more. */
  checkWrites?: () => void;
  silenceMs: number;
  /** All of them are left as they are. */
  leavesAlone?: boolean;
  /** Computes may be at addresses that only this machine reaches. */
  local: boolean;
  deliveries: DeliveryParts;
}

/** A compute, and what this server has there. */
export interface Place {
  compute: RemoteCompute;
  nodes: RemoteNodes;
}

/** Nobody is there, or takes too long. */
const SILENT: ReadonlySet<string> = new Set(['compute_unreachable', 'deadline']);

/** The computes that are not this server, as their records have them. */
export class Computes implements Elsewhere {
  readonly #parts: Parts;
  /** Grows with each connection: what was sent on a lost one and arrives late is refused. */
  #epoch: number;
  readonly #places = new Map<string, Place & { engines: Map<string, RemoteEngine> }>();
  #hearing: ComputesHearing | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#epoch = parts.epoch * CONNECTIONS_A_RUN;
  }

  get secrets(): ComputeSecrets {
    return this.#parts.secrets;
  }

  /** Of the last connection that was begun, whichever compute it leads to. Throws `lease_lost`. */
  get identity(): Identity {
    this.#parts.checkWrites?.();
    return { controller_id: this.#parts.secrets.controllerId, epoch: this.#epoch };
  }

  /** Once, before the first `put`. */
  listen(hearing: ComputesHearing): void {
    this.#hearing = hearing;
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
          ...{ id: computeId, compute: place.compute, nodes: place.nodes },
          lost: (nodeId) => this.#hearing?.restarts(nodeId),
        })),
      );
      engine.onExit((exit) => this.#hearing?.exited(exit));
    }
    return engine;
  }

  /** The place of nodes with this compute_id; null: this server. Throws where it cannot be reached now. */
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

  /** It was added or changed: connects to it. `take`: from another controller. */
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
      hearing: {
        connected: async (capabilities) => {
          this.#forget(id);
          await this.#hearing?.connected(id, capabilities);
        },
        lost: (reason) => this.#hearing?.lost(id, reason),
        heard: (frame) => this.#heard(id, frame),
        loaded: () => this.#hearing?.loaded(id),
      },
    });
    this.#places.set(id, { compute, nodes: new RemoteNodes(compute, this.#parts.deliveries), engines: new Map() });
    if (this.#parts.leavesAlone === true) compute.leaveAlone(LEFT_ALONE);
    else compute.connect();
  }

  /** False: it does not answer. Throws for one that answers and is not to be used: what is no compute, is of another line, or is another controller's. */
  async probe(fields: ComputeFields, { password, take }: { password: string | null; take: boolean }): Promise<boolean> {
    if (this.#parts.leavesAlone === true) throw conflict(LEFT_ALONE);
    // As the connection that there is, which goes on.
    const identity = this.#places.get(fields.compute_id)?.compute.identity ?? this.identity;
    const client = await connectionTo(this.#targetOf(fields, password), identity);
    try {
      await greet(client, identity, take);
      return true;
    } catch (error) {
      if (!(error instanceof TopologError && SILENT.has(error.code))) throw error;
      return false;
    } finally {
      client.end('it was only asked');
    }
  }

  /** It is not ours any more. Does nothing where it cannot be reached. */
  async release(computeId: string): Promise<void> {
    const { compute } = this.#places.get(computeId) ?? {};
    if (compute?.isConnected === true && compute.isTopolog)
      await compute.client.request('DELETE', '/controller').catch(() => undefined);
  }

  remove(computeId: string): void {
    this.#places.get(computeId)?.compute.close();
    this.#places.delete(computeId);
  }

  /** Variables of a project have changed: containers there get them. */
  async tellVariables(projectId: string): Promise<void> {
    for (const { compute, nodes } of this.#places.values()) {
      if (!compute.isConnected || !nodes.hasProject(projectId)) continue;
      const { variables } = this.#parts.deliveries.project(projectId);
      await compute.client.request('PUT', `/projects/${projectId}`, { body: { variables } });
    }
  }

  /** Closes a project at a compute that has it, or deletes it there. Does nothing where it does not, or is away. */
  async leave(computeId: string, projectId: string, how: 'close' | 'delete'): Promise<void> {
    const place = this.#places.get(computeId);
    if (place?.compute.isConnected !== true) return;
    place.nodes.forgetProject(projectId);
    const { client, isTopolog } = place.compute;
    const path = `/projects/${projectId}`;
    if (how === 'close') await isThere(client.request('POST', `${path}/close`));
    else if (!(await isThere(client.request('DELETE', path))) && !isTopolog) {
      // A GNS3 server has forgotten one that was closed, and kept its files.
      await client.request('POST', '/projects', {
        body: { project_id: projectId, ...this.#parts.deliveries.project(projectId) },
      });
      await isThere(client.request('DELETE', path));
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

  #heard(id: string, frame: FeedFrame): void {
    const { action, event, project_id } = frame;
    const level = /^log\.(error|warning|info)$/.exec(action)?.[1];
    if (level === undefined) for (const engine of this.#places.get(id)?.engines.values() ?? []) engine.heard(frame);
    else if (typeof event['message'] === 'string' && project_id != null)
      this.#hearing?.told(id, { level, message: event['message'], project_id });
  }
}

const isThere = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof TopologError && error.code === 'not_found') return false;
      throw error;
    },
  );
