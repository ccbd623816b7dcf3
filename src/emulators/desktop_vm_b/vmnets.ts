import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import type { Tunnel } from '../shared/desktop-vm/hypervisor.ts';
import { listProcesses } from '../shared/desktop-vm/machine-process.ts';
import { runProgram } from '../shared/desktop-vm/run-program.ts';
import { ip } from '../shared/network/ip.ts';
import { isServed, LARGEST, type Relay, relayAddress, relaysIn } from '../shared/network/relay.ts';
import { processesOf } from '../../processes/end.ts';
import { endHelpers, startHelper } from '../shared/process/helper.ts';

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
  /** Tunnels of a machine whose relays an earlier server has started; null when one of them does not run. */
  relays(node: KindNode, vmnets: ReadonlyMap<number, string>): Promise<Tunnel[] | null>;
  /** Ends the node's relays; its networks are free again. */
  release(node: Pick<KindNode, 'node_id' | 'name'>): Promise<void>;
}

/** First and last network that nodes get. Lower ones are VMware's own (0 bridged, 1 host only, 8 NAT), and the user's. */
const FIRST = 10;
const LAST = 255;
const START_MS = 10_000;

const INSTALL =
  `make them with sudo vmware-netcfg (host only, with a host virtual adapter), or put "answer VNET_${FIRST}_VIRTUAL_ADAPTER yes" ` +
  'and so on into /etc/vmware/networking, and then: sudo vmware-networks --stop && sudo vmware-networks --start';

export const createVmnets = ({ mark }: Pick<EngineContext, 'mark'>): Vmnets => {
  /** Nodes by the network that they have. */
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
        const command = relayCommand(vmnets.get(tunnel.adapter) ?? '', tunnel, keepsTags);
        const helper = await startHelper(node, mark, command, { log: logOf(node) });
        await helper.until(() => isServed(relayOf(tunnel)), 'an adapter cannot be connected', signal);
      }
    },
    async relays(node, vmnets) {
      const running = (await processesOf(node.node_id, mark)).flatMap(({ argv }) => relayIn(argv) ?? []);
      const tunnels = [...vmnets].map(([adapter, vmnet]) => {
        const found = running.find((relay) => relay.vmnet === vmnet);
        return found === undefined ? null : { adapter, fabric: found.fabric, peer: found.peer };
      });
      if (tunnels.includes(null)) return null;
      for (const vmnet of vmnets.values()) taken.set(vmnet, node.node_id);
      return tunnels.filter((tunnel) => tunnel !== null);
    },
    async release({ node_id, name }) {
      const running = await processesOf(node_id, mark);
      await endHelpers(running, name).finally(() => {
        for (const [vmnet, owner] of taken) if (owner === node_id) taken.delete(vmnet);
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

/** The host neither asks nor answers on the network, which is the lab's alone; and it takes every frame. */
const silence = (vmnet: string): string[] => [
  `address flush dev ${vmnet}`,
  `link set dev ${vmnet} arp off addrgenmode none promisc on up`,
];

const relayOf = ({ fabric, peer }: Tunnel): Relay => ({ fabric, socat: peer });

const relayCommand = (vmnet: string, tunnel: Tunnel, keepsTags: boolean): Parameters<typeof startHelper>[2] => [
  'socat',
  ...['-b', LARGEST],
  `INTERFACE:${vmnet}${keepsTags ? ',retrieve-vlan' : ''}`,
  relayAddress(relayOf(tunnel)),
];

const relayIn = (argv: readonly string[]): { vmnet: string; fabric: number; peer: number } | null => {
  const line = argv.join(' ');
  const vmnet = / INTERFACE:(vmnet\d+)[ ,]/.exec(line)?.[1];
  const [relay] = relaysIn(line);
  return vmnet === undefined || relay === undefined ? null : { vmnet, fabric: relay.fabric, peer: relay.socat };
};

/** The kernel takes VLAN tags off what it hands to socat; only newer ones put them back. */
const retrievesVlans = async (): Promise<boolean> =>
  (await runProgram('socat', ['-hhh'], { timeout: START_MS })).stdout.includes('retrieve-vlan');

const logOf = ({ node_directory }: KindNode): string => path.join(node_directory ?? '', 'vmware.log');
