import type { EngineFactory, Missing } from '../kit/contract.ts';
import { programsLacking } from '../shared/network/privileges.ts';
import { giveBackRelays, keepRelays, type Relay, relayEnd, relaysIn, takeRelays } from '../shared/network/relay.ts';
import { freeSubnet } from '../shared/network/subnets.ts';
import { askForGateway } from './gateway-probe.ts';
import { natEngine } from './nat-engine.ts';
import { gatewayOf, slirpScript, SUBNETS, subnetIn } from './slirp-arguments.ts';
import type { NatPlan, NatWay } from './way.ts';

/** Leads out of the lab by libslirp-helper, which needs no privileges: one for each port. */
export const SLIRP: EngineFactory = natEngine('slirp', () => slirpWay());

const PROGRAMS = { 'libslirp-helper': 'libslirp-helper', socat: 'socat' };

const slirpWay = (): NatWay => {
  const relays = new Map<string, Relay[]>();
  return {
    name: 'slirp',
    missing: (): Promise<Missing | null> => programsLacking(PROGRAMS, 'a NAT without privileges'),
    async prepare(node) {
      const taken = await takeRelays(node.ports.length);
      relays.set(node.node_id, taken);
      // Where all are in use, the first hides as little as any other.
      return planOf(taken, (await freeSubnet(SUBNETS)) ?? SUBNETS[0]);
    },
    recall(node, script) {
      const found = relaysIn(script);
      const plan = planOf(found, subnetIn(script) ?? SUBNETS[0]);
      if (found.length !== node.ports.length || plan.script !== script) return Promise.resolve(null);
      relays.set(node.node_id, found);
      keepRelays(found);
      return Promise.resolve(plan);
    },
    clean({ node_id }) {
      giveBackRelays(relays.get(node_id) ?? []);
      relays.delete(node_id);
      return Promise.resolve();
    },
  };
};

/** The ports of a NAT are numbered by their place, and so are the relays. */
const planOf = (relays: readonly Relay[], subnet: string): NatPlan => ({
  script: slirpScript(relays, subnet),
  to: ({ port_number }) => relayEnd(relays[port_number] ?? { fabric: 0, socat: 0 }),
  ready: async (signal) => {
    await Promise.all(relays.map((relay) => askForGateway(relay, gatewayOf(subnet), signal)));
  },
});
