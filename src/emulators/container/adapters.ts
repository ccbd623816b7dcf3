import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopologError } from '../../common/errors.ts';
import type { EngineContext, KindNode, Port } from '../kit/contract.ts';
import { freePorts } from '../shared/host/free-ports.ts';
import { ip } from '../shared/network/ip.ts';
import { namespaceName, ownNamespaces, removeNamespace } from '../shared/network/namespaces.ts';
import { createOutsideLines } from '../shared/outside-lines.ts';
import { endProcesses, processesOf } from '../../processes/end.ts';
import { type Helper, startHelper } from '../shared/process/helper.ts';
import { logOf } from './log.ts';

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
  sweep(keep: readonly Whose[], remove: boolean): Promise<string[]>;
}

interface Pair {
  adapter: number;
  /** UDP ports: the fabric's and socat's. */
  fabric: number;
  socat: number;
}

/** Longest frame that fits a datagram. */
const LARGEST = 65_507;
const BUFFER = 1_500_000;
const LOOK_MS = 5;

export const createAdapters = (context: EngineContext): Adapters => {
  const lines = createOutsideLines(context);
  const attach = (node: KindNode, pairs: readonly Pair[]): Promise<void> =>
    lines.attach(node, node.ports, ({ adapter_number }) => {
      const { fabric, socat } = pairs.find(({ adapter }) => adapter === adapter_number) ?? { fabric: 0, socat: 0 };
      return { type: 'udp', lhost: '127.0.0.1', lport: fabric, rhost: '127.0.0.1', rport: socat };
    });

  return {
    async plug(node, pid, signal) {
      if (node.ports.length === 0) return;
      const pairs = await pairsFor(node.ports);
      const helpers = await Promise.all(
        pairs.map((pair) =>
          startHelper(node, context.mark, 'socat', relayArguments(node, pair, context.mark), logOf(node)),
        ),
      );
      await Promise.all(
        pairs.map((pair, n) => serves(node, tapOf(node, pair.adapter, context.mark), pair, helpers[n], signal)),
      );
      await cable(node, pid, context.mark);
      await attach(node, pairs);
    },
    async adopt(node) {
      const pairs = await pairsOf(node, context.mark);
      if (pairs.length !== node.ports.length) return false;
      freePorts.keep(pairs.flatMap(numbersOf));
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
      const left = await endProcesses(running);
      if (left.length > 0)
        throw new TopologError('engine_failed', {
          what: node.name,
          reason: `process ${left.map(({ pid }) => pid).join(', ')} does not end, not even by SIGKILL`,
        });
      const namespace = namespaceOf(node, context.mark);
      if (await isThere(`/run/netns/${namespace}`)) await removeNamespace(namespace);
      await lines.detach(node, node.ports);
      freePorts.giveBack(running.flatMap(({ argv }) => pairIn(argv) ?? []).flatMap(numbersOf));
    },
  };
};

const numbersOf = ({ fabric, socat }: Pair): number[] => [fabric, socat];

const pairsFor = async (ports: readonly Port[]): Promise<Pair[]> => {
  const numbers = await freePorts.take(2 * ports.length);
  return ports.map(({ adapter_number }, n) => ({
    adapter: adapter_number,
    fabric: numbers[2 * n] ?? 0,
    socat: numbers[2 * n + 1] ?? 0,
  }));
};

/** Unconnected (DATAGRAM): it goes on when the fabric is not there for a while. */
const relayArguments = (node: Whose, { adapter, fabric, socat }: Pair, mark: string): string[] => [
  '-b',
  String(LARGEST),
  `TUN,tun-name=${tapOf(node, adapter, mark)},tun-type=tap,iff-no-pi`,
  `UDP4-DATAGRAM:127.0.0.1:${fabric},bind=127.0.0.1:${socat},rcvbuf=${BUFFER},sndbuf=${BUFFER}`,
];

/** The other way round: the adapters that running helpers serve. */
const pairsOf = async (node: KindNode, mark: string): Promise<Pair[]> => {
  const found = (await processesOf(node.node_id, mark)).map(({ argv }) => pairIn(argv)).filter((pair) => pair !== null);
  return [...new Map(found.map((pair) => [pair.adapter, pair])).values()];
};

const pairIn = (argv: readonly string[]): Pair | null => {
  const line = argv.join(' ');
  const adapter = /tun-name=tl[0-9a-f]{8}n(\d+),/.exec(line)?.[1];
  const [, fabric, socat] = /UDP4-DATAGRAM:127\.0\.0\.1:(\d+),bind=127\.0\.0\.1:(\d+)/.exec(line) ?? [];
  if (adapter === undefined || socat === undefined) return null;
  return { adapter: Number(adapter), fabric: Number(fabric), socat: Number(socat) };
};

/** Makes the node's namespace and moves the TAP devices there, and gives the container an interface on each. */
const cable = async (node: KindNode, pid: number, mark: string): Promise<void> => {
  const namespace = namespaceOf(node, mark);
  const taps = node.ports.map((port) => ({ port, tap: tapOf(node, port.adapter_number, mark) }));
  await ip([], [`netns add ${namespace}`, ...taps.map(({ tap }) => `link set dev ${tap} netns ${namespace}`)]);
  await ip(
    ['-n', namespace],
    taps.flatMap(({ port, tap }) => [
      // No address of its own: nothing but the container speaks here.
      `link set dev ${tap} addrgenmode none ${port.mac_address === undefined ? '' : `address ${port.mac_address}`} up`,
      `link add link ${tap} name eth${port.adapter_number} netns ${pid} up type macvlan mode passthru`,
    ]),
  );
};

/**
 * Resolves once the device of a helper is there, and its datagram socket, which it makes last: a device that is moved before
 * socat has set its flags ends socat. Fails with what the helper said when it ends instead.
 */
const serves = async (
  node: KindNode,
  tap: string,
  { socat }: Pair,
  helper: Helper | undefined,
  signal: AbortSignal,
): Promise<void> => {
  while (!(await isThere(`/sys/class/net/${tap}`)) || !(await isBound(socat))) {
    signal.throwIfAborted();
    const ended = helper?.ended() ?? null;
    if (ended !== null)
      throw new TopologError('engine_failed', { what: node.name, reason: `an adapter cannot be made: ${ended}` });
    await sleep(LOOK_MS);
  }
};

/** proc(5), /proc/net/udp: the local address is the second field, its port in hexadecimal. */
const isBound = async (port: number): Promise<boolean> => {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = (await readFile('/proc/net/udp', 'latin1')).split('\n');
  return lines.some((line) => line.trim().split(/\s+/)[1]?.endsWith(end) === true);
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

type Whose = Pick<KindNode, 'node_id' | 'project_id'>;
/** In names of namespaces. */
const SORT = 'container';

const hashOf = ({ node_id, project_id }: Whose, mark: string): string =>
  createHash('sha256').update(`${mark}/${project_id}/${node_id}`).digest('hex');

/** The network namespace that holds a node's TAP devices, as ip-netns(8) knows it. */
export const namespaceOf = (node: Whose, mark: string): string => namespaceName(SORT, mark, hashOf(node, mark));

/** Names of interfaces have at most 15 characters. */
export const tapOf = (node: Whose, adapter: number, mark: string): string =>
  `tl${hashOf(node, mark).slice(0, 8)}n${adapter}`;
