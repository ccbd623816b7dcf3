import { it } from 'node:test';
import type { EngineContext, KindNode } from '../../src/emulators/kit/contract.ts';
import { nat } from '../../src/emulators/nat/kind.ts';
import { KERNEL } from '../../src/emulators/nat/kernel.ts';
import { networkLacks } from '../../src/emulators/shared/network/privileges.ts';
import { processesOf } from '../../src/processes/end.ts';
import { natNetworkOf, NAT_PROGRAMS } from '../support/nat-network.ts';
import { engineContract } from './engine-contract.ts';

/** Processes, attached ports, and what the kernel has: the namespace, interfaces and rules. */
const outside = async (node: KindNode, { fabric, mark }: EngineContext): Promise<string[]> => {
  const { attachments = [] } = await fabric.inventory();
  return [
    ...(await processesOf(node.node_id, mark)).map(({ pid, started }) => `${pid} of ${started}`),
    ...attachments.filter(({ port }) => port.node_id === node.node_id).map(({ port }) => `port ${port.port_number}`),
    ...(await natNetworkOf(node, mark)),
  ];
};

const lacks = await networkLacks(NAT_PROGRAMS, 'this test', 'leave it out');
if (lacks !== null) {
  it('the NAT of the kernel keeps the contract of engines', { skip: `${lacks.needs} is missing` }, () => undefined);
} else {
  engineContract('kernel', {
    kind: nat,
    factory: KERNEL,
    given: { ports_mapping: [{}, {}] },
    outside,
    dies: {
      async how({ node_id }, _engine, { mark }) {
        const dnsmasq = (await processesOf(node_id, mark)).find(({ argv }) => argv[0] === 'dnsmasq');
        process.kill(dnsmasq?.pid ?? 0, 'SIGKILL');
      },
    },
  });
}
