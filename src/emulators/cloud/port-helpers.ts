import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, TopologError } from '../../common/errors.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { interfaceExists } from '../shared/network/interfaces.ts';
import { giveBackRelays, isServed, keepRelays, type Relay, takeRelays } from '../shared/network/relay.ts';
import { endProcesses, processesOf } from '../../processes/end.ts';
import { type Helper, startHelper } from '../shared/process/helper.ts';
import { isAlive } from '../../processes/identity.ts';
import type { Marked } from '../../processes/marker.ts';
import { tailOf } from '../shared/process/output.ts';
import { mappingsOf } from './lacks.ts';
import { ethernetScript, type Served, servedBy, tapScript } from './port-scripts.ts';
import type { InterfaceMapping } from './schema.ts';

type Whose = Pick<KindNode, 'node_id' | 'project_id'>;

/** What ended by itself, with its last output. */
export interface HelperEnd extends Whose {
  output: string;
}

/** The programs that serve the ports of clouds towards interfaces, one each. They outlive the server. */
export interface PortHelpers {
  /**
   * Starts those that are missing, and ends those of ports that are no more; all others go on. Resolves once all serve, with the
   * relay of each mapping by its place (none for udp).
   */
  put(node: KindNode, signal: AbortSignal): Promise<Map<number, Relay>>;
  /** The same for what an earlier server has started. null when one of them is not there; none is started. */
  adopt(node: KindNode): Promise<Map<number, Relay> | null>;
  /** Ends all of a node. */
  end(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void>;
  /** Removes what they have printed. */
  forget(node: Pick<KindNode, 'node_id'>): Promise<void>;
  onEnd(listener: (end: HelperEnd) => void): void;
  /** Watches no more. */
  close(): void;
}

interface Running {
  process: Marked;
  served: Served;
}

const LOOK_MS = 250;
const READY_LOOK_MS = 10;

export const createPortHelpers = ({ dataDir, mark }: Pick<EngineContext, 'dataDir' | 'mark'>): PortHelpers => {
  const watched = new Map<string, { node: Whose; running: Running[] }>();
  const listeners: ((end: HelperEnd) => void)[] = [];
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const logOf = ({ node_id }: Pick<KindNode, 'node_id'>): string => path.join(dataDir, 'cloud', `${node_id}.log`);

  const look = async (): Promise<void> => {
    for (const [node_id, { node, running }] of watched) {
      const alive = await Promise.all(running.map(({ process }) => isAlive(process)));
      // Another look may have come first, and a node may have been stopped meanwhile.
      if (closed || !alive.includes(false) || watched.get(node_id)?.running !== running) continue;
      watched.delete(node_id);
      const output = await tailOf({ path: logOf(node), begins: 0 }).catch(() => '');
      for (const listener of listeners) listener({ ...node, output });
    }
  };
  const lookLater = (): void => {
    if (closed || watched.size === 0) return;
    timer ??= setTimeout(() => {
      timer = null;
      void look().finally(lookLater);
    }, LOOK_MS).unref();
  };
  const watch = ({ node_id, project_id }: Whose, running: Running[]): void => {
    if (running.length === 0) watched.delete(node_id);
    else watched.set(node_id, { node: { node_id, project_id }, running });
    lookLater();
  };

  /** Those that lead their groups: what a shell among them has started goes with it. */
  const find = async ({ node_id, project_id }: Whose): Promise<Running[]> =>
    (await processesOf(node_id, mark)).flatMap((process) => {
      const served = process.group === process.pid ? servedBy(process.argv) : null;
      const ours = (process.project_id ?? project_id) === project_id;
      return served === null || !ours ? [] : [{ process, served }];
    });

  const endAll = async (processes: readonly Marked[], name: string): Promise<void> => {
    const left = await endProcesses(processes);
    giveBackRelays(processes.map(({ argv }) => servedBy(argv)?.relay).filter((relay) => relay !== undefined));
    if (left.length === 0) return;
    const pids = left.map(({ pid }) => pid).join(', ');
    throw new TopologError('engine_failed', {
      what: name,
      reason: `process ${pids} does not end, not even by SIGKILL`,
    });
  };

  const start = async (node: KindNode, mapping: InterfaceMapping, signal: AbortSignal): Promise<Served> => {
    const [relay = { fabric: 0, socat: 0 }] = await takeRelays(1);
    try {
      const helper = await startHelper(node, mark, '/bin/sh', ['-c', await scriptFor(mapping, relay)], logOf(node));
      await serves(node, mapping, relay, helper, signal);
    } catch (error) {
      giveBackRelays([relay]);
      throw error;
    }
    return { type: mapping.type, interface: mapping.interface, relay };
  };

  return {
    async put(node, signal) {
      const wanted = wantedBy(node);
      const [kept, rest] = split(await find(node), wanted);
      // Now, as what follows ends some on purpose.
      watched.delete(node.node_id);
      await endAll(
        rest.map(({ process }) => process),
        node.name,
      );
      const served = kept.map((one) => one.served);
      for (const mapping of wanted)
        if (relayFor(mapping, served) === undefined) served.push(await start(node, mapping, signal));
      watch(node, await find(node));
      return relaysOf(node, served);
    },
    async adopt(node) {
      const wanted = wantedBy(node);
      const [kept, rest] = split(await find(node), wanted);
      const served = kept.map((one) => one.served);
      if (wanted.some((mapping) => relayFor(mapping, served) === undefined)) return null;
      await endAll(
        rest.map(({ process }) => process),
        node.name,
      );
      keepRelays(served.map(({ relay }) => relay));
      watch(node, kept);
      return relaysOf(node, served);
    },
    async end({ node_id, name }) {
      watched.delete(node_id);
      await endAll(await processesOf(node_id, mark), name);
    },
    async forget(node) {
      await Promise.all(['', '.1'].map((end) => rm(logOf(node) + end, { force: true })));
    },
    onEnd: (listener) => void listeners.push(listener),
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      watched.clear();
    },
  };
};

/** Ports towards interfaces. Throws a conflict when two of them want the same. */
const wantedBy = (node: KindNode): InterfaceMapping[] => {
  const wanted = mappingsOf(node).filter((mapping) => mapping.type !== 'udp');
  const names = wanted.map((mapping) => mapping.interface);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw conflict(`${node.name}: two ports of ports_mapping are for the interface ${twice}`);
  return wanted;
};

/** Those that are wanted, one for each mapping, and the others. */
const split = (found: readonly Running[], wanted: readonly InterfaceMapping[]): [Running[], Running[]] => {
  const kept = wanted.flatMap((mapping) => found.find(({ served }) => isFor(served, mapping)) ?? []);
  return [kept, found.filter((one) => !kept.includes(one))];
};

const isFor = (served: Served, mapping: InterfaceMapping): boolean =>
  served.type === mapping.type && served.interface === mapping.interface;

const relayFor = (mapping: InterfaceMapping, served: readonly Served[]): Relay | undefined =>
  served.find((one) => isFor(one, mapping))?.relay;

const relaysOf = (node: KindNode, served: readonly Served[]): Map<number, Relay> => {
  const relays = new Map<number, Relay>();
  for (const [index, mapping] of mappingsOf(node).entries()) {
    const relay = mapping.type === 'udp' ? undefined : relayFor(mapping, served);
    if (relay !== undefined) relays.set(index, relay);
  }
  return relays;
};

const scriptFor = async ({ type, interface: name }: InterfaceMapping, relay: Relay): Promise<string> => {
  if (type === 'ethernet') return ethernetScript(name, relay);
  return tapScript(name, relay, await interfaceExists(name));
};

/** Resolves once the helper serves. Fails with what it said when it ends instead. */
const serves = async (
  node: KindNode,
  { name }: InterfaceMapping,
  relay: Relay,
  helper: Helper,
  signal: AbortSignal,
): Promise<void> => {
  while (!(await isServed(relay))) {
    signal.throwIfAborted();
    const ended = helper.ended();
    if (ended !== null)
      throw new TopologError('engine_failed', { what: node.name, reason: `port ${name} cannot be opened: ${ended}` });
    await sleep(READY_LOOK_MS);
  }
};
