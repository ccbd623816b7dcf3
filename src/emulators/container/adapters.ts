import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { processesOf } from '../../processes/end.ts';
import type { EngineContext, KindNode, Port } from '../kit/contract.ts';
import { connectToFabric } from '../shared/fabric-connection.ts';
import { ip, namespaceName, ownNamespaces, removeNamespace } from '../shared/network/ip.ts';
import {
  releaseRelays,
  isServed,
  keepRelays,
  LARGEST,
  type Relay,
  relayAddress,
  relayEnd,
  relaysIn,
  takeRelays,
} from '../shared/network/relay.ts';
import { endHelpers, startHelper } from '../shared/process/helper.ts';
import { interfaceName } from './inside/interfaces.ts';
import { logOf } from './settings.ts';

/**
 * A container's adapters: interfaces of its network namespace whose frames go to the fabric and come from it.
 *
 *     eth0 (macvlan, passthru) ─ tap ─ socat ─ UDP ─ the fabric's port
 *     └ the container's namespace  └ the node's namespace
 *
 * socat opens the TAP device and the datagram socket where the server is; then the device moves to a namespace of the node's own, where
 * nothing of this machine speaks on it or hears it. The container gets a macvlan device on it instead of the TAP device itself: one
 * that is taken down refuses what socat writes, which would end socat, and the interface with it.
 */
export interface Adapters {
  /** Makes all of them for a container that runs; `pid` is its first process. */
  plug(node: KindNode, pid: number, signal: AbortSignal): Promise<void>;
  /** Attaches those that a server before this one has made. False when one of them is not there. */
  adopt(node: KindNode): Promise<boolean>;
  /** Removes whatever there is of them, with every other helper of the node. */
  unplug(node: Pick<KindNode, 'node_id' | 'project_id' | 'name' | 'ports'>): Promise<void>;
  /** As `sweep` of an engine. */
  sweep(keep: readonly NodeRef[], remove: boolean): Promise<string[]>;
}

interface Pair extends Relay {
  adapter: number;
}

export const createAdapters = (context: EngineContext): Adapters => {
  const lines = connectToFabric(context);
  const attach = (node: KindNode, pairs: readonly Pair[]): Promise<void> =>
    lines.attach(node, node.ports, ({ adapter_number }) => {
      return relayEnd(pairs.find(({ adapter }) => adapter === adapter_number) ?? { fabric: 0, socat: 0 });
    });

  return {
    async plug(node, pid, signal) {
      if (node.ports.length === 0) return;
      const pairs = await pairsFor(node.ports);
      const helpers = await Promise.all(
        pairs.map((pair) =>
          startHelper(node, context.mark, relayCommand(node, pair, context.mark), { log: logOf(node) }),
        ),
      );
      await Promise.all(
        helpers.map((helper, n) =>
          helper.until(() => isReady(node, pairs[n], context.mark), 'an adapter cannot be made', signal),
        ),
      );
      await cable(node, pid, context.mark);
      await attach(node, pairs);
    },
    async adopt(node) {
      const pairs = await pairsOf(node, context.mark);
      if (pairs.length !== node.ports.length) return false;
      keepRelays(pairs);
      await attach(node, pairs);
      return true;
    },
    async sweep(keep, remove) {
      const kept = new Set(keep.map((node) => namespaceOf(node, context.mark)));
      const left = (await ownNamespaces(SORT, context.mark)).filter((name) => !kept.has(name));
      if (remove) for (const name of left) await removeNamespace(name);
      return left.map((name) => `adapters of a container, namespace ${name}`);
    },
    async unplug(node) {
      const running = await processesOf(node.node_id, context.mark);
      await endHelpers(running, node.name);
      const namespace = namespaceOf(node, context.mark);
      if (await isThere(`/run/netns/${namespace}`)) await removeNamespace(namespace);
      await lines.detach(node, node.ports);
      releaseRelays(running.flatMap(({ argv }) => pairIn(argv) ?? []));
    },
  };
};

const pairsFor = async (ports: readonly Port[]): Promise<Pair[]> => {
  const relays = await takeRelays(ports.length);
  return relays.map((relay, n) => ({ ...relay, adapter: ports[n]?.adapter_number ?? 0 }));
};

const relayCommand = (node: NodeRef, pair: Pair, mark: string): Parameters<typeof startHelper>[2] => [
  'socat',
  ...['-b', LARGEST],
  `TUN,tun-name=${tapOf(node, pair.adapter, mark)},tun-type=tap,iff-no-pi`,
  relayAddress(pair),
];

/** Adapters that running helpers serve. */
const pairsOf = async (node: KindNode, mark: string): Promise<Pair[]> => {
  const found = (await processesOf(node.node_id, mark)).map(({ argv }) => pairIn(argv)).filter((pair) => pair !== null);
  return [...new Map(found.map((pair) => [pair.adapter, pair])).values()];
};

const pairIn = (argv: readonly string[]): Pair | null => {
  const line = argv.join(' ');
  const adapter = /tun-name=tl[0-9a-f]{8}n(\d+),/.exec(line)?.[1];
  const [relay] = relaysIn(line);
  return adapter === undefined || relay === undefined ? null : { ...relay, adapter: Number(adapter) };
};

/** Makes the node's namespace and moves the TAP devices there, and gives the container an interface on each. */
const cable = async (node: KindNode, pid: number, mark: string): Promise<void> => {
  const namespace = namespaceOf(node, mark);
  const taps = node.ports.map((port) => ({ port, tap: tapOf(node, port.adapter_number, mark) }));
  await ip([], [`netns add ${namespace}`, ...taps.map(({ tap }) => `link set dev ${tap} netns ${namespace}`)]);
  await ip(
    ['-n', namespace],
    taps.flatMap(({ port, tap }) => [
      // No address of its own: only the container sends here.
      `link set dev ${tap} addrgenmode none ${port.mac_address === undefined ? '' : `address ${port.mac_address}`} up`,
      `link add link ${tap} name ${interfaceName(node.properties, port.adapter_number)} netns ${pid} up type macvlan mode passthru`,
    ]),
  );
};

/**
 * The device of a helper is there, and its datagram socket, which it makes last: a device that is moved before socat has set its
 * flags ends socat.
 */
const isReady = async (node: NodeRef, pair: Pair | undefined, mark: string): Promise<boolean> =>
  pair !== undefined && (await isThere(`/sys/class/net/${tapOf(node, pair.adapter, mark)}`)) && (await isServed(pair));

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

type NodeRef = Pick<KindNode, 'node_id' | 'project_id'>;
/** Part of the names of namespaces. */
const SORT = 'container';

const hashOf = ({ node_id, project_id }: NodeRef, mark: string): string =>
  createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex');

/** The network namespace that holds a node's TAP devices, as ip-netns(8) knows it. */
export const namespaceOf = (node: NodeRef, mark: string): string => namespaceName(SORT, mark, hashOf(node, mark));

/** Names of interfaces have at most 15 characters. */
export const tapOf = (node: NodeRef, adapter: number, mark: string): string =>
  `tl${hashOf(node, mark).slice(0, 8)}n${adapter}`;
