import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import type { EngineContext, EngineFactory, KindNode } from '../kit/contract.ts';
import { ownNamespaces } from '../shared/network/namespaces.ts';
import { networkLacks } from '../shared/network/privileges.ts';
import {
  giveBackRelays,
  isServed,
  keepRelays,
  type Relay,
  relayEnd,
  relaysIn,
  takeRelays,
} from '../shared/network/relay.ts';
import { freeSubnet } from '../shared/network/subnets.ts';
import { kernelScript, SERVES, subnetIn, SUBNETS } from './kernel-arguments.ts';
import { type KernelNames, namesOf, sharedNames, SORT } from './kernel-names.ts';
import { makeNetwork, networkExists, plugTaps, removeNetwork } from './kernel-network.ts';
import { natEngine } from './nat-engine.ts';
import { resolversFile } from './resolvers.ts';
import type { NatNode, NatPlan, NatWay } from './way.ts';

/** Leads out of the lab by the kernel: a namespace with a bridge, dnsmasq and masquerade. */
export const KERNEL: EngineFactory = natEngine('kernel', (context) => kernelWay(context));

const PROGRAMS = { ip: 'iproute2', nft: 'nftables', dnsmasq: 'dnsmasq-base', socat: 'socat' };
const LOOK_MS = 10;

/** What a node holds while it runs. */
interface Held {
  subnet: string;
  relays: readonly Relay[];
}

const kernelWay = (context: EngineContext): NatWay => {
  const held = new Map<string, Held>();
  const leasesOf = ({ node_id }: Pick<KindNode, 'node_id'>): string =>
    path.join(context.dataDir, 'nat', `${node_id}.leases`);
  const hold = (node: NatNode, { subnet, relays }: Held): void => {
    held.set(node.node_id, { subnet, relays });
    subnets.add(subnet);
  };

  return {
    name: 'kernel',
    missing: () =>
      networkLacks(
        PROGRAMS,
        'a NAT by the kernel',
        'use one that needs no root: apt-get install libslirp-helper socat',
      ),
    async prepare(node) {
      const names = namesOf(node, context.mark);
      const subnet = await takeSubnet();
      hold(node, { subnet, relays: [] });
      const relays = await takeRelays(node.ports.length);
      hold(node, { subnet, relays });
      const run = { subnet, relays, leases: leasesOf(node), resolvers: await resolversFile() };
      await mkdir(path.dirname(run.leases), { recursive: true });
      await makeNetwork(names, run.subnet);
      return planOf(names, run, kernelScript(names, run));
    },
    async recall(node, script) {
      const names = namesOf(node, context.mark);
      const found = heldIn(script);
      if (found?.relays.length !== node.ports.length || !(await networkExists(names))) return null;
      hold(node, found);
      keepRelays(found.relays);
      return planOf(names, found, script);
    },
    async clean(node) {
      await removeNetwork(namesOf(node, context.mark));
      const { subnet, relays } = held.get(node.node_id) ?? { subnet: '', relays: [] };
      held.delete(node.node_id);
      subnets.delete(subnet);
      giveBackRelays(relays);
    },
    async sweep(keep, remove) {
      const kept = new Set(keep.map((node) => namesOf(node, context.mark).namespace));
      const left = (await ownNamespaces(SORT, context.mark)).filter((name) => !kept.has(name));
      if (remove) for (const name of left) await removeNetwork(sharedNames(name));
      return left.map((name) => `network of a NAT, namespace ${name}`);
    },
    forget: (node) => rm(leasesOf(node), { force: true }),
  };
};

/** Networks that nodes have or will have in a moment: their routes come later. One for the whole process. */
const subnets = new Set<string>();

const takeSubnet = async (): Promise<string> => {
  const found = await freeSubnet(SUBNETS.filter((subnet) => !subnets.has(subnet)));
  // Another start may have taken it while the routes were read.
  if (found !== null && subnets.has(found)) return takeSubnet();
  if (found === null)
    throw conflict('the host has routes to every network that a NAT could use (192.168.122.0/24 and those after it)');
  subnets.add(found);
  return found;
};

const heldIn = (script: string): Held | null => {
  const subnet = subnetIn(script);
  return subnet === null ? null : { subnet, relays: relaysIn(script) };
};

/** The ports of a NAT are numbered by their place, and so are the relays. */
const planOf = (names: KernelNames, { relays }: Held, script: string): NatPlan => ({
  script,
  to: ({ port_number }) => relayEnd(relays[port_number] ?? { fabric: 0, socat: 0 }),
  async ready(signal, said) {
    for (const relay of relays) await until(() => isServed(relay), { every: LOOK_MS, signal });
    await plugTaps(
      names,
      relays.map((_, port) => names.tap(port)),
    );
    await until(async () => SERVES.test(await said()), { every: LOOK_MS, signal });
  },
});
