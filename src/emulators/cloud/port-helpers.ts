import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Emitter } from '../../common/emitter.ts';
import { conflict } from '../../common/errors.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { interfaceExists } from '../shared/host/interfaces.ts';
import { releaseRelays, isServed, keepRelays, type Relay, takeRelays } from '../shared/network/relay.ts';
import { processesOf } from '../../processes/end.ts';
import { endHelpers, startHelper } from '../shared/process/helper.ts';
import { isAlive } from '../../processes/identity.ts';
import type { Marked } from '../../processes/marker.ts';
import { tailOf } from '../shared/process/child.ts';
import { linkedMappings } from './requirements.ts';
import { ethernetScript, type ServedPort, servedBy, tapScript } from './port-scripts.ts';
import type { InterfaceMapping } from './schema.ts';

type NodeRef = Pick<KindNode, 'node_id' | 'project_id'>;

/** A helper that ended by itself, with its last output. */
interface HelperEnd extends NodeRef {
  output: string;
}

interface Running {
  process: Marked;
  served: ServedPort;
}

const POLL_MS = 250;

/** The programs that serve the ports of clouds towards interfaces, one each. They outlive the server. */
export class PortHelpers {
  readonly #dataDir: string;
  readonly #mark: string;
  readonly #watched = new Map<string, { node: NodeRef; running: Running[] }>();
  readonly #events = new Emitter<{ end: [HelperEnd] }>();
  readonly onEnd = this.#events.subscriber('end');
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor({ dataDir, mark }: Pick<EngineContext, 'dataDir' | 'mark'>) {
    this.#dataDir = dataDir;
    this.#mark = mark;
  }

  /**
   * Starts those that are missing, and ends those of ports that are no more; all others go on. Resolves once all serve, with the
   * relay of each mapping by its place (none for udp).
   */
  async put(node: KindNode, signal: AbortSignal): Promise<Map<number, Relay>> {
    const wanted = wantedBy(node);
    const [kept, rest] = split(await this.#find(node), wanted);
    // Unwatched first: some are ended on purpose below.
    this.#watched.delete(node.node_id);
    await endAll(
      rest.map(({ process }) => process),
      node.name,
    );
    const served = kept.map((one) => one.served);
    for (const mapping of wanted)
      if (relayFor(mapping, served) === undefined) served.push(await this.#start(node, mapping, signal));
    this.#watch(node, await this.#find(node));
    return relaysOf(node, served);
  }

  /** Adopts helpers that an earlier server has started. null when one of them is not there; none is started. */
  async adopt(node: KindNode): Promise<Map<number, Relay> | null> {
    const wanted = wantedBy(node);
    const [kept, rest] = split(await this.#find(node), wanted);
    const served = kept.map((one) => one.served);
    if (wanted.some((mapping) => relayFor(mapping, served) === undefined)) return null;
    await endAll(
      rest.map(({ process }) => process),
      node.name,
    );
    keepRelays(served.map(({ relay }) => relay));
    this.#watch(node, kept);
    return relaysOf(node, served);
  }

  /** Ends all helpers of a node. */
  async end({ node_id, name }: Pick<KindNode, 'node_id' | 'name'>): Promise<void> {
    this.#watched.delete(node_id);
    await endAll(await processesOf(node_id, this.#mark), name);
  }

  /** Removes the logs of a node's helpers. */
  async forget(node: Pick<KindNode, 'node_id'>): Promise<void> {
    await Promise.all(['', '.1'].map((end) => rm(this.#logOf(node) + end, { force: true })));
  }

  /** Watches no more. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#watched.clear();
  }

  #logOf({ node_id }: Pick<KindNode, 'node_id'>): string {
    return path.join(this.#dataDir, 'cloud', `${node_id}.log`);
  }

  /** Helpers that lead their process groups: a process that a shell among them has started goes with it. */
  async #find({ node_id, project_id }: NodeRef): Promise<Running[]> {
    return (await processesOf(node_id, this.#mark)).flatMap((process) => {
      const served = process.group === process.pid ? servedBy(process.argv) : null;
      const ours = (process.project_id ?? project_id) === project_id;
      return served === null || !ours ? [] : [{ process, served }];
    });
  }

  async #start(node: KindNode, mapping: InterfaceMapping, signal: AbortSignal): Promise<ServedPort> {
    const [relay = { fabric: 0, socat: 0 }] = await takeRelays(1);
    try {
      const command = ['/bin/sh', '-c', await scriptFor(mapping, relay)] as const;
      const helper = await startHelper(node, this.#mark, command, { log: this.#logOf(node) });
      await helper.until(() => isServed(relay), `port ${mapping.name} cannot be opened`, signal);
    } catch (error) {
      releaseRelays([relay]);
      throw error;
    }
    return { type: mapping.type, interface: mapping.interface, relay };
  }

  #watch({ node_id, project_id }: NodeRef, running: Running[]): void {
    if (running.length === 0) this.#watched.delete(node_id);
    else this.#watched.set(node_id, { node: { node_id, project_id }, running });
    this.#lookLater();
  }

  #lookLater(): void {
    if (this.#closed || this.#watched.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#look().finally(() => this.#lookLater());
    }, POLL_MS).unref();
  }

  async #look(): Promise<void> {
    for (const [node_id, { node, running }] of this.#watched) {
      const alive = await Promise.all(running.map(({ process }) => isAlive(process)));
      // Another poll may have been faster, and a node may have been stopped meanwhile.
      if (this.#closed || !alive.includes(false) || this.#watched.get(node_id)?.running !== running) continue;
      this.#watched.delete(node_id);
      const output = await tailOf({ path: this.#logOf(node), begins: 0 }).catch(() => '');
      this.#events.emit('end', { ...node, output });
    }
  }
}

const endAll = (processes: readonly Marked[], name: string): Promise<void> =>
  endHelpers(processes, name).finally(() =>
    releaseRelays(processes.map(({ argv }) => servedBy(argv)?.relay).filter((relay) => relay !== undefined)),
  );

/** Ports towards interfaces. Throws a conflict when two of them want the same. */
const wantedBy = (node: KindNode): InterfaceMapping[] => {
  const wanted = linkedMappings(node).flatMap(([, mapping]) => (mapping.type === 'udp' ? [] : [mapping]));
  const names = wanted.map((mapping) => mapping.interface);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw conflict(`${node.name}: two ports of ports_mapping are for the interface ${twice}`);
  return wanted;
};

/** Wanted helpers, one for each mapping, and the others. */
const split = (found: readonly Running[], wanted: readonly InterfaceMapping[]): [Running[], Running[]] => {
  const kept = wanted.flatMap((mapping) => found.find(({ served }) => isFor(served, mapping)) ?? []);
  return [kept, found.filter((one) => !kept.includes(one))];
};

const isFor = (served: ServedPort, mapping: InterfaceMapping): boolean =>
  served.type === mapping.type && served.interface === mapping.interface;

const relayFor = (mapping: InterfaceMapping, served: readonly ServedPort[]): Relay | undefined =>
  served.find((one) => isFor(one, mapping))?.relay;

const relaysOf = (node: KindNode, served: readonly ServedPort[]): Map<number, Relay> => {
  const relays = new Map<number, Relay>();
  for (const [index, mapping] of linkedMappings(node)) {
    const relay = mapping.type === 'udp' ? undefined : relayFor(mapping, served);
    if (relay !== undefined) relays.set(index, relay);
  }
  return relays;
};

const scriptFor = async ({ type, interface: name }: InterfaceMapping, relay: Relay): Promise<string> => {
  if (type === 'ethernet') return ethernetScript(name, relay);
  return tapScript(name, relay, await interfaceExists(name));
};
