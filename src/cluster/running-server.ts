import type { Recovered } from '../actors/recovery/recover.ts';
import type { EngineReport } from '../emulators/kit/engines.ts';
import type { ReadOnly } from './opened-log.ts';

export interface RunningServer {
  url: string;
  /** URL of the second listener; null: there is none. */
  gns3Url: string | null;
  engines: EngineReport[];
  recovered: Recovered;
  /** null: it writes. */
  readOnly: ReadOnly | null;
  adoptedFabric: boolean;
  fabricPid: number;
  /** Resolves with the name of a client that requests the shutdown; the caller of `startServer` then closes the server. */
  shutdownRequested: Promise<string>;
  /**
   * Always resolves. False: a step did not end in time and is left to the end of the process. `isReplaced`: another server of this process
   * follows, and clients that connect meanwhile wait for it.
   */
  close(reason: string, isReplaced?: boolean): Promise<boolean>;
  /** Role and place of its cell, in words; null: the log is its own. */
  cell: string | null;
  /** Last position that it knows. */
  position(): number;
  /** Fences the server off, as another one writes: it decides and does nothing from now on. Reads and running nodes go on. */
  fence(reason: string): void;
  /** Whether it is a standby on which nodes still run that it started as the writer. */
  hasOrphanedNodes(): boolean;
  /** Number of running nodes of open projects. */
  runningNodes(): number;
  /** Appends a last event, after which another server may write, and does nothing from then on. `keepRunning`: nodes go on. */
  stepDown(reason: string, keepRunning: boolean): Promise<void>;
}

/** Sentence about the projects and nodes that a start has recovered; null: there were none. */
export const recoveredIn = ({ recovered, adoptedFabric }: RunningServer): string | null => {
  if (recovered.projects === 0) return null;
  const { projects, adopted, restarted, lost, captures, failed, starting } = recovered;
  const fabric = adoptedFabric ? 'the fabric was still running' : 'a new fabric was started';
  return `recovered ${projects} open project${projects === 1 ? '' : 's'} (${fabric}): ${adopted} nodes adopted, ${lost} lost, ${restarted} started again, ${captures} captures going on, ${failed} failed${starting === 0 ? '' : `, ${starting} still starting`}`;
};

/** Ports of a server, for the next one of this process. */
export interface ListenerPorts {
  port: number;
  /** null: there is no second listener. */
  gns3Port: number | null;
}

export const portsOf = ({ url, gns3Url }: RunningServer): ListenerPorts => ({
  port: portOf(url),
  gns3Port: gns3Url === null ? null : portOf(gns3Url),
});

const portOf = (url: string): number => Number(new URL(url).port);

/** A server that is several ones of this process, one after another, at the same ports. */
export abstract class ReplacedServer implements RunningServer {
  #current: RunningServer;
  #requestShutdown: (by: string) => void = () => undefined;
  readonly shutdownRequested = new Promise<string>((resolve) => (this.#requestShutdown = resolve));

  constructor(first: RunningServer) {
    this.#current = first;
    void first.shutdownRequested.then(this.#requestShutdown);
  }

  protected get current(): RunningServer {
    return this.#current;
  }

  protected replaceBy(server: RunningServer): void {
    this.#current = server;
    void server.shutdownRequested.then(this.#requestShutdown);
  }

  get url() {
    return this.#current.url;
  }
  get gns3Url() {
    return this.#current.gns3Url;
  }
  get engines() {
    return this.#current.engines;
  }
  get recovered() {
    return this.#current.recovered;
  }
  get readOnly() {
    return this.#current.readOnly;
  }
  get cell(): string | null {
    return this.#current.cell;
  }
  get adoptedFabric() {
    return this.#current.adoptedFabric;
  }
  get fabricPid() {
    return this.#current.fabricPid;
  }

  abstract close(reason: string): Promise<boolean>;

  position(): number {
    return this.#current.position();
  }

  fence(reason: string): void {
    this.#current.fence(reason);
  }

  hasOrphanedNodes(): boolean {
    return this.#current.hasOrphanedNodes();
  }

  runningNodes(): number {
    return this.#current.runningNodes();
  }

  stepDown(reason: string, keepRunning: boolean): Promise<void> {
    return this.#current.stepDown(reason, keepRunning);
  }
}
