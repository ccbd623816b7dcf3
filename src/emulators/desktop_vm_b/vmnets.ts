import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, TopologError } from '../../common/errors.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import type { Tunnel } from '../shared/desktop-vm/hypervisor.ts';
import { listProcesses } from '../shared/desktop-vm/machine-process.ts';
import { runProgram } from '../shared/desktop-vm/run-program.ts';
import { ip } from '../shared/network/ip.ts';
import { endProcesses, processesOf } from '../../processes/end.ts';
import { type Helper, startHelper } from '../shared/process/helper.ts';

/**
 * The networks of machines: VMware gives each a device and an interface of this host, and everything on it reaches both.
 *
 *     the machine's adapter ─ /dev/vmnet10 ─ interface vmnet10 ─ socat ─ UDP ─ the fabric's port
 *
 * Each adapter has one of its own, and the host does not speak on it.
 */
export interface Vmnets {
  /** A network for each adapter, the wished-for one (by adapter) where it is free. Throws a conflict that says how to make more. */
  take(node: KindNode, adapters: readonly number[], wished: ReadonlyMap<number, string>): Promise<Map<number, string>>;
  /** Starts what carries the frames; resolves once it does. */
  relay(
    node: KindNode,
    vmnets: ReadonlyMap<number, string>,
    tunnels: readonly Tunnel[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Those of a machine whose relays run since a server before this one; null when one does not. */
  relays(node: KindNode, vmnets: ReadonlyMap<number, string>): Promise<Tunnel[] | null>;
  /** Ends the node's relays; its networks are free again. */
  release(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void>;
}

/** Those below are VMware's own (0 bridged, 1 host only, 8 NAT), and the user's. */
const FIRST = 10;
const LAST = 255;
/** Longest frame that fits a datagram. */
const LARGEST = 65_507;
const BUFFER = 1_500_000;
const LOOK_MS = 10;
const START_MS = 10_000;

const INSTALL =
  `make them with sudo vmware-netcfg (host only, with a host virtual adapter), or put "answer VNET_${FIRST}_VIRTUAL_ADAPTER yes" ` +
  'and so on into /etc/vmware/networking, and then: sudo vmware-networks --stop && sudo vmware-networks --start';

export const createVmnets = ({ mark }: Pick<EngineContext, 'mark'>): Vmnets => {
  /** By network: the node that has it. */
  const taken = new Map<string, string>();

  const free = async (nodeId: string): Promise<string[]> => {
    const relayed = new Set((await listProcesses()).flatMap(({ argv }) => relayIn(argv)?.vmnet ?? []));
    return (await vmnetsHere()).filter((name) => (taken.get(name) ?? nodeId) === nodeId && !relayed.has(name));
  };

  return {
    async take(node, adapters, wished) {
      const there = await free(node.node_id);
      const found = new Map<number, string>();
      const isLeft = (name: string): boolean => there.includes(name) && ![...found.values()].includes(name);
      for (const adapter of adapters) {
        const wish = wished.get(adapter);
        if (wish !== undefined && isLeft(wish)) found.set(adapter, wish);
      }
      for (const adapter of adapters) {
        const name = found.get(adapter) ?? there.find(isLeft);
        if (name !== undefined) found.set(adapter, name);
      }
      if (found.size < adapters.length) throw await noVmnet(node, adapters.length, there.length);
      for (const name of found.values()) taken.set(name, node.node_id);
      return found;
    },
    async relay(node, vmnets, tunnels, signal) {
      if (tunnels.length === 0) return;
      await ip([], [...vmnets.values()].flatMap(silence));
      const keepsTags = await retrievesVlans();
      for (const tunnel of tunnels) {
        const args = relayArguments(vmnets.get(tunnel.adapter) ?? '', tunnel, keepsTags);
        const helper = await startHelper(node, mark, 'socat', args, logOf(node));
        await isBound(node, tunnel.far, helper, signal);
      }
    },
    async relays(node, vmnets) {
      const running = (await processesOf(node.node_id, mark)).flatMap(({ argv }) => relayIn(argv) ?? []);
      const tunnels = [...vmnets].map(([adapter, vmnet]) => {
        const found = running.find((relay) => relay.vmnet === vmnet);
        return found === undefined ? null : { adapter, fabric: found.fabric, far: found.far };
      });
      if (tunnels.includes(null)) return null;
      for (const vmnet of vmnets.values()) taken.set(vmnet, node.node_id);
      return tunnels.filter((tunnel) => tunnel !== null);
    },
    async release({ node_id, name }) {
      const left = await endProcesses(await processesOf(node_id, mark));
      for (const [vmnet, owner] of taken) if (owner === node_id) taken.delete(vmnet);
      if (left.length === 0) return;
      const pids = left.map(({ pid }) => pid).join(', ');
      throw new TopologError('engine_failed', {
        what: name,
        reason: `process ${pids} does not end, not even by SIGKILL`,
      });
    },
  };
};

/** Interfaces of this host in the range, in the order of their numbers. */
const vmnetsHere = async (): Promise<string[]> => {
  const names = await readdir('/sys/class/net').catch(() => []);
  const numbers = names.flatMap((name) => /^vmnet(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  return numbers
    .filter((number) => number >= FIRST && number <= LAST)
    .sort((a, b) => a - b)
    .map((number) => `vmnet${number}`);
};

const noVmnet = async ({ name }: KindNode, needed: number, free: number): Promise<Error> => {
  const there = await vmnetsHere();
  const range = `vmnet${FIRST} to vmnet${LAST}`;
  const have = there.length === 0 ? 'there is none' : `of the ${there.length} that there are ${free} are free`;
  return conflict(`${name} needs ${needed} interfaces of ${range} for its adapters, and ${have}; ${INSTALL}`);
};

/** The host neither asks nor answers on the network, which so is the lab's alone; and it takes every frame. */
const silence = (vmnet: string): string[] => [
  `address flush dev ${vmnet}`,
  `link set dev ${vmnet} arp off addrgenmode none promisc on up`,
];

/** The datagram socket is opened last: once its port is taken, the relay works. It goes on when the fabric is not there for a while. */
const relayArguments = (vmnet: string, { fabric, far }: Tunnel, keepsTags: boolean): string[] => [
  ...['-b', String(LARGEST)],
  `INTERFACE:${vmnet}${keepsTags ? ',retrieve-vlan' : ''}`,
  `UDP4-DATAGRAM:127.0.0.1:${fabric},bind=127.0.0.1:${far},rcvbuf=${BUFFER},sndbuf=${BUFFER}`,
];

const relayIn = (argv: readonly string[]): { vmnet: string; fabric: number; far: number } | null => {
  const line = argv.join(' ');
  const vmnet = / INTERFACE:(vmnet\d+)[ ,]/.exec(line)?.[1];
  const [, fabric, far] = / UDP4-DATAGRAM:127\.0\.0\.1:(\d+),bind=127\.0\.0\.1:(\d+),/.exec(line) ?? [];
  return vmnet === undefined || far === undefined ? null : { vmnet, fabric: Number(fabric), far: Number(far) };
};

/** The kernel takes VLAN tags off what it hands to socat; only newer ones put them back. */
const retrievesVlans = async (): Promise<boolean> =>
  (await runProgram('socat', ['-hhh'], { timeout: START_MS })).stdout.includes('retrieve-vlan');

/** proc(5): /proc/net/udp has addresses in hexadecimal, octets of the host's order, ports of the network's. */
const isBound = async (node: KindNode, port: number, helper: Helper, signal: AbortSignal): Promise<void> => {
  const entry = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  while (!(await readFile('/proc/net/udp', 'latin1')).includes(entry)) {
    signal.throwIfAborted();
    const ended = helper.ended();
    if (ended !== null)
      throw new TopologError('engine_failed', { what: node.name, reason: `an adapter cannot be connected: ${ended}` });
    await sleep(LOOK_MS);
  }
};

const logOf = ({ node_directory }: KindNode): string => path.join(node_directory ?? '', 'vmware.log');
