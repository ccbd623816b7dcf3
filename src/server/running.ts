import type { Recovered } from '../actors/recovery/recover.ts';
import type { EngineReport } from '../emulators/kit/engines.ts';
import type { Config } from './config.ts';
import type { ReadOnly } from './read-only.ts';

export interface RunningServer {
  url: string;
  /** Of the second listener; null: there is none. */
  gns3Url: string | null;
  engines: EngineReport[];
  recovered: Recovered;
  /** Why it only reads; null: it writes. */
  readOnly: ReadOnly | null;
  adoptedFabric: boolean;
  fabricPid: number;
  /** Resolves with who asked when a client has asked for the end; its starter then closes it. */
  shutdownAsked: Promise<string>;
  /**
   * Always ends. False: something did not end in its time and is left to the end of the process. `stays`: another server of this process
   * takes its place, so that who connects meanwhile waits.
   */
  close(reason: string, stays?: boolean): Promise<boolean>;
  /** What it does in which cell, in words; null: its log is its own. */
  cell: string | null;
  /** Last position that it knows. */
  position(): number;
  /** Decides and does nothing from now on, as another server writes: what runs goes on, and so do reads. */
  depose(reason: string): void;
  /** It stands by, and nodes that it started when it wrote still run here. */
  isLeftBehind(): boolean;
  /** Nodes that run, of open projects. */
  runningNodes(): number;
  /** The same by its own will: with a last event, after which another server may write. `goesOn`: what runs is not ended with it. */
  retire(reason: string, goesOn: boolean): Promise<void>;
}

/** What became of what ran before, in words; null: there was nothing. */
export const recoveredIn = ({ recovered, adoptedFabric }: RunningServer): string | null => {
  if (recovered.projects === 0) return null;
  const { projects, adopted, restarted, lost, captures, failed, starting } = recovered;
  const fabric = adoptedFabric ? 'the fabric was still running' : 'a new fabric was started';
  return `recovered ${projects} open project${projects === 1 ? '' : 's'} (${fabric}): ${adopted} nodes adopted, ${lost} lost, ${restarted} started again, ${captures} captures going on, ${failed} failed${starting === 0 ? '' : `, ${starting} still starting`}`;
};

/** A server of this process that others take the place of, one after another, at the same addresses. */
export abstract class ReplacedServer implements RunningServer {
  #current: RunningServer;
  #asked: (by: string) => void = () => undefined;
  readonly shutdownAsked = new Promise<string>((resolve) => (this.#asked = resolve));

  constructor(first: RunningServer) {
    this.#current = first;
    void first.shutdownAsked.then(this.#asked);
  }

  protected get current(): RunningServer {
    return this.#current;
  }

  protected replaceBy(server: RunningServer): void {
    this.#current = server;
    void server.shutdownAsked.then(this.#asked);
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

  depose(reason: string): void {
    this.#current.depose(reason);
  }

  isLeftBehind(): boolean {
    return this.#current.isLeftBehind();
  }

  runningNodes(): number {
    return this.#current.runningNodes();
  }

  retire(reason: string, goesOn: boolean): Promise<void> {
    return this.#current.retire(reason, goesOn);
  }
}

/** For a server that takes the place of this one. */
export const atSameAddresses = (config: Config, { url, gns3Url }: RunningServer): Config => ({
  ...config,
  port: portOf(url),
  gns3Port: gns3Url === null ? null : portOf(gns3Url),
});

const portOf = (url: string): number => Number(new URL(url).port);
